"""Keeping scans: what is kept, that the same bytes change nothing, that a refusal leaves nothing."""

from __future__ import annotations

import gzip
import hashlib
import json
import resource
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path

import duckdb
import numpy as np
import pytest

from lib.errors import NightpickError
from lib.robot import load_robot
from lib.scan import COLUMNS, ScanOptions, ScanRefused, ScanStore, content_md5
from tests.lib.scan.scan_files import encoded, texts_of, twin_points, write_scan

CONTRACT = {
    "file", "md5", "rows", "quarantined", "duplicates_in_file", "content_md5", "out_of_limits",
    "expected_rows", "status", "problems", "problem_count",
}  # fmt: skip


def everything(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_scan_is_kept_as_raw_bytes_rows_and_manifest(tmp_path: Path) -> None:
    points = twin_points(200)
    path = write_scan(tmp_path / "night.csv", points)
    md5 = hashlib.md5(path.read_bytes()).hexdigest()
    store = ScanStore(tmp_path / "data")
    result = store.ingest(path)
    assert (result.status, result.md5, result.rows, result.sequence) == ("ingested", md5, 200, 1)
    assert (result.content_md5, result.out_of_limits, result.expected_rows) == (
        content_md5(points),
        None,
        None,
    )
    (kept,) = store.kept()
    assert (kept.file, kept.angle_unit, kept.length_unit) == ("night.csv", "deg", "m")
    assert store.raw_path(kept).read_bytes() == path.read_bytes()
    read_back, lines = store.points(md5)
    assert read_back.tobytes() == points.tobytes()
    assert lines.tolist() == list(range(2, 202))
    assert {p.name for p in (tmp_path / "data" / "scans").iterdir()} == {
        ".lock", f"{md5}.csv", f"{md5}.json", f"{md5}.points.parquet",
    }  # fmt: skip


def test_the_answer_has_every_field_of_the_contract_as_plain_json(tmp_path: Path) -> None:
    answer = ScanStore(tmp_path / "data").ingest(write_scan(tmp_path / "a.csv", twin_points(3))).as_json()
    assert set(answer) >= CONTRACT
    assert json.loads(json.dumps(answer)) == {**answer, "problems": [], "notes": []}


def test_the_same_bytes_again_change_nothing_and_say_so(tmp_path: Path) -> None:
    store = ScanStore(tmp_path / "data")
    first = store.ingest(write_scan(tmp_path / "a.csv", twin_points(20)))
    before = everything(tmp_path / "data")
    again = store.ingest(write_scan(tmp_path / "b.csv", twin_points(20)), ScanOptions(length_unit="mm"))
    assert everything(tmp_path / "data") == before
    assert again.status == "already known"
    assert (again.file, again.sequence, again.content_md5) == (str(tmp_path / "b.csv"), 1, first.content_md5)
    assert "the same bytes are scan 1, a.csv, since" in again.notes[0]
    assert again.notes[1].startswith("it was read with another --length-unit then; what is given now changes")


def test_the_same_rows_in_other_bytes_are_kept_with_a_note(tmp_path: Path) -> None:
    store = ScanStore(tmp_path / "data")
    store.ingest(write_scan(tmp_path / "a.csv", twin_points(20)))
    (tmp_path / "b.csv").write_bytes(encoded(texts_of(twin_points(20)), ";", ",", "\r\n", "utf-8-sig"))
    result = store.ingest(tmp_path / "b.csv")
    assert (result.status, result.sequence) == ("ingested", 2)
    assert result.notes == ("the same rows as scan 1, a.csv, in other bytes",)


def test_a_refused_file_leaves_nothing(tmp_path: Path) -> None:
    cells = texts_of(twin_points(5))
    cells[3][4] = "NaN"
    (tmp_path / "bad.csv").write_bytes(encoded(cells))
    (tmp_path / "bad.request.csv").write_text("1,2,3,4,5,6\n")
    with pytest.raises(ScanRefused) as refused:
        ScanStore(tmp_path / "data").ingest(tmp_path / "bad.csv")
    assert not (tmp_path / "data").exists()
    assert refused.value.md5 == hashlib.md5(encoded(cells)).hexdigest()
    assert refused.value.expected_rows == 16_807


def test_a_bad_request_refuses_the_scan_in_the_requests_name(tmp_path: Path) -> None:
    path = write_scan(tmp_path / "a.csv", twin_points(5))
    (tmp_path / "a.request.csv").write_text("1,2,x,4,5,6\n")
    with pytest.raises(ScanRefused, match=r"a\.request\.csv: line 1, column j2") as refused:
        ScanStore(tmp_path / "data").ingest(path)
    assert refused.value.file == str(path)


def test_what_quarantine_sets_aside_is_a_table(tmp_path: Path) -> None:
    cells = texts_of(twin_points(5))
    cells[2][0], cells[4] = "NaN", ["1", "2"]
    (tmp_path / "a.csv").write_bytes(encoded(cells))
    store = ScanStore(tmp_path / "data")
    result = store.ingest(tmp_path / "a.csv", ScanOptions(quarantine=True))
    assert (result.rows, result.quarantined, result.problem_count) == (3, 2, 2)
    assert result.md5 is not None
    with duckdb.connect() as connection:
        rows = connection.execute(
            'SELECT line, raw, "column", found, rule FROM read_parquet(?)',
            [str(store.rejects_path(result.md5))],
        ).fetchall()
    assert rows == [
        (3, ",".join(cells[2]), "ee_x", "NaN", "NaN is not a measurement"),
        (5, "1,2", "ee_z", "1,2", "2 fields for 9 columns: too few"),
    ]
    assert store.points(result.md5)[1].tolist() == [2, 4, 6]
    assert store.ingest(tmp_path / "a.csv").problems == result.problems


def test_repeats_and_rows_outside_the_robots_limits_are_counted_and_kept(tmp_path: Path) -> None:
    robot = load_robot("mecharm270")
    assert robot is not None
    points = twin_points(10)
    points[:, 3:] = robot.limits_deg.mean(axis=1)
    points[4, 5] = robot.limits_deg[2, 1] + 0.001
    points[7, 8] = robot.limits_deg[5, 0] - 0.001
    points[9] = points[0]
    result = ScanStore(tmp_path / "data").ingest(write_scan(tmp_path / "a.csv", points), None, robot)
    assert (result.rows, result.out_of_limits, result.duplicates_in_file) == (10, 2, 1)


def test_units_and_columns_are_declared_in_the_manifest(tmp_path: Path) -> None:
    points = twin_points(4)
    cells = texts_of(points)
    cells[0] = [{"ee_x": "x", "j0": "q1"}.get(name, name) for name in COLUMNS]
    (tmp_path / "a.csv").write_bytes(encoded(cells))
    columns = {"x": "ee_x", "q1": "j0"}
    options = ScanOptions(angle_unit="rad", length_unit="mm", columns=columns)
    store = ScanStore(tmp_path / "data")
    result = store.ingest(tmp_path / "a.csv", options)
    (kept,) = store.kept()
    assert (kept.angle_unit, kept.length_unit, kept.columns) == ("rad", "mm", columns)
    assert result.md5 is not None
    converted = np.hstack([points[:, :3] / 1000, np.degrees(points[:, 3:])])
    assert store.points(result.md5)[0].tobytes() == converted.tobytes()
    assert store.ingest(tmp_path / "a.csv", options).notes[len(result.notes) :] == (
        f"the same bytes are scan 1, a.csv, since {kept.ingested_at[:19]} UTC",
    )


def test_raw_bytes_are_named_by_what_they_are_and_never_by_their_file_name(tmp_path: Path) -> None:
    store = ScanStore(tmp_path / "data")
    for name, data in {
        "..%2f..%2fetc.exe": encoded(texts_of(twin_points(3, 1))),
        "-rf .json": gzip.compress(encoded(texts_of(twin_points(3, 2)))),
        "a'b\nc.points.parquet": encoded(texts_of(twin_points(3, 3))),
    }.items():
        (tmp_path / name).write_bytes(data)
        store.ingest(tmp_path / name)
    kept = store.kept()
    assert [scan.file for scan in kept] == ["..%2f..%2fetc.exe", "-rf .json", "a'b\\nc.points.parquet"]
    assert [scan.raw for scan in kept] == [
        scan.md5 + end for scan, end in zip(kept, (".csv", ".csv.gz", ".csv"), strict=True)
    ]


def test_the_store_may_lie_under_any_path(tmp_path: Path) -> None:
    store = ScanStore(tmp_path / "it's [a] *data?")
    result = store.ingest(write_scan(tmp_path / "a.csv", twin_points(30)))
    assert result.md5 is not None
    assert store.points(result.md5)[0].tobytes() == twin_points(30).tobytes()


def test_a_damaged_manifest_or_points_file_is_named(tmp_path: Path) -> None:
    store = ScanStore(tmp_path / "data")
    result = store.ingest(write_scan(tmp_path / "a.csv", twin_points(3)))
    assert result.md5 is not None
    store.points_path(result.md5).write_bytes(b"PAR1 nonsense")
    with pytest.raises(NightpickError, match=r"points\.parquet: the kept scan's rows cannot be read"):
        store.points(result.md5)
    manifest = tmp_path / "data" / "scans" / f"{result.md5}.json"
    manifest.write_text("{}")
    with pytest.raises(NightpickError, match=rf"{result.md5}\.json: not readable as a kept scan's manifest"):
        store.kept()


def _ingest_with_a_small_disk(
    data_dir: Path, scan: Path, largest_file_bytes: int, answer: Connection
) -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (largest_file_bytes, largest_file_bytes))
    try:
        ScanStore(data_dir).ingest(scan)
        answer.send("kept")
    except NightpickError as error:
        answer.send(str(error))


@pytest.mark.parametrize("room_bytes", [0, 1_000, "enough for the raw bytes"])
def test_a_full_disk_keeps_nothing_and_says_so(tmp_path: Path, room_bytes: int | str) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(gzip.compress(encoded(texts_of(twin_points(2_000)))))
    if isinstance(room_bytes, str):
        room_bytes = path.stat().st_size + 1_000
    data_dir = tmp_path / "data"
    processes = get_context("forkserver")
    here, there = processes.Pipe(duplex=False)
    child = processes.Process(target=_ingest_with_a_small_disk, args=(data_dir, path, room_bytes, there))
    child.start()
    assert here.poll(60)
    assert "a.csv cannot be kept: " in here.recv()
    child.join(60)
    assert set(everything(data_dir)) == {"scans/.lock"}
    assert ScanStore(data_dir).ingest(path).status == "ingested"
