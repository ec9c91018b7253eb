"""The kept scans as relations: their manifests, and the rows that quarantine kept out."""

from __future__ import annotations

import json
from pathlib import Path

import duckdb

from lib.runlog import schema
from lib.runlog.fk_file import quoted
from lib.runlog.folder import regular_files

REJECTS_SUFFIX = ".rejects.parquet"


def create_scan_files(con: duckdb.DuckDBPyConnection, data_dir: Path) -> list[Path]:
    """Make the schema ``scan_file``; return the Parquet files that its views read when asked."""
    schema.create(con, "schema/scan", "scan_file_declared")
    columns = schema.columns_of(con, "scan_file_declared")
    con.execute("CREATE SCHEMA scan_file")
    manifests = regular_files(data_dir / "scans", ".json")
    kept = {path.stem for path in manifests}
    if manifests:
        con.execute(
            "INSERT INTO scan_file_declared.scan BY NAME SELECT unnest(json_transform(content, ?)) "
            "FROM read_text(?) WHERE json_valid(content)",
            [json.dumps(dict(columns["scan"])), [str(path) for path in manifests]],
        )
    con.execute("CREATE VIEW scan_file.scan AS FROM scan_file_declared.scan")
    rejects = [
        path
        for path in regular_files(data_dir / "scans", REJECTS_SUFFIX)
        if path.name.removesuffix(REJECTS_SUFFIX) in kept  # the manifest is what makes a scan exist
    ]
    rows = "FROM scan_file_declared.scan_reject"
    if rejects:
        paths = ", ".join(quoted(str(path)) for path in rejects)
        rows += (
            " UNION ALL BY NAME SELECT *, split_part(parse_filename(filename), '.', 1) AS scan_md5 FROM "
            f"read_parquet([{paths}], union_by_name = true, hive_partitioning = false, filename = true)"
        )
    names = ", ".join(f'"{name}"' for name in columns["scan_reject"])
    con.execute(f"CREATE VIEW scan_file.scan_reject AS SELECT {names} FROM ({rows})")
    return rejects
