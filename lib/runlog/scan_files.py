"""The kept scans as relations: their manifests, and the lines that quarantine set aside."""

from __future__ import annotations

import json
from pathlib import Path

import duckdb

from lib.errors import Damaged
from lib.runlog import schema
from lib.runlog.fk_file import quoted
from lib.runlog.folder import regular_files
from lib.runlog.one_file import one_file
from lib.runlog.reading import ReadFiles, create_over_whole

REJECTS_SUFFIX = ".rejects.parquet"


def create_scan_files(con: duckdb.DuckDBPyConnection, data_dir: Path) -> ReadFiles:
    """Make the schema ``scan_file``; return the Parquet files that its views read when asked.

    Manifests are copied into memory; rejects count where the manifest is there, for it is written
    last. Raises Damaged naming a manifest that cannot be read.
    """
    schema.create(con, "schema/scan", "manifest")
    columns = schema.columns_of(con, "manifest")
    manifests = regular_files(data_dir / "scans", ".json")
    if manifests:
        _load_manifests(con, manifests, columns["scan"])
    kept = {path.stem for path in manifests}
    rejects = [
        path
        for path in regular_files(data_dir / "scans", REJECTS_SUFFIX)
        if path.name.removesuffix(REJECTS_SUFFIX) in kept
    ]
    names = ", ".join(f'"{name}"' for name in columns["scan_reject"])
    con.execute("CREATE SCHEMA scan_file; CREATE VIEW scan_file.scan AS FROM manifest.scan")
    return create_over_whole(
        con,
        rejects,
        lambda whole: f"CREATE VIEW scan_file.scan_reject AS SELECT {names} FROM ({_reject_rows(whole)})",
    )


def _load_manifests(con: duckdb.DuckDBPyConnection, manifests: list[Path], columns: schema.Columns) -> None:
    contents = []
    for path in manifests:
        try:
            contents.append(json.dumps(json.loads(path.read_bytes())))
        except ValueError as error:
            raise Damaged(
                f"{path}: not readable as a kept scan's manifest: {error}; put back a copy of this file, "
                "or remove it and ingest the scan again"
            ) from error
    con.execute(
        "INSERT INTO manifest.scan BY NAME "
        "SELECT unnest(json_transform(content, ?)) FROM unnest(?) AS given (content)",
        [json.dumps(dict(columns)), contents],
    )


def _reject_rows(rejects: list[Path]) -> str:
    """Write the query for the rejected lines; which scan and reading they are of their file's name tells."""
    if not rejects:
        return "FROM manifest.scan_reject"
    paths = ", ".join(quoted(one_file(path)) for path in rejects)
    return (
        "FROM manifest.scan_reject UNION ALL BY NAME "
        "SELECT *, split_part(parse_filename(filename), '.', 1) AS scan_md5, "
        "TRY_CAST(split_part(parse_filename(filename), '.', 2) AS BIGINT) AS reading FROM "
        f"read_parquet([{paths}], union_by_name = true, hive_partitioning = false, filename = true)"
    )
