"""The twin's scan file: the columns and order of Unity's, written whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lib.cell.reachable import refuse_unreachable
from lib.cell.twin_scan import mark_repeats, scan_chunks
from lib.disk import cannot_be_written, whole_file
from lib.errors import BadInput
from lib.robot import Robot
from lib.scan import COLUMNS, read_request

_JOINTS = slice(3, 9)
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class SimulatedScan:
    """What was written."""

    file: Path
    request: Path
    """The copy of the request beside it, by which an ingest checks the number of rows."""
    bases: int
    rows: int
    distinct_poses: int

    def as_json(self) -> dict[str, object]:
        """Return what `nightpick scan simulate --json` prints."""
        return {
            "file": str(self.file),
            "request": str(self.request),
            "bases": self.bases,
            "rows": self.rows,
            "distinct_poses": self.distinct_poses,
        }


def write_simulated_scan(
    robot: Robot | None,
    request_file: Path,
    out: Path,
    seed: int,
    progress: Progress = lambda done, rows: None,
) -> SimulatedScan:
    """Scan what a request file asks for and write ``out`` and, beside it, ``<out>.request.csv``.

    ``progress`` is told the rows done and the rows in all. Raises BadInput without a robot, for an
    unreadable request or one that is out of the robot's reach, or for a file that cannot be written.
    """
    if robot is None:
        raise BadInput(
            'robot = "none": the twin cannot measure without one; set robot to mecharm270 or a file'
        )
    request = read_request(request_file)
    refuse_unreachable(robot, request, request_file)
    beside = _request_beside(out)
    if out.resolve() == request_file.resolve():
        raise BadInput(f"{out} is the request itself; name another file to write the scan to")
    repeated = mark_repeats(request)
    part = out.with_name(f".{out.name}.part")
    with cannot_be_written(out):
        try:
            with part.open("wb") as file:
                file.write((",".join(COLUMNS) + "\n").encode())
                done = 0
                for points in scan_chunks(robot, request, seed, repeated):
                    file.write(csv_lines(points))
                    done += len(points)
                    progress(done, request.expected_rows)
                file.flush()
                os.fsync(file.fileno())
            if beside.resolve() != request_file.resolve():
                with whole_file(beside) as copy:
                    copy.write_bytes(request_file.read_bytes())
            part.replace(out)
        finally:
            with suppress(OSError):  # a disk that takes nothing gives nothing up either
                part.unlink(missing_ok=True)
    distinct = request.expected_rows - int(repeated.sum())
    return SimulatedScan(out, beside, len(request.bases), request.expected_rows, distinct)


def csv_lines(points: NDArray[np.float64]) -> bytes:
    """Return the lines of points (n, 9): tips in their shortest form, joints with four decimals."""
    tips = [list(map(repr, column)) for column in points[:, :3].T.tolist()]
    joints = [_four_decimals(column) for column in points[:, _JOINTS].T]
    return ("\n".join(map(",".join, zip(*tips, *joints, strict=True))) + "\n").encode()


def _four_decimals(column: NDArray[np.float64]) -> list[str]:
    # A grid has seven values a joint: format those, not 16,807.
    values, places = np.unique(column, return_inverse=True)
    texts = np.array([f"{value:.4f}" for value in values.tolist()], dtype=object)
    found: list[str] = texts[places].tolist()
    return found


def _request_beside(out: Path) -> Path:
    if out.suffix != ".csv" or out.name.endswith(".request.csv"):
        raise BadInput(f"{out}: expected a scan file's name, like scan.csv")
    return out.with_suffix(".request.csv")
