"""The table as the lookup holds it: one version's rows in columns, never changed."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lib.lookup.blocks import Blocks, Part
from lib.lookup.column import Column

__all__ = ["Column", "Table"]

Prepared = TypeVar("Prepared")

# A night asks one or two kinds of question, a person's sweep a few.
_KINDS_KEPT = 8


class Table:
    """One version's rows.

    A position in ``points``, ``fk_rows`` and every ``column`` is one row's; a row's number is its
    ``fk_row``. A table that was opened has its rows in the order of the index, and reads them when
    they are first asked for: a lookup needs few of them, ``points`` all.
    """

    def __init__(self, blocks: Blocks, version: int | None = None) -> None:
        self.blocks = blocks
        self.version = version
        """Version the rows are of, None where they came from elsewhere."""
        self._prepared: OrderedDict[Hashable, Any] = OrderedDict()

    @classmethod
    def open(cls, data_dir: Path, version: int | None = None) -> Table:
        """Open a version of a data folder, the current one unless named.

        Raises BadInput where there is no table yet or no such version.
        """
        from lib.lookup.index.opening import open_parts

        number, parts = open_parts(data_dir, version)
        return cls(Blocks.joined(parts), number)

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
        return cls(Blocks.in_order(np.ascontiguousarray(cells.T), numbers), version)

    @classmethod
    def staged(cls, parent: Sequence[Part], added: Part) -> tuple[Table, Table]:
        """Return two tables that share their memory: without the rows that were added, and with them."""
        after = Blocks.joined([*parent, added])
        return cls(after.before_last_part()), cls(after)

    def __len__(self) -> int:
        return len(self.blocks.fk_rows)

    @property
    def points(self) -> NDArray[np.float64]:
        """Tip [m] and joints [deg] of each row, of shape (n, 9), stored column by column."""
        self.blocks.load_all()
        return _frozen(self.blocks.columns.T)

    @property
    def fk_rows(self) -> NDArray[np.int64]:
        """Number of each row, of shape (n,)."""
        self.blocks.load_all()
        return _frozen(self.blocks.fk_rows)

    def prepared(self, kind: Hashable, prepare: Callable[[], Prepared]) -> Prepared:
        """Return what was prepared for a kind of question, anew unless it is among the last few asked."""
        known: Prepared | None = self._prepared.pop(kind, None)
        known = prepare() if known is None else known
        self._prepared[kind] = known
        while len(self._prepared) > _KINDS_KEPT:
            self._prepared.popitem(last=False)
        return known

    def column(self, column: Column) -> NDArray[np.float64]:
        """Return one column of shape (n,), contiguous."""
        self.blocks.load_all()
        return _frozen(self.blocks.columns[column])


def _frozen(array: NDArray[Any]) -> NDArray[Any]:
    view = array.view()
    view.flags.writeable = False
    return view
