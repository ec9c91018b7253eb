"""A merge leaves the index of what it published, and its audits look up by it."""

from __future__ import annotations

import os

import numpy as np
import pytest

from lib.lookup import Table
from lib.lookup.index import Segment, open_parts
from lib.runlog import fk_file
from lib.settings import Settings
from lib.table import rollback
from lib.table.effect import compare
from tests.lib.table.conftest import Ingest, measured, merged, poses


def segments(settings: Settings) -> set[str]:
    return {path.name.split("-")[0] for path in (settings.data_dir / "index").glob("*.seg")}


@pytest.fixture
def table(settings: Settings, ingest: Ingest) -> Settings:
    merged(settings, ingest(settings, "a.csv", measured(poses(2_000))))
    merged(settings, ingest(settings, "b.csv", measured(poses(300, seed=1))))
    return settings


def without_the_table(settings: Settings) -> None:
    """Spoil the table file but not what the index knows it by, so that only the index can answer."""
    path = fk_file.path(settings.data_dir)
    found = path.stat()
    path.write_bytes(b"\0" * found.st_size)
    os.utime(path, ns=(found.st_atime_ns, found.st_mtime_ns))


def test_after_a_merge_a_lookup_needs_the_index_only(table: Settings) -> None:
    with fk_file.open_read(table.data_dir) as con:
        fk_rows, points = fk_file.read_points(con, 2)
    without_the_table(table)
    opened = Table.open(table.data_dir)
    order = np.argsort(opened.fk_rows)
    assert opened.version == 2
    assert np.array_equal(opened.fk_rows[order], fk_rows)
    assert np.array_equal(opened.points[order], points)


def test_after_a_rollback_too(table: Settings) -> None:
    rollback(table, 1)
    without_the_table(table)
    assert (Table.open(table.data_dir).version, len(Table.open(table.data_dir))) == (1, 2_000)


def test_a_merge_that_publishes_nothing_leaves_the_index_alone(table: Settings, ingest: Ingest) -> None:
    before = segments(table)
    merged(table, ingest(table, "c.csv", measured(poses(300, seed=2))), dry_run=True)
    assert segments(table) == before == {"1", "2"}
    assert Table.open(table.data_dir).version == 2


def test_versions_of_a_size_come_to_share_a_segment(table: Settings, ingest: Ingest) -> None:
    merged(table, ingest(table, "c.csv", measured(poses(300, seed=2))))
    # Version 3 has the rows of 2 and 3 in one; its parent's stays for the comparison of the two.
    assert segments(table) == {"1", "2", "3"}
    assert [part.rows for part in open_parts(table.data_dir, 3)[1]] == [2_000, 600]
    merged(table, ingest(table, "d.csv", measured(poses(2_000, seed=3))))
    assert [part.rows for part in open_parts(table.data_dir, 4)[1]] == [4_600]
    assert segments(table) == {"1", "3", "4"}


def test_the_effect_is_what_two_plain_tables_show(table: Settings) -> None:
    with fk_file.open_read(table.data_dir) as con:
        fk_rows, points = fk_file.read_points(con, 2)
    plain = compare(
        table, Table.from_points(points[:2_000], fk_rows[:2_000]), Table.from_points(points, fk_rows)
    )
    added = Segment.of(points[2_000:].T.copy(), fk_rows[2_000:].copy())
    _, parent = open_parts(table.data_dir, 1)
    assert compare(table, *Table.staged(parent, added)) == plain
    assert plain.count("improved") and plain.count("unchanged")
