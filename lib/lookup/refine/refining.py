"""To the pose that closes a row's residual: by the chain where it holds, else by a local map."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from lib.lookup.column import Column
from lib.lookup.refine.allowed import Allowed
from lib.lookup.refine.known_chain import RMS_LIMIT_M, KnownChain
from lib.lookup.refine.local_map import HALF_WIDTHS_DEG, LocalMap, fit_local_map
from lib.lookup.refine.measured import measured_near, stated_error
from lib.lookup.refine.refinement import Nearest, Refinement
from lib.lookup.refine.smallest_step import smallest_step
from lib.lookup.request import Request
from lib.lookup.result import LookupResult
from lib.lookup.table import Table

Array = NDArray[np.float64]
Tips = Callable[[Array], Array]

# Rows around a pose that lie farther off the chain than this speak against it, whatever the other rows say.
NEARBY_LIMIT_M = 3 * RMS_LIMIT_M
# A local map that misses its own rows by more than this has seen rows that contradict each other, or too few.
LOCAL_LIMIT_M = 2e-3
# A pose that leaves more than this does not close the residual: filters keep the target out of reach.
CLOSED_M = 1e-3
_AT_THE_PLACE_M = 2e-6
_ROUNDS = 4
_SAME_PLACE_DEG = 1.0
_DECIMALS = 4

# Where x and z cannot be met, the height must not pay for it: it is what clears the box.
_HEIGHT_FIRST = np.array([1.0, 300.0, 1.0])
_HEIGHT_LAST = np.array([1.0, 0.03, 1.0])


def refine(table: Table, request: Request, result: LookupResult, chain: KnownChain) -> Refinement:
    """Move the joints of the selected row by the smallest step that closes the residual in x and z.

    The step stays inside the request's filters and the robot's limits and keeps the row's height where
    it can. Nothing is sent and nothing measured: the pose is a prediction.
    """
    if result.joints_deg is None or result.point_m is None or result.xz_distance_m is None:
        return Refinement(why_not=f"there is no row to start from: {result.why_not_sendable}")
    if not result.sendable:
        return Refinement(why_not=f"the row cannot be sent: {result.why_not_sendable}")
    search = _Search(table, request, result, chain)
    why_not_chain = chain.why_not
    if why_not_chain is None:
        found = search.by_chain()
        if isinstance(found, Refinement):
            return found
        why_not_chain = found
    found = search.by_local_map(why_not_chain)
    return found if isinstance(found, Refinement) else Refinement(why_not=found, why_not_chain=why_not_chain)


class _Search:
    """One refinement: where it starts, where it may go, what it aims at."""

    def __init__(self, table: Table, request: Request, result: LookupResult, chain: KnownChain) -> None:
        assert result.joints_deg is not None and result.point_m is not None
        assert result.xz_distance_m is not None
        self._table = table
        self._target_m = np.array([request.x_m, request.z_m])
        self._start = np.array(result.joints_deg)
        self._height_m = result.point_m[1]
        self._row_off_m = result.xz_distance_m
        self._chain = chain
        self._allowed = Allowed.of(request, result, _ranges_deg(table, chain))

    def by_chain(self) -> Refinement | str:
        """Refine by the chain; why not, in words, where the rows around speak against it."""
        here_m, _ = self._off_chain(self._start)
        if here_m > NEARBY_LIMIT_M:
            return f"the measured rows around lie {here_m * 1e3:.1f} mm off the chain"
        low, high = self._allowed.low_deg, self._allowed.high_deg
        pose = self._close(self._chain.tips, here_m, low, high)
        error_m, neighbours = self._off_chain(pose)
        if not neighbours:
            # So far from everything measured nothing vouches for the chain: stay in sight of the row.
            sight = HALF_WIDTHS_DEG[-1]
            low, high = np.maximum(low, self._start - sight), np.minimum(high, self._start + sight)
            pose = self._close(self._chain.tips, here_m, low, high)
            error_m, neighbours = self._off_chain(pose)
        if error_m > NEARBY_LIMIT_M:
            return f"the measured rows around the pose lie {error_m * 1e3:.1f} mm off the chain"
        return self._judged("chain", self._chain.tips, pose, error_m, neighbours, None)

    def by_local_map(self, why_not_chain: str | None) -> Refinement | str:
        """Refine by a map fitted to measured neighbours, fitted anew where the pose goes."""
        pose = self._start
        for _ in range(_ROUNDS):
            local = fit_local_map(self._table, pose)
            if isinstance(local, str):
                return local
            centre = pose
            margin_m, _ = stated_error(local.measured, local.errors_m, centre)
            pose = self._close(local.tips, margin_m, *self._within(local))
            if np.abs(pose - centre).max() <= _SAME_PLACE_DEG:
                break
        assert isinstance(local, LocalMap)
        error_m, neighbours = stated_error(local.measured, local.errors_m, pose)
        if error_m > LOCAL_LIMIT_M:
            return f"a local map misses the measured rows around the pose by {error_m * 1e3:.1f} mm"
        return self._judged(local.method, local.tips, pose, error_m, neighbours, why_not_chain)

    def _off_chain(self, pose: Array) -> tuple[float, int]:
        """Return how far the measured rows around a pose are off the chain [m], and how many they are."""
        for half_width_deg in HALF_WIDTHS_DEG:
            measured = measured_near(self._table, pose, half_width_deg)
            if len(measured):
                break
        errors_m = np.linalg.norm(self._chain.tips(measured.joints_deg) - measured.points_m, axis=1)
        return stated_error(measured, errors_m, pose)

    def _within(self, local: LocalMap) -> tuple[Array, Array]:
        low, high = local.box
        # A joint that no neighbour varies stays; where a filter's range misses the rows, the filter wins.
        low = np.clip(low, self._allowed.low_deg, self._allowed.high_deg)
        return low, np.clip(high, low, self._allowed.high_deg)

    def _close(self, tips: Tips, margin_m: float, low: Array, high: Array) -> Array:
        """Close the residual at the row's height; where that cannot be, at another height that is allowed."""
        x_m, z_m = self._target_m
        height_m = self._allowed.height_m(self._height_m, margin_m)
        start = np.clip(self._start, low, high)

        def reach(at_m: float, weights: Array) -> Array:
            return smallest_step(tips, start, np.array([x_m, at_m, z_m]), weights, low, high)

        level = reach(height_m, _HEIGHT_FIRST)
        if self._off_m(tips, level) <= _AT_THE_PLACE_M:
            return level
        free = reach(height_m, _HEIGHT_LAST)
        reached_m = self._allowed.height_m(float(tips(free[None])[0, 1]), margin_m)
        return min((level, reach(reached_m, _HEIGHT_FIRST)), key=lambda pose: self._off_m(tips, pose))

    def _off_m(self, tips: Tips, pose: Array) -> float:
        tip = tips(pose[None])[0]
        return float(np.hypot(tip[0] - self._target_m[0], tip[2] - self._target_m[1]))

    def _judged(
        self, method: str, tips: Tips, pose: Array, error_m: float, neighbours: int, why_not_chain: str | None
    ) -> Refinement:
        pose = self._allowed.rounded(pose, _DECIMALS)
        tip = tips(pose[None])[0]
        residual_m = self._off_m(tips, pose)
        broken = self._allowed.broken_by(np.concatenate([tip, pose]))
        if broken is not None:
            why_not = f"the nearest pose that {method.replace('_', ' ')} gives does not meet {broken}"
            return Refinement(why_not=why_not, why_not_chain=why_not_chain)
        if not residual_m + error_m < self._row_off_m:
            why_not = (
                f"the row itself is {self._row_off_m * 1e3:.2f} mm off, the refined pose would be "
                f"{residual_m * 1e3:.2f} mm off and uncertain by {error_m * 1e3:.2f} mm"
            )
            return Refinement(why_not=why_not, why_not_chain=why_not_chain)
        if residual_m > CLOSED_M:
            held_by = self._allowed.held_by(pose, float(tip[1]), error_m)
            why_not = (
                f"no pose inside the filters comes nearer than {residual_m * 1e3:.1f} mm"
                f"{': held by ' if held_by else ''}{', '.join(held_by)}"
            )
            nearest = Nearest(tuple(pose.tolist()), residual_m, held_by)
            return Refinement(nearest=nearest, why_not=why_not, why_not_chain=why_not_chain)
        return Refinement(
            method=method,
            joints_deg=tuple(pose.tolist()),
            predicted_point_m=tuple(tip.tolist()),
            predicted_residual_m=residual_m,
            cv_error_m=error_m,
            neighbours=neighbours,
            max_step_deg=float(np.abs(pose - self._start).max()),
            why_not_chain=why_not_chain,
        )


def _ranges_deg(table: Table, chain: KnownChain) -> Array:
    """Return how far each joint may go (6, 2): its limits; a joint that no row ever varied stays."""
    ranges = np.full((6, 2), [-np.inf, np.inf]) if chain.robot is None else chain.robot.limits_deg.copy()
    low, high = (
        table.blocks.zones.lows.min(axis=1)[Column.J0 :],
        table.blocks.zones.highs.max(axis=1)[Column.J0 :],
    )
    alike = low == high
    ranges[alike] = low[alike, None]
    return ranges
