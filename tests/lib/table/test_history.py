"""Going back is choosing a smaller number; nothing is deleted and no number is used twice."""

from __future__ import annotations

import numpy as np
import pytest

from lib.errors import BadInput
from lib.lookup import Table
from lib.settings import Settings
from lib.table import difference, history, pending_scans, rollback, where
from tests.lib.table.conftest import Ingest, measured, merged, poses


@pytest.fixture
def table(settings: Settings, ingest: Ingest) -> Settings:
    for seed, name in enumerate(("a.csv", "b.csv")):
        merged(settings, ingest(settings, name, measured(poses(200, seed))))
    return settings


def test_back_and_forward_again(table: Settings) -> None:
    whole = Table.open(table.data_dir)
    assert rollback(table, 1) == (2, 1)
    assert len(Table.open(table.data_dir).points) == 200
    assert rollback(table, 2) == (1, 2)
    assert np.array_equal(Table.open(table.data_dir).points, whole.points)
    assert history(table.data_dir)[1] == 2


def test_a_rolled_back_scan_is_not_pending_again(table: Settings) -> None:
    rollback(table, 1)
    assert pending_scans(table) == []


def test_a_merge_after_a_rollback_branches_and_uses_no_number_twice(table: Settings, ingest: Ingest) -> None:
    old = Table.open(table.data_dir)
    rollback(table, 1)
    merged(table, ingest(table, "c.csv", measured(poses(50, seed=7))))
    branch = Table.open(table.data_dir)
    assert sorted(branch.fk_rows.tolist()) == [*range(200), *range(400, 450)]
    assert np.array_equal(Table.open(table.data_dir, 2).points, old.points)
    found = difference(table, 2, 3)
    assert (found.only_of_rows, found.only_to_rows) == (200, 50)


def test_a_version_there_is_not_is_refused_naming_those_there_are(table: Settings) -> None:
    for ask in (lambda: rollback(table, 9), lambda: difference(table, 1, 9)):
        with pytest.raises(BadInput, match="no table version 9; there are: 1, 2"):
            ask()
    assert history(table.data_dir)[1] == 2


def test_a_row_knows_the_line_it_was_scanned_on(table: Settings) -> None:
    points = measured(poses(200, seed=1))
    found = where(table.data_dir, 317)
    assert (found.scan_file, found.line, found.version, found.in_current) == ("b.csv", 119, 2, True)
    assert list(found.point.values()) == points[117].tolist()
    rollback(table, 1)
    assert not where(table.data_dir, 317).in_current
    with pytest.raises(BadInput, match="no row 400; the table's rows are 0 to 399"):
        where(table.data_dir, 400)
