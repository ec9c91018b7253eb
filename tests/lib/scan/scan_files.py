"""Scan files as tests write them: a table of texts, a dialect, a file."""

from __future__ import annotations

import codecs
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from lib.scan import COLUMNS

ACCEPT = Path(__file__).parents[3] / "../shared/accept/scans"
BYTE_ORDER_MARKS = {
    "utf-8": b"",
    "utf-8-sig": codecs.BOM_UTF8,
    "utf-16-le": codecs.BOM_UTF16_LE,
    "utf-16-be": codecs.BOM_UTF16_BE,
}


def twin_points(rows: int, seed: int = 0) -> np.ndarray:
    """Return points (rows, 9) as a twin's file holds them: float32 tips, joints with four decimals."""
    rng = np.random.default_rng(seed)
    tips = rng.uniform(-0.4, 0.4, (rows, 3)).astype(np.float32)
    joints = np.round(rng.uniform(-170, 170, (rows, 6)), 4)
    return np.hstack([[[float(str(value)) for value in row] for row in tips], joints]).reshape(rows, 9)


def texts_of(points: np.ndarray) -> list[list[str]]:
    """Return the header and the rows as cells, every number in its shortest exact form."""
    return [list(COLUMNS), *([repr(value) for value in row] for row in points.tolist())]


def encoded(
    table: Sequence[Sequence[str]],
    delimiter: str = ",",
    decimal_mark: str = ".",
    line_end: str = "\n",
    encoding: str = "utf-8",
) -> bytes:
    """Return a table of texts as a file's bytes."""
    header, *rows = [delimiter.join(cells) for cells in table]
    lines = [header, *(row.replace(".", decimal_mark) for row in rows)]
    text = line_end.join(lines) + line_end
    return BYTE_ORDER_MARKS[encoding] + text.encode(encoding.removesuffix("-sig"))


def write_scan(path: Path, points: np.ndarray) -> Path:
    """Write a plain scan file."""
    path.write_bytes(encoded(texts_of(points)))
    return path
