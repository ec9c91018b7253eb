"""From an aim to a pose: lookup, refinement, and a release height that does not jump."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from lib.lookup import LookupResult, PickRequest, PlaceRequest, Request, Table, lookup, with_binding_filters
from lib.lookup.refine import Refinement
from lib.place.memory import Vector
from lib.settings import Settings

Pose = tuple[float, float, float, float, float, float]

Refine = Callable[[Request, LookupResult], Refinement]
Tips = Callable[[NDArray[np.float64]], NDArray[np.float64]]
"""Tips [m] (n, 3) of poses [deg] (n, 6)."""

INSIDE_DEG = 0.25
"""So far inside j4's safe range a batch stays: where it is sent is not quite where it comes to rest."""
NEAR_DEG = 5.0
"""A row's joints this near to a wanted pose's: the rows are five degrees apart."""
_THINNEST_M = 0.004

# Poses whose joints differ by less are the same one.
_SAME_DEG = 0.02


@dataclass(frozen=True)
class Aimed:
    """The pose that a lookup gave for an aim."""

    aim_m: tuple[float, float]
    """What was asked for, x and z [m]."""
    request: Request
    result: LookupResult
    pose_deg: Pose
    """The row's joints, or the refined ones [deg]."""
    tip_m: Vector
    """Where table or refinement put its tip, x, height, z [m]."""
    off_m: float
    """How far that is from the aim in the x-z plane [m]."""
    refined: bool

    @property
    def name(self) -> str:
        """What names the pose: the row, and what a refinement made of it."""
        row = f"fk_row_{self.result.fk_row}"
        if not self.refined:
            return row
        return f"{row} " + ",".join(f"{round(joint / _SAME_DEG)}" for joint in self.pose_deg)


@dataclass(frozen=True)
class NoPose:
    """Why there is none."""

    aim_m: tuple[float, float]
    request: Request
    result: LookupResult
    off_m: float | None
    """How far the nearest pose is from the aim [m]; None where there is none at all."""

    @property
    def says(self) -> str:
        """The reason in one clause."""
        x, z = self.aim_m
        if self.off_m is None:
            return f"no pose for ({x:.3f}, {z:.3f}): {self.result.why_not_sendable}"
        return f"the nearest pose to ({x:.3f}, {z:.3f}) is {self.off_m * 1e3:.1f} mm off"


Observe = Callable[[str, "Aimed | NoPose"], None]
"""Told of every lookup: its tag, and what came of it."""


class Aims:
    """Looks poses up in one table."""

    def __init__(
        self, settings: Settings, table: Table, refine: Refine, tips: Tips, observe: Observe
    ) -> None:
        """Take the table, what refines a row of it, and what gives the tips of poses."""
        self._settings, self._table = settings, table
        self._refine, self._tips, self._observe = refine, tips, observe

    def place(
        self, aim_m: tuple[float, float], height_m: float, tag: str, before: Aimed | None = None
    ) -> Aimed | NoPose:
        """Return the pose to let a block go at, its tip near a height; near ``before``'s where there is one.

        A height that jumps from ``before``'s by more than allowed is asked for again near that; what would
        then be out of reach is taken as it is, and whoever moves there goes step by step.
        """
        found = self._place(aim_m, height_m, self._settings.lookup.place.ee_y_tol_m)
        if before is not None and isinstance(found, Aimed):
            bound_m = self._settings.place.servo.largest_height_step_m
            if abs(found.tip_m[1] - before.tip_m[1]) > bound_m:
                nearer = self._place(aim_m, before.tip_m[1], bound_m)
                if isinstance(nearer, Aimed) and abs(nearer.tip_m[1] - before.tip_m[1]) <= bound_m:
                    found = nearer
        (bound,) = with_binding_filters(self._table, [found.request], [found.result])
        found = replace(found, result=bound)
        self._observe(tag, found)
        return found

    def pick(
        self, aim_m: tuple[float, float], band_m: tuple[float, float], near_deg: Pose | None, tag: str
    ) -> Aimed | NoPose:
        """Return the pose to grip at, its tip in a band of heights inside PICK's.

        ``near_deg``: every joint near this pose's; None: as the settings say.
        """
        bounds = self._settings.lookup.pick
        low, high = bounds.ee_y_band_m
        bounds = replace(
            bounds,
            j4_safe_deg=_inside(bounds.j4_safe_deg),
            ee_y_band_m=(
                min(max(low, band_m[0]), high - _THINNEST_M),
                max(min(high, band_m[1]), low + _THINNEST_M),
            ),
        )
        if near_deg is not None:
            bounds = replace(bounds, ref_joints=near_deg, ref_tol_deg=NEAR_DEG)
        found = self._aimed(PickRequest(*aim_m, bounds))
        self._observe(tag, found)
        return found

    def _place(self, aim_m: tuple[float, float], height_m: float, tolerance_m: float) -> Aimed | NoPose:
        bounds = self._settings.lookup.place
        bounds = replace(
            bounds,
            ee_y_target_m=height_m,
            ee_y_tol_m=tolerance_m,
            j4_safe_deg=_inside(bounds.j4_safe_deg),
        )
        return self._aimed(PlaceRequest(*aim_m, bounds))

    def _aimed(self, request: Request) -> Aimed | NoPose:
        """Look up and refine; no pose farther than allowed, none that is not sendable."""
        aim_m = (request.x_m, request.z_m)
        result = lookup(self._table, request)
        if not result.sendable or result.joints_deg is None or result.point_m is None:
            beyond_m = None if result.beyond_guard is None else result.beyond_guard[1]
            return NoPose(aim_m, request, result, beyond_m)
        assert result.xz_distance_m is not None
        aimed = Aimed(
            aim_m, request, result, _pose(result.joints_deg), _vector(result.point_m),
            result.xz_distance_m, False,
        )  # fmt: skip
        aimed = self._refined(aimed, self._refine(request, result))
        if aimed.off_m > self._settings.place.farthest_m:
            return NoPose(aim_m, request, result, aimed.off_m)
        return aimed

    def _refined(self, row: Aimed, refined: Refinement) -> Aimed:
        """Return the refined pose, or the nearest that the filters allow where it is nearer than the row."""
        if refined.joints_deg is not None and refined.predicted_point_m is not None:
            assert refined.predicted_residual_m is not None
            return replace(
                row,
                pose_deg=_pose(refined.joints_deg),
                tip_m=_vector(refined.predicted_point_m),
                off_m=refined.predicted_residual_m,
                refined=True,
            )
        nearest = refined.nearest
        if nearest is None or nearest.predicted_residual_m >= row.off_m:
            return row
        tip = self._tips(np.array([nearest.joints_deg]))[0]
        return replace(
            row,
            pose_deg=_pose(nearest.joints_deg),
            tip_m=_vector(tip.tolist()),
            off_m=nearest.predicted_residual_m,
            refined=True,
        )


def _inside(bound: tuple[float, float]) -> tuple[float, float]:
    return bound[0] + INSIDE_DEG, bound[1] - INSIDE_DEG


def _pose(joints_deg: tuple[float, ...]) -> Pose:
    j0, j1, j2, j3, j4, j5 = (float(joint) for joint in joints_deg)
    return j0, j1, j2, j3, j4, j5


def _vector(point_m: tuple[float, ...] | list[float]) -> Vector:
    x, y, z = (float(value) for value in point_m)
    return x, y, z
