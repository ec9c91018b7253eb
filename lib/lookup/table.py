"""The table as the lookup holds it: frozen columns in memory, rows in the order of their numbers."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lib.errors import BadInput


class Column(IntEnum):
    """The columns of a point, in their order."""

    EE_X = 0
    EE_Y = 1
    EE_Z = 2
    J0 = 3
    J1 = 4
    J2 = 5
    J3 = 6
    J4 = 7
    J5 = 8


@dataclass(frozen=True, eq=False)
class Table:
    """One version's rows, read once and never changed."""

    points: NDArray[np.float64]
    """Tip [m] and joints [deg] of each row, of shape (n, 9), stored column by column."""
    fk_rows: NDArray[np.int64]
    """Number of each row, of shape (n,), ascending."""
    version: int | None = None
    """Version the rows are of, None where they came from elsewhere."""

    @classmethod
    def open(cls, data_dir: Path, version: int | None = None) -> Table:
        """Read a version from a data folder, the current one unless named.

        Raises BadInput where there is no table yet or no such version.
        """
        from lib.runlog import fk_file  # DuckDB, only where a file is read

        with fk_file.open_read(data_dir) as con:
            if version is None:
                version = fk_file.current_version(con)
            if version is None:
                raise BadInput(
                    f"no table version yet in {fk_file.path(data_dir)}; ingest a scan with `nightpick scan "
                    "ingest FILE`, then `nightpick table merge`"
                )
            fk_rows, points = fk_file.read_points(con, version)
        return cls.from_points(points, fk_rows, version)

    @classmethod
    def from_points(
        cls, points: ArrayLike, fk_rows: ArrayLike | None = None, version: int | None = None
    ) -> Table:
        """Build a table from points (n, 9); rows are numbered from 0 unless ``fk_rows`` (n,) is given.

        Rows are put in the order of their numbers. Raises ValueError for another shape, a number
        given twice, or a value that is not finite.
        """
        cells = np.asarray(points, dtype=np.float64)
        if cells.ndim != 2 or cells.shape[1] != len(Column):
            raise ValueError(f"points have shape {cells.shape}; expected (n, {len(Column)})")
        numbers = np.arange(len(cells)) if fk_rows is None else np.asarray(fk_rows, dtype=np.int64)
        if numbers.shape != (len(cells),):
            raise ValueError(f"{len(cells)} points but fk_rows of shape {numbers.shape}")
        if not np.isfinite(cells.sum()):
            raise ValueError("points hold a value that is not finite")
        if np.any(np.diff(numbers) <= 0):
            order = np.argsort(numbers, kind="stable")
            numbers, cells = numbers[order], cells[order]
            if np.any(np.diff(numbers) == 0):
                raise ValueError("fk_rows name a row twice")
        return cls(_frozen(np.asfortranarray(cells)), _frozen(numbers), version)

    def __len__(self) -> int:
        return len(self.fk_rows)

    def column(self, column: Column) -> NDArray[np.float64]:
        """Return one column of shape (n,), contiguous."""
        return self.points[:, column]


def _frozen(array: NDArray[Any]) -> NDArray[Any]:
    view = array.view()
    view.flags.writeable = False
    return view
