"""What a set of points is, as one md5 that can be extended without reading the old rows again.

The rows are cut into blocks of 65,536; each block has the md5 of its little-endian float64 bytes, row
by row; the content md5 is the md5 of ``rows=<n>\\n`` followed by the raw block digests, the last of
which may cover fewer rows. Extending needs the digests of the full blocks and the rows behind them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

COLUMNS = ("ee_x", "ee_y", "ee_z", "j0", "j1", "j2", "j3", "j4", "j5")
BLOCK_ROWS = 65_536

Points = NDArray[np.float64]


def content_md5(points: Points) -> str:
    """Return the content md5 of ``points``, of shape (n, 9), as 32 hexadecimal digits."""
    digest = ContentDigest()
    digest.update(points)
    return digest.hexdigest()


class ContentDigest:
    """The content md5 of rows 0..n-1, ready to take row n.

    To go on from a stored state, give the 16-byte digests of its full blocks and the rows behind
    them, of shape (t, 9) with t below 65,536. Both come from ``full_blocks`` and ``tail``.
    """

    def __init__(self, full_blocks: Sequence[bytes] = (), tail: Points | None = None) -> None:
        self._full_blocks = list(full_blocks)
        tail = np.empty((0, len(COLUMNS))) if tail is None else tail
        _check_shape(tail)
        self._tail = _canonical(tail)
        if len(self._tail) >= BLOCK_ROWS:
            raise ValueError(f"a tail holds fewer than {BLOCK_ROWS} rows, found {len(self._tail)}")
        if any(len(block) != hashlib.md5().digest_size for block in self._full_blocks):
            raise ValueError("a block digest is 16 bytes")

    @property
    def rows(self) -> int:
        """How many rows the digest covers."""
        return len(self._full_blocks) * BLOCK_ROWS + len(self._tail)

    @property
    def full_blocks(self) -> tuple[bytes, ...]:
        """The md5 of every full block, 16 bytes each, in row order."""
        return tuple(self._full_blocks)

    @property
    def tail(self) -> Points:
        """The rows behind the last full block, of shape (t, 9)."""
        return self._tail.copy()

    def update(self, points: Points) -> None:
        """Append ``points``, of shape (n, 9)."""
        _check_shape(points)
        missing = BLOCK_ROWS - len(self._tail)
        if len(points) < missing:
            self._tail = np.concatenate((self._tail, _canonical(points)))
            return
        self._full_blocks.append(_block_md5(np.concatenate((self._tail, points[:missing]))))
        for start in range(missing, len(points) - BLOCK_ROWS + 1, BLOCK_ROWS):
            self._full_blocks.append(_block_md5(points[start : start + BLOCK_ROWS]))
        left = (len(points) - missing) % BLOCK_ROWS
        self._tail = _canonical(points[len(points) - left :])

    def hexdigest(self) -> str:
        """Return the content md5 so far as 32 hexadecimal digits; more rows may follow."""
        outer = hashlib.md5(b"rows=%d\n" % self.rows)
        outer.update(b"".join(self._full_blocks))
        if len(self._tail):
            outer.update(_block_md5(self._tail))
        return outer.hexdigest()


def _check_shape(points: Points) -> None:
    if points.ndim != 2 or points.shape[1] != len(COLUMNS):
        raise ValueError(f"points have shape (n, {len(COLUMNS)}), found {points.shape}")


def _canonical(rows: Points) -> Points:
    """Return a copy whose equal values have equal bytes: -0.0 is 0.0, little-endian on every machine."""
    return np.ascontiguousarray(rows, dtype="<f8") + 0.0


def _block_md5(rows: Points) -> bytes:
    return hashlib.md5(_canonical(rows).data).digest()
