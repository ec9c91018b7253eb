"""A table opened by its index is the table that was published, and the database is asked only once."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from lib.errors import BadInput
from lib.lookup import Table, place
from lib.lookup.column import Column
from lib.lookup.index import renew
from tests.lib.lookup import crowded
from tests.lib.lookup.index.published import answers, change, publish, rows_of, segments, straight

ROOT = Path(__file__).parents[4]


@pytest.fixture
def data_dir(tmp_path: Path) -> Path:
    """A folder whose version 3 has two segments: one of 5,000 rows, one of 1,500."""
    random = np.random.default_rng(0)
    folder = tmp_path / "data"
    parent = None
    for rows in (5_000, 1_000, 500):
        parent = publish(folder, crowded.points(random, rows), parent)
    return folder


def test_the_rows_and_answers_are_the_published_ones(data_dir: Path) -> None:
    for version in (None, 3, 2, 1):
        expected = straight(data_dir, version or 3)
        for _ in ("built", "from its files"):
            table = Table.open(data_dir, version)
            assert len(table) == len(expected) and table.version == expected.version
            assert answers(table) == answers(expected)
            assert np.array_equal(rows_of(table), rows_of(expected))
    assert [name[0] for name in segments(data_dir)] == ["1", "2", "3"]


def test_a_lookup_reads_only_some_blocks_of_its_files(data_dir: Path) -> None:
    Table.open(data_dir)
    table = Table.open(data_dir)
    assert place(table, -0.17, 0.19) == place(straight(data_dir, 3), -0.17, 0.19)
    read = np.count_nonzero(table.blocks.columns[Column.J0])
    assert 0 < read < 0.8 * len(table)
    assert np.count_nonzero(table.column(Column.J0)) == len(table)


def test_once_built_the_index_is_opened_without_the_database(data_dir: Path) -> None:
    Table.open(data_dir)
    program = (
        "import sys, json; from pathlib import Path; from lib.lookup import Table, place;"
        f"found = place(Table.open(Path({str(data_dir)!r})), -0.17, 0.19, guard_m=1.0);"
        "print(json.dumps([found.fk_row, sorted({m.partition('.')[0] for m in sys.modules})]))"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, check=True)
    row, modules = json.loads(done.stdout)
    assert row == place(straight(data_dir, 3), -0.17, 0.19, guard_m=1.0).fk_row
    assert not {"duckdb", "pandas", "scipy"} & set(modules)


def test_a_version_published_since_is_seen_and_what_still_fits_is_kept(data_dir: Path) -> None:
    Table.open(data_dir)
    before = {path.name: path.stat().st_mtime_ns for path in (data_dir / "index").glob("*.seg")}
    publish(data_dir, crowded.points(np.random.default_rng(9), 300), 3)
    table = Table.open(data_dir)
    assert table.version == 4 and answers(table) == answers(straight(data_dir, 4))
    kept = {path.name: path.stat().st_mtime_ns for path in (data_dir / "index").glob("*.seg")}
    assert [kept[name] for name in before] == list(before.values())


def test_going_back_to_a_version_is_seen(data_dir: Path) -> None:
    Table.open(data_dir)
    change(data_dir, "UPDATE fk_current SET version = 1")
    assert Table.open(data_dir).version == 1
    assert answers(Table.open(data_dir)) == answers(straight(data_dir, 1))


def test_a_branch_has_its_own_rows_under_their_own_numbers(data_dir: Path) -> None:
    Table.open(data_dir)
    branch = publish(data_dir, crowded.points(np.random.default_rng(4), 200), 1)
    table = Table.open(data_dir)
    assert table.version == branch == 4
    assert np.array_equal(rows_of(table), rows_of(straight(data_dir, branch)))
    assert set(table.fk_rows) == {*range(5_000), *range(6_500, 6_700)}


@pytest.mark.parametrize("rows", [0, 1, 127, 128, 129, 600])
def test_a_table_of_any_size_opens(tmp_path: Path, rows: int) -> None:
    points = crowded.points(np.random.default_rng(rows), 1_000)[:rows]
    publish(tmp_path, points)
    publish(tmp_path, points[:1], 1)
    for version in (1, 2, 1, 2):
        table, expected = Table.open(tmp_path, version), straight(tmp_path, version)
        assert answers(table) == answers(expected)
        assert np.array_equal(rows_of(table), rows_of(expected))


def test_a_table_of_equal_rows_gives_the_first(tmp_path: Path) -> None:
    publish(tmp_path, np.tile([-0.17, 0.1, 0.19, *crowded.REFERENCE], (2_000, 1)))
    for _ in range(2):
        found = {result.fk_row for result in answers(Table.open(tmp_path))}
        assert found == {0, None}


def test_a_version_that_is_not_there_is_refused_by_those_there_are(data_dir: Path) -> None:
    Table.open(data_dir)
    with pytest.raises(BadInput, match="no table version 7; there are: 1, 2, 3"):
        Table.open(data_dir, 7)


def test_a_table_file_gone_since_is_said_to_be_gone(data_dir: Path) -> None:
    Table.open(data_dir)
    (data_dir / "fk.duckdb").unlink()
    with pytest.raises(BadInput, match="no table yet"):
        Table.open(data_dir)


def test_the_index_of_versions_no_longer_used_is_removed(data_dir: Path) -> None:
    for version in (1, 2, 3):
        Table.open(data_dir, version)
    unused = data_dir / "index" / "9-0123456789ab.seg"
    unfinished = data_dir / "index" / "9-0123456789ab.seg.77-deadbeef.part"
    for left in (unused, unfinished):
        left.write_bytes(b"left by a process that was killed")
    renew(data_dir)
    assert not unused.exists() and not unfinished.exists()
    assert [name[0] for name in segments(data_dir)] == ["1", "2", "3"]
    change(data_dir, "UPDATE fk_current SET version = 1")
    renew(data_dir)
    assert [name[0] for name in segments(data_dir)] == ["1"]
