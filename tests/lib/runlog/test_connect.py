"""The views: there before any data, told by the documentation, folding a run's records into one row."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from datetime import UTC, date
from pathlib import Path

import duckdb
import pytest

from lib.errors import BadInput, NightpickError
from lib.runlog import RunLog, close_logs, connect, fk_file
from lib.runlog.folder import closed_folder
from lib.runlog.sql_file import sql_files
from lib.scan import ScanOptions, ScanStore

from .sample import BLOCKED_UTC, FIRST_UTC, SECOND_UTC, publish_table, write_records, write_sample

VIEWS = [file.name for file in sql_files("views")]
PROMISED = {"scan", "scan_reject", "fk_point", "fk_version", "fk_audit", "fk_effect"} | {
    "night",
    "observation",
    "flow_run",
    "task_run",
}
DOCUMENT = Path(__file__).parents[3] / "docs" / "sql.md"


def change_table(data_dir: Path, statement: str) -> None:
    """Change the table as a merge does: on a copy, renamed into place."""
    staged = data_dir / "fk.duckdb.staged"
    shutil.copyfile(fk_file.path(data_dir), staged)
    with duckdb.connect(str(staged)) as table:
        table.execute(statement)
    staged.replace(fk_file.path(data_dir))


def described(con: duckdb.DuckDBPyConnection, view: str) -> list[tuple[str, str]]:
    return [(row[0], row[1]) for row in con.execute(f"DESCRIBE {view}").fetchall()]


def test_every_promised_relation_exists_and_is_empty_before_there_is_any_data(tmp_path: Path) -> None:
    assert set(VIEWS) >= PROMISED
    con = connect(tmp_path / "nowhere")
    for view in VIEWS:
        assert con.execute(f"SELECT count(*) FROM {view}").fetchall() == [(0,)], view
    assert not (tmp_path / "nowhere").exists()


def test_views_have_the_same_columns_and_types_with_and_without_data(tmp_path: Path) -> None:
    empty = connect(tmp_path / "nowhere")
    data_dir = write_sample(tmp_path / "data")
    full = connect(data_dir)
    close_logs(data_dir)
    closed = connect(data_dir)
    for view in VIEWS:
        assert described(empty, view) == described(full, view) == described(closed, view), view


def documented() -> dict[str, list[tuple[str, str]]]:
    relations: dict[str, list[tuple[str, str]]] = {}
    relation = ""
    for line in DOCUMENT.read_text(encoding="utf-8").splitlines():
        if heading := re.fullmatch(r"### `(\w+)`", line):
            relation = heading[1]
            relations[relation] = []
        elif relation and (column := re.match(r"\| `(\w+)` \| ([A-Z ]+) \| \S", line)):
            relations[relation].append((column[1], column[2]))
    return relations


def test_the_documentation_names_every_view_with_its_columns_in_order_and_their_types(tmp_path: Path) -> None:
    con = connect(tmp_path)
    actual = {view: described(con, view) for view in VIEWS}
    short = {"TIMESTAMP WITH TIME ZONE": "TIMESTAMPTZ"}
    assert documented() == {
        view: [(name, short.get(kind, kind)) for name, kind in columns] for view, columns in actual.items()
    }


def test_a_column_with_a_number_that_has_a_unit_says_it_in_its_name(tmp_path: Path) -> None:
    con = connect(tmp_path)
    unitless = {"value", "std", "encoder", "joint_offset", "confidence"}  # the unit is beside it, or none
    for view in VIEWS:
        for name, kind in described(con, view):
            if kind == "DOUBLE" and name not in unitless:
                assert re.search(r"_(m|mm|deg|s|c|v|px|pct)$", name), f"{view}.{name}"
            if kind.startswith("TIMESTAMP"):
                assert kind == "TIMESTAMP WITH TIME ZONE" and name.endswith("_utc"), f"{view}.{name}"


def test_a_run_is_one_row_with_what_its_later_records_add(tmp_path: Path) -> None:
    write_records(tmp_path)
    con = connect(tmp_path)
    assert con.execute(
        "SELECT night_id, arm, local_date, sequence, started_utc, ended_utc, state, report_path FROM night"
    ).fetchall() == [
        ("n1", "left", date(2026, 3, 1), 0, FIRST_UTC, BLOCKED_UTC, "finished", "reports/n1.html")
    ]
    assert con.execute("SELECT flow_run_id, prefect_flow_run_id, flow, state FROM flow_run").fetchall() == [
        ("f1", "p1", "night", "finished")
    ]
    assert con.execute(
        "SELECT task_run_id, night_id, task, duration_s, state, error FROM task_run ORDER BY task_run_id"
    ).fetchall() == [
        ("t1", "n1", "merge table", 2.0, "finished", None),
        ("t2", "n1", "merge table", 6.0, "failed", "no"),
        ("t3", "n1", "report", None, "unfinished", None),
    ]


def test_a_run_resumed_by_another_process_is_still_one_row(tmp_path: Path) -> None:
    for state in ("unfinished", "crashed", "finished"):
        log = RunLog(tmp_path)
        log.append("night", night_id="n", state=state)
        log.close()
        close_logs(tmp_path)
    assert connect(tmp_path).execute("SELECT night_id, state FROM night").fetchall() == [("n", "finished")]


def test_verdicts_come_from_the_table_where_published_and_from_the_log_where_not(tmp_path: Path) -> None:
    write_sample(tmp_path)
    con = connect(tmp_path)
    assert con.execute(
        "SELECT version, state, name, ok, accepted_because, time_utc, merge_id FROM fk_audit "
        "ORDER BY time_utc, name"
    ).fetchall() == [
        (1, "published", "prefix", True, None, FIRST_UTC, None),
        (2, "published", "conflicts", False, "new twin", SECOND_UTC, None),
        (2, "published", "prefix", True, None, SECOND_UTC, None),
        (3, "blocked", "count", False, None, BLOCKED_UTC, "m3"),
        (3, "blocked", "prefix", True, None, BLOCKED_UTC, "m3"),
    ]
    assert con.execute(
        "SELECT version, state, verdict, round(change_m, 6) FROM fk_effect ORDER BY version, mode DESC"
    ).fetchall() == [
        (2, "published", "improved", -0.002),
        (2, "published", "unchanged", 0.0),
        (3, "blocked", "worse", 0.002),
    ]


def test_the_version_in_use_and_its_rows_are_told_also_after_going_back(tmp_path: Path) -> None:
    publish_table(tmp_path)
    asked = "SELECT list(fk_row ORDER BY fk_row) FILTER (in_current), count(*) FROM fk_point"
    in_use = "SELECT version FROM fk_version WHERE is_current"
    con = connect(tmp_path)
    assert con.execute(asked).fetchall() == [([0, 1, 2, 3, 4], 5)]
    assert con.execute(in_use).fetchall() == [(2,)]
    change_table(tmp_path, "UPDATE fk_current SET version = 1")
    con = connect(tmp_path)
    assert con.execute(asked).fetchall() == [([0, 1, 2], 5)]
    assert con.execute(in_use).fetchall() == [(1,)]
    assert con.execute("SELECT round(fit_rms_m, 9) FROM fk_version WHERE version = 1").fetchall() == [(5e-5,)]


def test_a_table_file_of_an_older_version_lacks_columns_and_relations_without_harm(tmp_path: Path) -> None:
    publish_table(tmp_path)
    change_table(tmp_path, "DROP TABLE fk_effect; ALTER TABLE fk_version DROP COLUMN fit_axes")
    con = connect(tmp_path)
    assert con.execute("SELECT version, fit_axes FROM fk_version ORDER BY version").fetchall() == [
        (1, None),
        (2, None),
    ]
    assert con.execute("SELECT count(*) FROM fk_effect").fetchall() == [(0,)]


HEADER = "ee_x,ee_y,ee_z,j0,j1,j2,j3,j4,j5"


def test_kept_scans_and_their_quarantine_are_relations(tmp_path: Path) -> None:
    good, bad = "0.1,0.2,0.3,10,20,30,40,50,60", "0.1,NaN,0.3,10,20,30,40,50,60"
    for name, lines in (("first", [good]), ("second", [good, bad, good, "x"])):
        (tmp_path / f"{name}.csv").write_text("\n".join([HEADER, *lines]) + "\n")
        ScanStore(tmp_path / "data").ingest(
            tmp_path / f"{name}.csv", ScanOptions(quarantine=name == "second")
        )
    con = connect(tmp_path / "data")
    assert con.execute(
        "SELECT sequence, file, state, version, rows, quarantined, duplicates_in_file, angle_unit FROM scan "
        "ORDER BY sequence"
    ).fetchall() == [
        (1, "first.csv", "pending", None, 1, 0, 0, "deg"),
        (2, "second.csv", "pending", None, 2, 2, 1, "deg"),
    ]
    second = con.execute("SELECT md5, ingested_utc FROM scan WHERE sequence = 2").fetchall()[0]
    assert second[1].tzinfo is not None
    rejects = con.execute("SELECT scan_md5, line, column_name, raw FROM scan_reject ORDER BY line").fetchall()
    assert rejects == [(second[0], 3, "ee_y", bad), (second[0], 5, "ee_y", "x")]


def test_a_scan_is_merged_once_a_version_holds_it(tmp_path: Path) -> None:
    write_sample(tmp_path)
    assert connect(tmp_path).execute("SELECT md5, state, version FROM scan ORDER BY sequence").fetchall() == [
        ("scan1", "merged", 1),
        ("scan2", "merged", 2),
        ("scan3", "pending", None),
    ]


def test_a_damaged_manifest_of_a_scan_is_named(tmp_path: Path) -> None:
    write_sample(tmp_path)
    (tmp_path / "scans" / "scan2.json").write_text('{"md5": "scan2", "seq')
    with pytest.raises(NightpickError, match=r"scan2\.json: not readable"):
        connect(tmp_path)


def test_a_damaged_table_file_or_part_is_named(tmp_path: Path) -> None:
    write_records(tmp_path)
    close_logs(tmp_path)
    (manifest,) = closed_folder(tmp_path).glob("*.json")
    whole = manifest.read_text()
    manifest.write_text(whole[:20])
    with pytest.raises(NightpickError, match=r"runlog/closed/.*\.json: not readable as the manifest"):
        connect(tmp_path)
    manifest.write_text(whole)
    (parquet,) = closed_folder(tmp_path).glob("night/*.parquet")
    rows = parquet.read_bytes()
    parquet.write_bytes(rows[:100])
    with pytest.raises(NightpickError, match=rf"cannot be read: .*{parquet.name}"):
        connect(tmp_path)
    parquet.write_bytes(rows)
    fk_file.path(tmp_path).write_bytes(b"damaged")
    with pytest.raises(BadInput, match=r"fk\.duckdb: not readable as a table"):
        connect(tmp_path)


def test_times_are_in_utc_whatever_the_machine_is_set_to(tmp_path: Path) -> None:
    write_records(tmp_path)
    code = (
        "import sys; from pathlib import Path; from lib.runlog import connect\n"
        "con = connect(Path(sys.argv[1]))\n"
        "print(con.execute('SELECT started_utc, started_utc::VARCHAR FROM night').fetchall())"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)],
        env={"TZ": "America/New_York"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "datetime.datetime(2026, 3, 1, 20, 0, tzinfo=zoneinfo.ZoneInfo(key='UTC'))" in done.stdout
    assert "'2026-03-01 20:00:00+00'" in done.stdout


def test_figures_are_json_to_ask_into(tmp_path: Path) -> None:
    write_records(tmp_path)
    for _ in ("open", "closed"):
        row = (
            connect(tmp_path)
            .execute(
                "SELECT figures->>'rows', findings->>0, figures FROM merge_audit WHERE name = 'count' LIMIT 1"
            )
            .fetchone()
        )
        assert row is not None
        assert (row[0], row[1], json.loads(row[2])) == ("5", "line 7", {"rows": 5})
        close_logs(tmp_path)


def test_a_connection_is_a_snapshot(tmp_path: Path) -> None:
    write_records(tmp_path)
    con = connect(tmp_path)
    RunLog(tmp_path).append("observation", name="later", value=1)
    assert con.execute("SELECT name FROM observation").fetchall() == [("rows added",)]
    times = connect(tmp_path).execute("SELECT max(time_utc) FROM observation").fetchall()[0]
    assert times[0].astimezone(UTC).tzinfo is UTC
