"""The table in memory is frozen, ordered by row number, and opened from the data folder."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from lib.errors import BadInput
from lib.lookup import Table
from lib.lookup.table import Column
from lib.scan import COLUMNS


def test_columns_are_named_as_a_scans() -> None:
    assert tuple(column.name.lower() for column in Column) == COLUMNS


def test_rows_are_frozen_and_stand_in_the_order_of_their_numbers() -> None:
    points = np.arange(27.0).reshape(3, 9)
    table = Table.from_points(points, [7, 2, 5])
    assert table.fk_rows.tolist() == [2, 5, 7]
    assert table.points[:, 0].tolist() == [9.0, 18.0, 0.0]
    assert table.column(Column.J5).flags.c_contiguous
    with pytest.raises(ValueError, match="read-only"):
        table.points[0, 0] = 1.0
    with pytest.raises(ValueError, match="read-only"):
        table.fk_rows[0] = 1


def test_columns_read_from_the_file_are_not_copied() -> None:
    by_column = np.zeros((9, 4)).T
    assert np.shares_memory(Table.from_points(by_column).points, by_column)


@pytest.mark.parametrize(
    ("points", "fk_rows", "message"),
    [
        (np.zeros((2, 6)), None, r"points have shape \(2, 6\); expected \(n, 9\)"),
        (np.zeros((2, 9)), [1], r"2 points but fk_rows of shape \(1,\)"),
        (np.zeros((2, 9)), [1, 1], "fk_rows name a row twice"),
        (np.full((1, 9), np.nan), None, "not finite"),
    ],
)
def test_what_is_no_table_is_refused(points: np.ndarray, fk_rows: list[int] | None, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Table.from_points(points, fk_rows)


def test_a_folder_without_a_table_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"no table yet.*`nightpick table merge`"):
        Table.open(tmp_path)
