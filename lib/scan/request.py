"""The scan request: base poses for the twin, and the grid it makes of each.

A text of one pose a line, six joints in degrees, separated by commas (or semicolons or tabs, then
also with decimal commas); a header ``j0,...,j5`` and lines that begin with ``#`` may be there. The
comment ``# exact poses`` before the first pose says that the poses are meant as they are, one row
each; without it every pose is the base of a 7^5 grid.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lib.errors import Problem
from lib.scan.content import COLUMNS
from lib.scan.dialect import DELIMITERS, plain_text
from lib.scan.header import normalised
from lib.scan.number import COMMA, POINT, read_number, why_not_a_number
from lib.scan.refusal import ScanRefused, Unreadable, shown
from lib.scan.repeats import count_repeats
from lib.scan.source import file_bytes, unpacked

JOINTS = COLUMNS[3:]
GRID_JOINTS = 5  # j0..j4 are varied, j5 stays
OFFSETS_DEG = np.arange(-15, 16, 5, dtype=np.float32)
ROWS_PER_BASE = len(OFFSETS_DEG) ** GRID_JOINTS
GRID_HALF_WIDTH_DEG = (float(OFFSETS_DEG[-1]),) * GRID_JOINTS + (0.0,)
"""How far from its base a grid reaches, joint by joint [deg]."""
STORED_DECIMALS = 4  # what the twin writes of a joint angle
SIDECAR = ".request.csv"
EXACT = "# exact poses"

_EXACT = re.compile(r"#\s*exact(?: poses?)?\s*", re.IGNORECASE)
_SCAN_SUFFIX = re.compile(r"(?:\.csv|\.txt|\.tsv|\.parquet)?(?:\.gz)?$", re.IGNORECASE)
_ADVICE = "a scan request has one pose a line, six joints in degrees"

Poses = NDArray[np.float64]


@dataclass(frozen=True)
class ScanRequest:
    """What the twin is asked to scan: ``bases`` of shape (b, 6) in degrees.

    ``exact``: the poses are meant as they are; else each is expanded to its grid. ``lines`` tells each
    pose's line in the file it was read from; empty where it comes from no file.
    """

    bases: Poses
    exact: bool
    lines: tuple[int, ...] = ()

    @property
    def expected_rows(self) -> int:
        """How many rows the scan must have."""
        return len(self.bases) * (1 if self.exact else ROWS_PER_BASE)

    def poses(self) -> Poses:
        """Return every pose as the twin stores it, of shape (expected_rows, 6), in scan order."""
        return as_stored(self.bases if self.exact else expand(self.bases))

    def distinct_poses(self) -> int:
        """Return how many of the poses differ as stored: the rest of the scanning is done twice."""
        return self.expected_rows - count_repeats(self.poses())


def expand(bases: Poses) -> NDArray[np.float32]:
    """Return the twin's grid around each base, of shape (b * 16,807, 6), in its own float32 arithmetic.

    ``bases`` has shape (b, 6); j0..j4 get offsets -15..+15 degrees in steps of 5, nested with j0
    outermost; j5 stays.
    """
    grid = np.meshgrid(*[OFFSETS_DEG] * GRID_JOINTS, indexing="ij")
    offsets = np.zeros((ROWS_PER_BASE, len(JOINTS)), dtype=np.float32)
    offsets[:, :GRID_JOINTS] = np.stack(grid, axis=-1).reshape(-1, GRID_JOINTS)
    return (np.asarray(bases, dtype=np.float32)[:, None, :] + offsets).reshape(-1, len(JOINTS))


def as_stored(poses: NDArray[np.floating]) -> Poses:
    """Return the joints as a scan file holds them: 31.215 + 5 and 36.215 are then the same angle."""
    return _whole_steps(poses) / 10.0**STORED_DECIMALS


def _whole_steps(poses: NDArray[np.floating]) -> NDArray[np.int64]:
    return np.rint(np.asarray(poses, dtype=np.float64) * 10.0**STORED_DECIMALS).astype(np.int64)


def read_request(path: Path) -> ScanRequest:
    """Read a scan request. Raises ScanRefused with the line and joint of every problem."""
    try:
        text = plain_text(unpacked(file_bytes(path)))
        lines = text.data.decode(errors="backslashreplace").split("\n")
        bases, numbers, exact, problems = _read_lines(lines)
        if not bases and not problems:
            raise Unreadable(Problem(None, None, "", "no pose in the request"), _ADVICE)
    except Unreadable as error:
        raise ScanRefused(str(path), error.problems, len(error.problems), error.advice) from error
    if problems:
        raise ScanRefused(str(path), problems, len(problems), _ADVICE)
    return ScanRequest(np.array(bases), exact, tuple(numbers))


def request_text(request: ScanRequest) -> str:
    """Return the text of a request that `read_request` reads back equal."""
    lines = [EXACT] if request.exact else []
    lines.append(",".join(JOINTS))
    lines += [",".join(repr(joint).removesuffix(".0") for joint in pose) for pose in request.bases.tolist()]
    return "\n".join(lines) + "\n"


def request_beside(scan: Path) -> Path | None:
    """Return ``X.request.csv`` beside the scan ``X.csv`` (or .csv.gz, .parquet), if it is there."""
    beside = scan.with_name(_SCAN_SUFFIX.sub("", scan.name) + SIDECAR)
    try:
        return beside if beside != scan and beside.is_file() else None
    except OSError:  # a name too long for the file system: there can be no such file
        return None


def _read_lines(lines: Sequence[str]) -> tuple[list[list[float]], list[int], bool, list[Problem]]:
    bases: list[list[float]] = []
    numbers: list[int] = []
    problems: list[Problem] = []
    exact = False
    written = [(n, line.strip(" \t")) for n, line in enumerate(lines, start=1) if line.strip(" \t")]
    header = next((n for n, line in written if not line.startswith("#")), None)
    for number, line in written:
        if _EXACT.fullmatch(line):
            _refuse_late_announcement(number, line, bases)
            exact = True
        if line.startswith("#"):
            continue
        cells = line.split(next((d for d in DELIMITERS if d in line), COMMA))
        if number == header and tuple(map(normalised, cells)) == JOINTS:
            continue
        pose, wrong = _read_pose(cells, number, line)
        bases.append(pose)
        numbers.append(number)
        problems += wrong
    return bases, numbers, exact, problems


def _refuse_late_announcement(number: int, line: str, bases: Sequence[Sequence[float]]) -> None:
    if bases:
        raise Unreadable(
            Problem(number, None, shown(line), "exact poses announced below the first pose"),
            f"put {EXACT!r} on top: it holds for the whole request",
        )


def _read_pose(cells: Sequence[str], number: int, line: str) -> tuple[list[float], list[Problem]]:
    if len(cells) != len(JOINTS):
        rule = f"{len(cells)} fields for {len(JOINTS)} joints"
        return [], [Problem(number, None, shown(line), rule)]
    # Where commas separate, no cell holds one.
    mark = COMMA if any(COMMA in cell for cell in cells) and POINT not in line else POINT
    pose = [read_number(cell, mark) for cell in cells]
    problems = [
        Problem(number, joint, shown(cell.strip()), why_not_a_number(cell, mark))
        for joint, cell, value in zip(JOINTS, cells, pose, strict=True)
        if value is None
    ]
    return [value for value in pose if value is not None], problems
