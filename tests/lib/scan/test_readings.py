"""Reading kept bytes anew: the earlier reading stays, the scan keeps its number, nothing in use changes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from lib.errors import BadInput
from lib.runlog import connect
from lib.scan import ScanOptions, ScanRefused, ScanStore, content_md5, find_scan, ingest_file_again
from lib.settings import Settings
from lib.table import MergeOptions, merge_scan, rollback
from tests.lib.scan.scan_files import encoded, texts_of, twin_points, write_scan

MILLIMETRES = ScanOptions(length_unit="mm")


@pytest.fixture
def data_dir(tmp_path: Path) -> Path:
    return tmp_path / "data"


def misread(folder: Path, data_dir: Path) -> tuple[Path, ScanStore]:
    """Keep a scan of metres read as millimetres."""
    path, store = write_scan(folder / "night.csv", twin_points(50)), ScanStore(data_dir)
    store.ingest(path, MILLIMETRES)
    return path, store


def test_the_same_bytes_read_with_the_right_unit_take_the_place_of_the_wrong_reading(
    tmp_path: Path, data_dir: Path
) -> None:
    path, store = misread(tmp_path, data_dir)
    write_scan(tmp_path / "other.csv", twin_points(5, seed=1))
    store.ingest(tmp_path / "other.csv")
    result = store.ingest_again(path)
    assert (result.status, result.sequence, result.reading) == ("ingested", 1, 2)
    assert result.notes == ("read anew: reading 1 was in deg, mm and stays kept",)
    kept = store.kept()
    assert [(scan.sequence, scan.file, scan.reading) for scan in kept] == [
        (1, "night.csv", 2),
        (2, "other.csv", 1),
    ]
    assert np.array_equal(store.points(kept[0].key)[0], twin_points(50))
    assert store.raw_path(kept[0]).read_bytes() == path.read_bytes()


def test_nothing_of_the_earlier_reading_is_lost(tmp_path: Path, data_dir: Path) -> None:
    path, store = misread(tmp_path, data_dir)
    before = {file.name: file.read_bytes() for file in (data_dir / "scans").iterdir()}
    store.ingest_again(path)
    after = {file.name: file.read_bytes() for file in (data_dir / "scans").iterdir()}
    assert before.items() <= after.items()
    first, second = store.readings()
    assert (first.reading, first.length_unit, second.reading, second.length_unit) == (1, "mm", 2, "m")
    for reading in (first, second):
        assert content_md5(store.points(reading.key)[0]) == reading.content_md5


def test_a_third_reading_follows_the_second_and_lines_set_aside_are_the_last_ones(
    tmp_path: Path, data_dir: Path
) -> None:
    cells = texts_of(twin_points(20))
    cells[7][2] = "NaN"
    (tmp_path / "a.csv").write_bytes(encoded(cells))
    store = ScanStore(data_dir)
    for unit in ("mm", "m", "mm"):
        options = ScanOptions(length_unit=unit, quarantine=True)
        result = store.ingest_again(tmp_path / "a.csv", options)
    assert (result.reading, result.quarantined) == (3, 1)
    with connect(data_dir) as connection:
        assert connection.execute("SELECT count(*) FROM scan_reject").fetchone() == (1,)
        found = connection.execute("SELECT reading, length_unit, state FROM scan").fetchall()
    assert found == [(3, "mm", "pending")]


def test_an_unknown_file_is_kept_and_the_same_rows_again_change_nothing(
    tmp_path: Path, data_dir: Path
) -> None:
    path, store = write_scan(tmp_path / "a.csv", twin_points(10)), ScanStore(data_dir)
    assert store.ingest_again(path).status == "ingested"
    before = sorted((data_dir / "scans").iterdir())
    again = store.ingest_again(path, ScanOptions(length_unit="m"))
    assert (again.status, again.reading) == ("already known", 1)
    assert sorted((data_dir / "scans").iterdir()) == before


def test_a_refused_reading_leaves_the_kept_one(tmp_path: Path, data_dir: Path) -> None:
    path, store = misread(tmp_path, data_dir)
    with pytest.raises(ScanRefused, match="missing column x"):
        store.ingest_again(path, ScanOptions(columns={"x": "ee_x"}))
    assert [scan.reading for scan in store.readings()] == [1]


def test_rows_asked_for_are_counted_also_where_the_request_is_not_beside_the_raw_bytes(
    tmp_path: Path, data_dir: Path
) -> None:
    path, store = write_scan(tmp_path / "a.csv", twin_points(10)), ScanStore(data_dir)
    (tmp_path / "a.request.csv").write_text("1,2,3,4,5,6\n")
    store.ingest(path, replace(MILLIMETRES, partial=True))
    raw = store.raw_path(store.kept()[0])
    with pytest.raises(ScanRefused, match="fewer rows than the request asks for") as refused:
        store.ingest_again(raw)
    assert refused.value.expected_rows == 16_807
    assert store.ingest_again(raw, ScanOptions(partial=True)).expected_rows == 16_807
    assert store.kept()[0].file == "a.csv"


def test_a_scan_in_use_is_not_read_anew_before_a_rollback(tmp_path: Path, data_dir: Path) -> None:
    settings = replace(Settings(), data_dir=data_dir, robot="none")
    path, store = misread(tmp_path, data_dir)
    merge_scan(settings, store.kept()[0], MergeOptions())
    result, refused = ingest_file_again(data_dir, path)
    assert result.status == "refused" and refused is not None
    assert str(refused) == (
        f"{path}: its rows are in version 1, which is in use; `nightpick table rollback 0` first, then read "
        "it anew; nothing is deleted"
    )
    rollback(settings, 0)
    assert ingest_file_again(data_dir, path)[0].status == "ingested"


def test_leavings_of_a_killed_reading_do_not_outlive_the_next(tmp_path: Path, data_dir: Path) -> None:
    path, store = misread(tmp_path, data_dir)
    md5 = store.ingest_again(path).md5
    (data_dir / "scans" / f"{md5}.2.json").unlink()  # as if killed right before it
    store.rejects_path(f"{md5}.2").write_bytes(b"of another reading")
    assert [scan.reading for scan in store.kept()] == [1]
    assert store.ingest_again(path).reading == 2
    assert not store.rejects_path(f"{md5}.2").exists()


def test_a_scan_set_aside_says_why_to_whoever_offers_it_again(tmp_path: Path, data_dir: Path) -> None:
    path, store = misread(tmp_path, data_dir)
    scan = store.set_aside(store.kept()[0].md5, "in millimetres")
    assert scan.set_aside_because == "in millimetres" and scan.set_aside_at is not None
    assert store.set_aside(scan.md5, "another reason") == scan == store.kept()[0]
    note = store.ingest(path, MILLIMETRES).notes[-1]
    assert note == (
        f"it is set aside, because: in millimetres; `nightpick table merge --scan {scan.md5[:8]}` merges it "
        "all the same"
    )
    assert store.ingest_again(path).reading == 2
    assert store.kept()[0].set_aside_at is None  # that was said of the wrong reading
    assert not list((data_dir / "scans").glob(".ingest-*"))


def test_people_name_a_scan_by_md5_name_file_or_number(tmp_path: Path, data_dir: Path) -> None:
    store = ScanStore(data_dir)
    for name, rows in (("a/night.csv", 3), ("b/night.csv", 4), ("c.csv", 5)):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        store.ingest(write_scan(tmp_path / name, twin_points(rows)))
    first, second, third = store.kept()
    for text in (third.md5, third.md5[:8], third.md5[:4].upper(), "c.csv", "3", str(tmp_path / "c.csv")):
        assert find_scan(store, text) == third
    assert find_scan(store, str(tmp_path / "b" / "night.csv")) == second
    with pytest.raises(
        BadInput, match=f"'night.csv' may be 2 scans: {first.md5[:8]} .*; name one by its md5"
    ):
        find_scan(store, "night.csv")
    for text in ("4", "none.csv", "", third.md5[:3]):
        with pytest.raises(BadInput, match="`nightpick scan list` lists them"):
            find_scan(store, text)
