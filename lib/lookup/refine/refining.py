"""To the pose that closes a row's residual: by the chain where it holds, else by a local map."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lib.lookup.refine.allowed import Allowed
from lib.lookup.refine.closing import CLOSED_M, Closing, joint_ranges
from lib.lookup.refine.known_chain import RMS_LIMIT_M, KnownChain
from lib.lookup.refine.local_map import HALF_WIDTHS_DEG, LocalMap, fit_local_map
from lib.lookup.refine.measured import measured_near, stated_error
from lib.lookup.refine.refinement import Refinement, out_of_reach
from lib.lookup.refine.smallest_step import Tips
from lib.lookup.request import Request
from lib.lookup.result import LookupResult
from lib.lookup.table import Table

Array = NDArray[np.float64]

# Rows around a pose that lie farther off the chain than this speak against it, whatever the other rows say.
NEARBY_LIMIT_M = 3 * RMS_LIMIT_M
# A local map that misses its own rows by more than this has seen rows that contradict each other, or too few.
LOCAL_LIMIT_M = 2e-3
_ROUNDS = 4
_SAME_PLACE_DEG = 1.0


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
        self._row_off_m = result.xz_distance_m
        self._chain = chain
        self._start = np.array(result.joints_deg)
        self._allowed = Allowed.of(request, result, joint_ranges(table, chain))
        target_m = (request.x_m, request.z_m)
        self._closing = Closing(self._allowed, self._start, result.point_m[1], target_m)

    def by_chain(self) -> Refinement | str:
        """Refine by the chain; why not, in words, where the rows around speak against it."""
        here_m, _ = self._off_chain(self._start)
        if here_m > NEARBY_LIMIT_M:
            return f"the measured rows around lie {here_m * 1e3:.1f} mm off the chain"
        low, high = self._allowed.low_deg, self._allowed.high_deg
        pose = self._closing.pose(self._chain.tips, here_m, low, high)
        error_m, neighbours = self._off_chain(pose)
        if not neighbours:
            # So far from everything measured nothing vouches for the chain: stay in sight of the row.
            sight = HALF_WIDTHS_DEG[-1]
            low, high = np.maximum(low, self._start - sight), np.minimum(high, self._start + sight)
            pose = self._closing.pose(self._chain.tips, here_m, low, high)
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
            pose = self._closing.pose(local.tips, margin_m, *self._within(local))
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

    def _judged(
        self, method: str, tips: Tips, pose: Array, error_m: float, neighbours: int, why_not_chain: str | None
    ) -> Refinement:
        tip = tips(pose[None])[0]
        residual_m = self._closing.off_m(tips, pose)
        broken = self._allowed.broken_by(np.concatenate([tip, pose]))
        why_not = nearest = None
        if broken is not None:
            why_not = f"the nearest pose that {method.replace('_', ' ')} gives does not meet {broken}"
        elif not residual_m + error_m < self._row_off_m:
            why_not = (
                f"the row itself is {self._row_off_m * 1e3:.2f} mm off, the refined pose would be "
                f"{residual_m * 1e3:.2f} mm off and uncertain by {error_m * 1e3:.2f} mm"
            )
        elif residual_m > CLOSED_M:
            nearest = self._closing.nearest(tips, pose, error_m)
            why_not = out_of_reach(nearest)
        if why_not is not None:
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
