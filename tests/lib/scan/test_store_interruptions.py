"""An ingest killed at any moment leaves nothing or all, and the same command completes it."""

from __future__ import annotations

import random
import time
from multiprocessing import get_context
from multiprocessing.synchronize import Barrier
from pathlib import Path

import pytest

from lib.scan import ScanOptions, ScanStore, content_md5
from tests.lib.scan.scan_files import twin_points, write_scan

ROWS = 20_000

processes = get_context("forkserver")
processes.set_forkserver_preload(["lib.scan"])


def _ingest(data_dir: Path, scan: Path, start: Barrier, options: ScanOptions | None = None) -> None:
    start.wait()
    ScanStore(data_dir).ingest(scan, options)


@pytest.fixture(scope="module")
def scan(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_scan(tmp_path_factory.mktemp("scan") / "night.csv", twin_points(ROWS))


def assert_nothing_or_all(data_dir: Path) -> int:
    """Check what a killed ingest left; return how many scans there are."""
    store = ScanStore(data_dir)
    kept = store.kept()
    for known in kept:
        points, lines = store.points(known.md5)
        assert len(points) == len(lines) == known.rows
        assert content_md5(points) == known.content_md5
        assert store.raw_path(known).exists()
    return len(kept)


@pytest.mark.parametrize("kills", [6, pytest.param(20, marks=pytest.mark.slow)])
def test_kill_9_at_random_moments_leaves_nothing_or_all(scan: Path, tmp_path: Path, kills: int) -> None:
    started_s = time.monotonic()
    ScanStore(tmp_path / "timed").ingest(scan)
    whole_s = time.monotonic() - started_s
    rng = random.Random(0)
    outcomes = []
    for kill in range(kills):
        data_dir = tmp_path / f"data{kill}"
        start = processes.Barrier(2)
        child = processes.Process(target=_ingest, args=(data_dir, scan, start))
        child.start()
        start.wait()
        time.sleep(rng.uniform(0.0, 1.3 * whole_s))
        child.kill()
        child.join()
        outcomes.append(assert_nothing_or_all(data_dir))
        result = ScanStore(data_dir).ingest(scan)
        assert result.status == ("already known" if outcomes[-1] else "ingested")
        assert (result.rows, result.sequence) == (ROWS, 1)
        assert assert_nothing_or_all(data_dir) == 1
        left = {path.name.removeprefix(str(result.md5)) for path in (data_dir / "scans").iterdir()}
        assert left == {".lock", ".csv", ".points.parquet", ".json"}
    assert 0 in outcomes


def test_files_of_a_publication_killed_before_its_manifest_do_not_outlive_the_next(tmp_path: Path) -> None:
    path = write_scan(tmp_path / "a.csv", twin_points(10))
    store = ScanStore(tmp_path / "data")
    md5 = store.ingest(path).md5
    (tmp_path / "data" / "scans" / f"{md5}.json").unlink()  # as if killed right before it
    store.rejects_path(str(md5)).write_bytes(b"of a reading with other options")
    assert store.kept() == []
    assert store.ingest(path).status == "ingested"
    assert not store.rejects_path(str(md5)).exists()


def test_two_processes_with_the_same_file_end_with_one_scan(scan: Path, tmp_path: Path) -> None:
    start = processes.Barrier(2)
    options = (ScanOptions(), ScanOptions(angle_unit="rad"))
    children = [processes.Process(target=_ingest, args=(tmp_path, scan, start, each)) for each in options]
    for child in children:
        child.start()
    for child in children:
        child.join(60)
    assert [child.exitcode for child in children] == [0, 0]
    assert assert_nothing_or_all(tmp_path) == 1


def test_scans_ingested_at_once_get_numbers_of_their_own(tmp_path: Path) -> None:
    count = 8
    start = processes.Barrier(count)
    paths = [write_scan(tmp_path / f"{k}.csv", twin_points(50, seed=k)) for k in range(count)]
    children = [processes.Process(target=_ingest, args=(tmp_path / "data", path, start)) for path in paths]
    for child in children:
        child.start()
    for child in children:
        child.join(60)
    kept = ScanStore(tmp_path / "data").kept()
    assert [scan.sequence for scan in kept] == list(range(1, count + 1))
    assert {scan.file for scan in kept} == {path.name for path in paths}
    assert not list((tmp_path / "data" / "scans").glob(".ingest-*"))
