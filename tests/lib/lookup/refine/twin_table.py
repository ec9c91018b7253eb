"""Tables as the twin measures them, and targets over the PLACE box."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np

from lib.cell import base_request, simulate_scan
from lib.lookup import PlaceRequest, Request
from lib.lookup.refine import KnownChain
from lib.robot import Robot, load_robot, tip_points
from lib.scan import ScanRequest
from lib.table.chain_fit import ChainFit, fit_tips, implied_tips

REFERENCE = (36.215, 57.0, 20.0, -12.0, -86.0, -30.0)


def mecharm() -> Robot:
    robot = load_robot("mecharm270")
    assert robot is not None
    return robot


def with_tip(robot: Robot, shift_m: tuple[float, float, float]) -> Robot:
    return replace(robot, tip_m=robot.tip_m + np.array(shift_m))


def family_request() -> ScanRequest:
    """The PLACE bases nearest to the reference pose, and the reference itself: 9 grids."""
    bases = base_request().bases[:60]
    off = np.abs(bases - REFERENCE).max(axis=1)
    return ScanRequest(np.vstack([REFERENCE, bases[np.argsort(off)[:8]]]), exact=False)


@cache
def family_points() -> np.ndarray:
    """Their scan, every row measured by mecharm270 in the twin."""
    points = simulate_scan(mecharm(), family_request(), seed=1)
    points.setflags(write=False)
    return points


def fitted(points: np.ndarray, robot: Robot) -> ChainFit:
    return fit_tips(robot, implied_tips(robot, points), 1e-3)


def chain_of(points: np.ndarray, robot: Robot) -> KnownChain:
    """What a version made of these rows would know of its chain."""
    fit = fitted(points, robot)
    if not fit.rows:
        return KnownChain(robot)
    return KnownChain(robot, fit.tip_m, fit.rms_m, fit.rows / len(points), robot.file_md5)


def targets(count: int, seed: int, half_width_m: float = 0.050) -> list[Request]:
    """Random PLACE targets around the box's centre."""
    shifts = np.random.default_rng(seed).uniform(-half_width_m, half_width_m, size=(count, 2))
    return [PlaceRequest(-0.170 + x, 0.190 + z) for x, z in shifts.tolist()]


def true_off_m(robot: Robot, joints_deg: tuple[float, ...], request: Request) -> float:
    """How far the true tip of a pose is from a target in the x-z plane."""
    x_m, _, z_m = tip_points(robot, [joints_deg])[0]
    return float(np.hypot(x_m - request.x_m, z_m - request.z_m))
