"""Where a refined pose may be: the filters as ranges, and who set each end."""

from __future__ import annotations

import numpy as np
import pytest

from lib.lookup import PlaceRequest, Table, place
from lib.lookup.refine.allowed import Allowed
from lib.settings import PlaceLookup
from tests.lib.lookup.refine.twin_table import REFERENCE, mecharm

ROW = (-0.18, 0.1, 0.19, *REFERENCE)


def allowed(bounds: PlaceLookup | None = None, without: frozenset[str] = frozenset()) -> Allowed:
    bounds = bounds or PlaceLookup()
    request = PlaceRequest(-0.17, 0.19, bounds, without)
    return Allowed.of(request, place(Table.from_points([ROW]), -0.17, 0.19, bounds), mecharm().limits_deg)


def test_every_end_is_the_narrowest_and_remembers_whose_it_is() -> None:
    found = allowed()
    assert found.low_deg.tolist() == pytest.approx([33.215, 55.0, 5.0, -27.0, -90.0, -45.0])
    assert found.high_deg.tolist() == pytest.approx([39.215, 72.0, 35.0, 3.0, -71.0, -15.0])
    assert found.low_by == ("j0_lock", "j1_min", "ref_joints", "ref_joints", "j4_safe", "ref_joints")
    assert found.heights_m == pytest.approx((0.085, 0.115))
    free = allowed(without=frozenset({"ref_joints", "j0_lock"}))
    assert (free.low_deg[0], free.high_deg[0]) == (-160.0, 160.0) and free.low_by[0] == "joint_limits"


def test_a_height_target_that_stepped_aside_does_not_hold() -> None:
    aside = allowed(PlaceLookup(ee_y_target_m=0.112, ee_y_tol_m=0.001))
    assert aside.heights_m == pytest.approx((0.085, 0.115))
    assert "ee_y_target" not in {f.name for f in aside.filters}


def test_heights_keep_a_margin_from_the_bounds() -> None:
    found = allowed()
    assert found.height_m(0.1, 0.001) == 0.1
    assert found.height_m(0.0851, 0.001) == pytest.approx(0.086)
    assert found.height_m(0.2, 0.020) == pytest.approx(0.1)  # no room for the margin: the middle


def test_rounding_to_what_the_twin_writes_stays_inside() -> None:
    found = allowed(PlaceLookup(j0_ref_deg=36.00004, j0_tol_deg=1.00003))
    edge = np.array([found.high_deg[0], 55.0, 20.00004, 3.0, -90.0, -30.0])
    rounded = found.rounded(edge, 4)
    assert rounded.tolist() == [37.0, 55.0, 20.0, 3.0, -90.0, -30.0]
    low = np.array([found.low_deg[0], *edge[1:]])
    assert found.rounded(low, 4)[0] == pytest.approx(35.0001)


def test_the_bounds_a_pose_stands_at_are_named() -> None:
    found = allowed()
    pose = np.array([39.215, 60.0, 20.0, -12.0, -90.0, -30.0])
    assert found.held_by(pose, 0.1, 1e-6) == ("j0_lock", "j4_safe")
    assert found.held_by(np.array(REFERENCE), 0.085, 1e-6) == ("ee_y_band", "ee_y_floor", "ee_y_target")
    assert found.broken_by(np.array(ROW)) is None
    assert found.broken_by(np.array([*ROW[:7], -91.0, -30.0])) == "j4_safe"
