"""What the twin measures for a scan request: every pose set without physics, the tool tip read off.

The twin reports float32. It measures a repeated pose bit-equal only in part: of the published scan's
40,817 repeats 21,998 were exact, so a repeat differs with probability 0.461, by a few units in the
last place of a number of about a metre - its transforms are chained in float32.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from lib.cell.tip_probe import TipProbe
from lib.robot import Robot
from lib.scan import ROWS_PER_BASE, ScanRequest, as_stored, expand

JITTER_PROBABILITY = 1.0 - 21_998 / 40_817
_LARGEST_JITTER = 4

# The 64-bit golden ratio, odd: multiplying by it spreads every bit upwards (Knuth, TAOCP 3, 6.4).
_SPREAD = np.uint64(0x9E3779B97F4A7C15)
_HALF = np.uint64(32)

Values = NDArray[np.float64]


def simulate_scan(robot: Robot, request: ScanRequest, seed: int) -> Values:
    """Return the scan's points [m, deg], of shape (expected_rows, 9), as its file will read."""
    return np.concatenate(list(scan_chunks(robot, request, seed, mark_repeats(request))))


def scan_chunks(
    robot: Robot, request: ScanRequest, seed: int, repeated: NDArray[np.bool_]
) -> Iterator[Values]:
    """Yield the scan's points [m, deg] in scan order, 16,807 rows at a time.

    ``repeated`` comes from ``mark_repeats``. The same request and seed give the same bits.
    """
    stream = _stream(request, seed)
    probe = TipProbe(robot)
    start = 0
    for number, poses in enumerate(_pose_chunks(request)):
        tips = probe.tip_points(poses).astype(np.float32)
        rows = slice(start, start + len(poses))
        jitter_repeats(tips, repeated[rows], np.random.default_rng([stream, number]))
        yield np.concatenate([shortest_decimals(tips), poses], axis=1)
        start = rows.stop


def mark_repeats(request: ScanRequest) -> NDArray[np.bool_]:
    """Tell for each of the scan's rows whether an earlier one has the same stored pose, of shape (n,).

    Poses are told apart by a 64-bit hash: a collision, one in ten million full scans, would jitter
    one pose that is no repeat.
    """
    hashes = np.concatenate([_pose_hashes(poses) for poses in _pose_chunks(request)])
    order = np.argsort(hashes, kind="stable")
    repeated = np.zeros(len(hashes), dtype=np.bool_)
    repeated[order[1:]] = hashes[order[1:]] == hashes[order[:-1]]
    return repeated


def jitter_repeats(
    tips: NDArray[np.float32], repeated: NDArray[np.bool_], random: np.random.Generator
) -> None:
    """Move, in place, some of the repeated tips by a few units in the last place, never by none."""
    rows = np.flatnonzero(repeated & (random.random(len(tips)) < JITTER_PROBABILITY))
    units = random.integers(-_LARGEST_JITTER, _LARGEST_JITTER + 1, size=(len(rows), 3))
    units[:, 0] += ~units.any(axis=1)
    size = np.maximum(np.abs(tips[rows]), np.float32(0.5))
    tips[rows] += units.astype(np.float32) * np.spacing(size)


def shortest_decimals(values: NDArray[np.float32]) -> Values:
    """Return, for each float32, the double of the shortest decimal that reads back as that float32."""
    single = values.ravel()
    found = single.astype(np.float64)
    open_ = np.flatnonzero(single != 0.0)
    found[single == 0.0] = 0.0  # not -0.0
    for decimals in range(23):  # 10^22 is the largest power of ten that a double holds exactly
        if not len(open_):
            break
        scale = 10.0**decimals
        rounded = np.rint(single[open_].astype(np.float64) * scale) / scale
        fits = rounded.astype(np.float32) == single[open_]
        found[open_[fits]] = rounded[fits]
        open_ = open_[~fits]
    return found.reshape(values.shape)


def _pose_chunks(request: ScanRequest) -> Iterator[Values]:
    """Yield the poses as stored, one base's grid or as many exact poses at a time."""
    if request.exact:
        for start in range(0, len(request.bases), ROWS_PER_BASE):
            yield as_stored(request.bases[start : start + ROWS_PER_BASE])
    else:
        for base in request.bases:
            yield as_stored(expand(base[None, :]))


def _pose_hashes(poses: Values) -> NDArray[np.uint64]:
    hashes = np.zeros(len(poses), dtype=np.uint64)
    for joint in (poses + 0.0).T:  # -0.0 is the same angle as 0.0
        hashes ^= np.ascontiguousarray(joint).view(np.uint64)
        hashes *= _SPREAD
        hashes ^= hashes >> _HALF
    return hashes


def _stream(request: ScanRequest, seed: int) -> int:
    """Return the number that all of this scan's randomness grows from."""
    digest = hashlib.md5(b"exact" if request.exact else b"expanded")
    digest.update(str(seed).encode())
    digest.update(np.ascontiguousarray(request.bases, dtype="<f8").tobytes())
    return int.from_bytes(digest.digest(), "big")
