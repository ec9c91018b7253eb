"""A disk that is full or read-only: one line, exit code 2, nothing changed, nothing half left."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from flows.cli import main
from lib.runlog import run_log
from lib.scan import COLUMNS
from tests.small_disk import SmallDisk, refusal, small_disk

LOG54 = Path(__file__).parents[1] / "data" / "log54"
MERGE = ("table", "merge", "--accept-audit", "self_consistency", "--reason", "made up")


@pytest.fixture(scope="module")
def data_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with a table of two versions, and a scan that waits to be merged."""
    folder = tmp_path_factory.mktemp("prepared") / "data"
    waiting = folder.parent / "waiting.csv"
    waiting.write_text("ee_x,ee_y,ee_z,j0,j1,j2,j3,j4,j5\n-0.1,0.1,0.1,36,57,25,-7,-86,-30\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NIGHTPICK_DATA_DIR", str(folder))
        for scan in (LOG54 / "rows_before.csv", LOG54 / "rows_scan.csv", waiting):
            assert main(["scan", "ingest", str(scan)]) == 0
            if scan is not waiting:
                assert main(["table", "merge"]) == 0
    run_log(folder).close()
    return folder


@pytest.fixture
def disk(tmp_path: Path, data_dir: Path) -> Iterator[SmallDisk]:
    """A disk with that data folder on it."""
    with small_disk(tmp_path / "disk", 16_000) as disk:
        assert disk.run("cp", "-r", str(data_dir), ".").returncode == 0
        yield disk


# Nothing; room for the lock; not enough for the copy of the table; for the copy and not what is added.
@pytest.mark.parametrize(
    "free_kib", [0, 1_000, *(pytest.param(k, marks=pytest.mark.slow) for k in (8, 3_590))]
)
def test_a_merge_on_a_full_disk_leaves_the_table_as_it_was(disk: SmallDisk, free_kib: int) -> None:
    before = disk.content()
    disk.leave_free(free_kib)
    said = refusal(disk.nightpick(*MERGE, "--json"))
    assert said == (
        f"{disk.folder}/data: no space left on the disk; the table is as it was; make room, then try again"
    )
    assert disk.content() == before
    disk.leave_free(8_000)
    assert disk.nightpick(*MERGE).returncode == 0
    assert disk.nightpick("table", "verify").returncode == 0


def commands(disk: SmallDisk) -> dict[str, tuple[tuple[str, ...], str]]:
    """Return every command that writes, with the place that its refusal names."""
    data = disk.folder / "data"
    return {
        "merge": (MERGE, f"{data}"),
        "rollback": (("table", "rollback", "1"), f"{data}"),
        "init": (("init",), f"{disk.folder}/nightpick.toml: cannot be written"),
        "map": (("table", "map", "reach.svg"), "reach.svg: cannot be written"),
        "figure": (("lookup", "place", "-0.17", "0.19", "--figure", "x.svg"), "x.svg: cannot be written"),
        "night": (("night",), f"{data}"),
        "up": (("up",), f"{data}/prefect"),
    }


def test_every_command_says_that_the_disk_is_full_and_leaves_nothing_half(disk: SmallDisk) -> None:
    disk.leave_free(0)
    before = disk.content()
    for name in ("merge", "rollback", "init", "map", "figure", "night", "up"):
        command, place = commands(disk)[name]
        said = refusal(disk.nightpick(*command, "--json"))
        assert said.startswith(place) and "no space left on the disk" in said, said
    exported = disk.nightpick("table", "export", "x.csv", "x.parquet", "x.npz")
    assert exported.returncode == 2
    assert exported.stderr.count("not written: no space left on the disk") == 3
    ingested = disk.nightpick("scan", "ingest", str(LOG54 / "rows_scan.csv.other"))
    assert (ingested.returncode, ingested.stderr.count("\n")) == (2, 1)
    after = disk.content()
    assert after == before
    assert disk.nightpick("table", "verify").returncode == 0
    assert disk.nightpick("lookup", "place", "-0.17", "0.1899").returncode == 0


@pytest.mark.slow
def test_every_command_says_that_the_disk_is_read_only(disk: SmallDisk) -> None:
    before = disk.content()
    disk.make_read_only()
    for name in ("merge", "rollback", "init", "map", "figure", "night", "up"):
        command, place = commands(disk)[name]
        said = refusal(disk.nightpick(*command, "--json"))
        assert said.startswith(place) and "the disk is read-only" in said, said
    exported = disk.nightpick("table", "export", "x.csv")
    assert (exported.returncode, exported.stderr.count("not written: the disk is read-only")) == (2, 1)
    for reading in (("table", "verify"), ("lookup", "place", "-0.17", "0.1899"), ("sql", "FROM fk_version")):
        assert disk.nightpick(*reading).returncode == 0
    assert disk.content() == before


def test_a_full_folder_for_temporary_files_is_named(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", 1_000) as disk:
        disk.leave_free(8)  # with less, Python takes another folder for its temporary files
        scan = tmp_path / "scan.parquet"
        columns = ", ".join(f"random() AS {name}" for name in COLUMNS)
        duckdb.sql(f"COPY (SELECT {columns} FROM range(2000)) TO '{scan}'")
        done = disk.run(
            sys.executable, "-m", "flows.cli", "scan", "ingest", str(scan), "--json",
            TMPDIR=str(disk.folder), NIGHTPICK_DATA_DIR=str(tmp_path / "data"),
        )  # fmt: skip
        assert refusal(done) == f"{disk.folder}: no space left on the disk; make room, then try again"
