"""A segment's file: a header that proves itself, then the blocks, each proven when it is first read.

    16 bytes   MAGIC
    16 bytes   the span's key: what it was made of
     8 bytes   rows
    9 x blocks float64 smallest values, 9 x blocks float64 largest values
    16 x blocks bytes  md5 of each block
    16 bytes   md5 of all of the above
    blocks     nine float64 columns and int64 row numbers of 128 rows each, the last one shorter

All little-endian. A block's columns stand together, so that one read brings it. It is read, not
mapped: a file that is cut short under a running process is an error here, not the process's end.
"""

from __future__ import annotations

import os
import weakref
from hashlib import md5
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lib.lookup.blocks import BLOCK_ROWS
from lib.lookup.column import COLUMNS
from lib.lookup.index.segment import Segment
from lib.lookup.index.span import Span
from lib.lookup.index.unfinished import unfinished
from lib.lookup.zones import Zones

MAGIC = b"nightpick index\n"
_ROW_BYTES = (COLUMNS + 1) * 8
_BLOCK_BYTES = BLOCK_ROWS * _ROW_BYTES
_ZONE_BYTES = 2 * COLUMNS * 8
_MD5_BYTES = 16


class Damaged(Exception):
    """A segment's file is not what was written."""


class SegmentFile:
    """A segment that stays in its file until a block is asked for."""

    def __init__(self, path: Path, span: Span) -> None:
        """Open a file and prove its header.

        Raises OSError where it cannot be read, Damaged where it is not this span's segment, whole.
        """
        self.path = path
        self.span = span
        self.rows = span.rows
        self._file = os.open(path, os.O_RDONLY)
        weakref.finalize(self, os.close, self._file)
        blocks = -(-self.rows // BLOCK_ROWS)
        header = os.pread(self._file, _header_bytes(blocks), 0)
        if os.fstat(self._file).st_size != _header_bytes(blocks) + self.rows * _ROW_BYTES:
            raise Damaged(path)
        told, proof = header[:-_MD5_BYTES], header[-_MD5_BYTES:]
        if _md5(told) != proof or not told.startswith(_preamble(span)):
            raise Damaged(path)
        sides = np.frombuffer(told, "<f8", 2 * COLUMNS * blocks, len(_preamble(span)))
        lows, highs = sides.astype(np.float64).reshape(2, COLUMNS, blocks)
        self.zones = Zones(lows, highs)
        self._digests = told[len(told) - blocks * _MD5_BYTES :]
        self._first_block = len(header)

    def read_block(self, block: int) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Return a block's columns (9, m) and row numbers (m,); raises Damaged where it is not proven."""
        rows = min(BLOCK_ROWS, self.rows - block * BLOCK_ROWS)
        found = os.pread(self._file, rows * _ROW_BYTES, self._first_block + block * _BLOCK_BYTES)
        if _md5(found) != self._digests[block * _MD5_BYTES : (block + 1) * _MD5_BYTES]:
            raise Damaged(self.path)
        columns = np.frombuffer(found, "<f8", COLUMNS * rows).reshape(COLUMNS, rows)
        return columns, np.frombuffer(found, "<i8", rows, COLUMNS * rows * 8)


def write_segment(path: Path, span: Span, segment: Segment) -> None:
    """Write a segment's file; raises OSError where that fails."""
    blocks = range(-(-segment.rows // BLOCK_ROWS))
    with unfinished(path) as file:
        digests = bytearray()
        file.seek(_header_bytes(len(blocks)))
        for block in blocks:
            content = segment.block_bytes(block)
            digests += _md5(content)
            file.write(content)
        sides = (side.astype("<f8").tobytes() for side in (segment.zones.lows, segment.zones.highs))
        told = b"".join([_preamble(span), *sides, digests])
        file.seek(0)
        file.write(told + _md5(told))


def _header_bytes(blocks: int) -> int:
    return len(MAGIC) + _MD5_BYTES + 8 + blocks * (_ZONE_BYTES + _MD5_BYTES) + _MD5_BYTES


def _preamble(span: Span) -> bytes:
    return MAGIC + span.key + span.rows.to_bytes(8, "little")


def _md5(content: bytes) -> bytes:
    return md5(content, usedforsecurity=False).digest()
