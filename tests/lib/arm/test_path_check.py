"""What passes the path check stays clear everywhere, also between the poses it was given."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lib.arm import GateContext, check_path, check_way, gate_context
from lib.arm.clearance import body_ends, clearances, segment_box_distances
from lib.settings import Settings
from tests.lib.arm import independent

PUBLISHED = {
    "home": (0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
    "place": (36.215, 57.0, 20.0, -12.0, -86.0, -30.0),
    "pick": (-35.0, 70.0, 25.0, 0.0, -85.0, -30.0),
    "cup": (40.0, 82.0, -36.0, 0.0, -50.0, 0.0),
    "lift": (40.0, 50.0, -20.0, 0.0, -42.0, 0.0),
    "above": (-55.0, 50.0, -25.0, 0.0, -38.0, 0.0),
    "lowered": (-44.0, 75.0, -20.0, 0.0, -55.0, 0.0),
}


@pytest.fixture(scope="module")
def context() -> GateContext:
    return gate_context(Settings())


def poses(context: GateContext, random: np.random.Generator, count: int) -> np.ndarray:
    """Return random poses inside the limits, of shape (count, 6)."""
    return random.uniform(context.limits_deg[:, 0], context.limits_deg[:, 1], (count, 6))


def test_the_published_sequence_and_the_ways_to_pick_and_place_pass(context: GateContext) -> None:
    ways = ["home cup lift above lowered home", "home pick home place home", "pick place"]
    for way in ways:
        verdict = check_path(context, [PUBLISHED[name] for name in way.split()])
        assert verdict.ok, (way, verdict.says)


def test_the_body_is_where_the_homogeneous_matrices_put_it(context: GateContext) -> None:
    joints = poses(context, np.random.default_rng(1), 200)
    ends_m = body_ends(context.robot, context.volumes, joints)
    placed = independent.frames(joints)
    for column, (number, name, points, radius_m) in enumerate(independent.CAPSULES):
        for end, point in ((0, points[0]), (1, points[-1])):
            # The robot's file rounds right angles to the double; the tip is given to 0.1 um.
            assert np.abs((placed[number] @ point)[:, :3] - ends_m[:, column, end]).max() < 1e-9, name
        assert context.volumes.radii_m[column] == pytest.approx(radius_m)


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=60, deadline=None)
def test_a_segments_distance_from_a_box_is_that_of_its_nearest_point(seed: int) -> None:
    random = np.random.default_rng(seed)
    ends_m = random.uniform(-1, 1, (30, 2, 3))
    ends_m[:5, 1, 0] = ends_m[:5, 0, 0]  # square to an axis
    ends_m[5:8, 1] = ends_m[5:8, 0]  # a point
    low_m = random.uniform(-0.8, 0.3, (30, 3))
    high_m = low_m + random.uniform(0.0, 0.6, (30, 3))
    shares = np.linspace(0, 1, 4001)[None, :, None]
    points = ends_m[:, None, 0] + shares * (ends_m[:, 1] - ends_m[:, 0])[:, None]
    sampled = np.linalg.norm(points - np.clip(points, low_m[:, None], high_m[:, None]), axis=-1).min(axis=1)
    exact = segment_box_distances(ends_m, low_m, high_m)
    assert (exact <= sampled + 1e-12).all()
    assert (sampled - exact).max() <= np.linalg.norm(ends_m[:, 1] - ends_m[:, 0], axis=1).max() / 8000


def test_between_two_clear_poses_the_path_through_the_table_is_refused(context: GateContext) -> None:
    # The wrist turns over while the arm reaches low: both ends are clear, in the middle the tool is not.
    start, target = (0.0, 40.0, 25.0, 0.0, -60.0, 0.0), (0.0, 15.0, 20.0, 0.0, 60.0, 0.0)
    assert check_path(context, [start]).ok
    assert check_path(context, [target]).ok
    between = check_path(context, [start, target])
    assert not between.ok
    assert (between.rule, between.numbers["body"], between.numbers["obstacle"]) == (
        "keep-out",
        "tool",
        "table",
    )
    assert independent.touches(np.linspace(start, target, 400)).any()


def test_a_thin_post_between_two_samples_is_not_missed(context: GateContext) -> None:
    # The wrist sweeps over the box's wall in one step; at both ends it is clear of it.
    middle, turn = np.array([37.0, 74.0, -9.0, 0.0, -81.0, -30.0]), np.array([25.0, 0, 0, 0, 0, 0])
    assert check_path(context, [middle - turn]).ok
    assert check_path(context, [middle + turn]).ok
    assert independent.touches(np.linspace(middle - turn, middle + turn, 2000)).any()
    assert not check_path(context, [middle - turn, middle + turn]).ok


def test_limits_and_safe_range_are_named_with_joint_and_numbers(context: GateContext) -> None:
    beyond = check_path(context, [(0, 0, 65.01, 0, 0, 0)])
    assert (beyond.rule, beyond.numbers["joint"], beyond.numbers["value_deg"]) == ("limits", 2, 65.01)
    unsafe = check_path(context, [(0, 0, 0, 0, -90.01, 0)])
    assert (unsafe.rule, unsafe.numbers["low_deg"]) == ("safe range", -90.0)
    assert check_path(context, [(0, 0, 0, 0, -90, 0), (0, 0, 0, 0, 60, 0)]).ok


@pytest.mark.parametrize(("joint", "bound", "way"), [(4, -90.0, -1), (4, 60.0, 1), (3, 155.0, 1)])
def test_an_arm_that_rests_a_little_beyond_a_bound_has_a_way_in_and_none_out(
    context: GateContext, joint: int, bound: float, way: int
) -> None:
    def at(value: float) -> list[float]:
        return [value if k == joint else 0.0 for k in range(6)]

    most = context.at_rest_within_deg
    near, far = bound + way * (most - 0.01), bound + way * (most + 0.01)
    assert check_way(context, [at(near), at(bound)]).ok
    assert check_way(context, [at(bound + way * 0.01), at(0), at(bound)]).ok
    assert not check_path(context, [at(near), at(bound)]).ok
    for path in (
        [far, bound],
        [near, bound + way * 0.01],
        [bound, near],
        [near, near],
        [near],
        [near, 0, near],
    ):
        assert check_way(context, [at(value) for value in path]).rule in ("limits", "safe range"), path


def test_a_way_in_is_no_way_through_a_thing(context: GateContext) -> None:
    through = [(0.0, 15.0, 20.0, 0.0, 60.5, 0.0), (0.0, 40.0, 25.0, 0.0, -60.0, 0.0)]
    assert check_path(context, [(*through[0][:4], 60.0, 0.0), through[1]]).rule == "keep-out"
    assert check_way(context, through).rule == "keep-out"


def test_a_path_of_another_shape_or_not_finite_is_no_path(context: GateContext) -> None:
    with pytest.raises(ValueError, match=r"expected \(n, 6\)"):
        check_path(context, [[0.0] * 5])
    assert check_path(context, [[0, 0, np.nan, 0, 0, 0]]).rule == "finite numbers"


def test_more_poses_along_the_same_path_change_nothing(context: GateContext) -> None:
    random = np.random.default_rng(4)
    checked = 0
    for _ in range(60):
        start, target = poses(context, random, 2) * 0.6
        start[4], target[4] = np.clip((start[4], target[4]), -90, 60)
        once = check_path(context, [start, target])
        assert once.ok == check_path(context, np.linspace(start, target, 50)).ok
        checked += once.ok
    assert 5 < checked < 55  # both answers occur


def test_clearances_never_overstate_what_the_bound_between_poses_allows(context: GateContext) -> None:
    """Along a random path no clearance changes faster than the levers allow."""
    random = np.random.default_rng(7)
    for _ in range(20):
        start, target = poses(context, random, 2)
        path = np.linspace(start, target, 80)
        table_m, _ = clearances(context.robot, context.volumes, path)
        moved_m = np.radians(np.abs(target - start) / 79) @ context.volumes.levers_m.T
        for before, after in pairwise(table_m):
            assert (np.abs(after - before) <= moved_m + 1e-12).all()
