"""What went wrong with a scan is named: every cause is made here and must be told from all the others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from lib.robot import Robot, load_robot, tip_points
from lib.table.audits.audit import Audit
from lib.table.audits.self_consistency import self_consistency
from lib.table.chain_fit import fit_tips, implied_tips
from tests.lib.table.conftest import measured, poses

LIMIT_M, LIMIT_SHARE = 1e-3, 1e-3
# What a real twin's tip scatters by: the chain explains the published figures to 0.05 mm.
NOISE_M = 5e-5

Spoil = Callable[[np.ndarray], np.ndarray]


def robot() -> Robot:
    found = load_robot("mecharm270")
    assert found is not None
    return found


def audit(points: np.ndarray, *, first: bool) -> Audit:
    """Judge a scan, as the first one of a table or against a table of good rows."""
    table = measured(poses(2_000, seed=9))
    fit = None if first else fit_tips(robot(), implied_tips(robot(), table), LIMIT_M)
    noise = np.random.default_rng(5).normal(0, NOISE_M / np.sqrt(3), (len(points), 3))
    scan = points + np.pad(noise, ((0, 0), (0, 6)))
    lines = np.arange(2, len(points) + 2)
    return self_consistency(robot(), fit, scan, lines, LIMIT_M, LIMIT_SHARE)[0]


def columns(*order: int, signs: tuple[int, ...] = (1,) * 9) -> Spoil:
    return lambda points: points[:, order] * np.array(signs)


def with_tool(longer_m: tuple[float, float, float]) -> Spoil:
    def spoil(points: np.ndarray) -> np.ndarray:
        tool = replace(robot(), tip_m=robot().tip_m + np.array(longer_m))
        return np.hstack([tip_points(tool, points[:, 3:]), points[:, 3:]])

    return spoil


def moved(*offset_m: float) -> Spoil:
    return lambda points: points + np.pad(offset_m, (0, 6))


def scaled(lengths: float, angles: float = 1.0) -> Spoil:
    return lambda points: points * np.repeat([lengths, angles], (3, 6))


def late(poses_late: int) -> Spoil:
    return lambda points: np.hstack([np.roll(points[:, :3], poses_late, axis=0), points[:, 3:]])


def zero_moved(joint: int, by_deg: float) -> Spoil:
    def spoil(points: np.ndarray) -> np.ndarray:
        joints = points[:, 3:].copy()
        joints[:, joint] += by_deg
        return np.hstack([tip_points(robot(), joints), points[:, 3:]])

    return spoil


def turned(points: np.ndarray) -> np.ndarray:
    c, s = np.cos(np.radians(4)), np.sin(np.radians(4))
    turn = np.array([[1, 0, 0], [0, c, -s], [0, s, c]])
    return np.hstack([points[:, :3] @ turn.T + [0.003, 0, 0.01], points[:, 3:]])


J = (3, 4, 5, 6, 7, 8)
CAUSES: list[tuple[Spoil, str, str]] = [
    (columns(2, 1, 0, *J), "swapped axes", "the scan's columns are x z -y of the vendor's frame"),
    (columns(2, 0, 1, *J), "swapped axes", "the scan's columns are x -y z of the vendor's frame"),
    (columns(0, 1, 2, *J, signs=(-1, 1, 1, *(1,) * 6)), "negated axes", "columns are y z x of"),
    (moved(0.005, 0, 0), "moved base", "displaced by (5.0, 0.0, 0.0) mm in the twin's axes"),
    (moved(0.002, -0.001, -0.004), "moved base", "displaced by (2.0, -1.0, -4.0) mm"),
    (columns(0, 1, 2, *J[::-1]), "reversed joint columns", "hold j5 j4 j3 j2 j1 j0"),
    (columns(0, 1, 2, 3, 5, 6, 4, 7, 8), "permuted joint columns", "hold j0 j2 j3 j1 j4 j5"),
    (columns(*range(9), signs=(1, 1, 1, 1, -1, 1, 1, 1, 1)), "negated joint columns", "hold j0 -j1 j2 j3"),
    (columns(*range(9), signs=(1, 1, 1, *(-1,) * 6)), "negated joint columns", "hold -j0 -j1 -j2 -j3 -j4"),
    (
        columns(0, 1, 2, *J[::-1], signs=(1, 1, 1, 1, 1, -1, 1, 1, 1)),
        "reversed and negated joint columns",
        "hold j5 j4 -j3 j2 j1 j0",
    ),
    (scaled(1 / 0.0254), "another unit of length", "inches read as metres"),
    (scaled(0.1), "another unit of length", "centimetres read as millimetres"),
    (scaled(1 / 0.3048), "another unit of length", "feet read as metres"),
    (scaled(1.02), "another unit of length", "1.02 times as far from the base as the chain puts them"),
    (scaled(1.0, np.pi / 180), "another unit of angle", "radians read as degrees"),
    (late(1), "a skipped pose", "the rows hold the tip of the pose before"),
    (late(-1), "a skipped pose", "the rows hold the tip of the pose after"),
    (late(3), "a skipped pose", "the rows hold the tip of the pose 3 before"),
    (zero_moved(2, 3.0), "a joint's zero moved", "j2 is +3.00 deg further than the scan says"),
]
# Where no tip is known that they could differ from, these are a good first scan, or a wrong robot.
AGAINST_A_TABLE: list[tuple[Spoil, str, str]] = [
    (with_tool((0.0, 0.0, 0.012)), "another tool", "the scan's tip is 12.0 mm from the table's"),
    (with_tool((0.003, -0.002, 0.0)), "another tool", "the scan's tip is 3.6 mm from the table's"),
    (turned, "moved and turned base", "turned by 4.00 deg and displaced by (3.0, 0.0, 10.0) mm"),
]


@pytest.mark.parametrize(
    ("spoil", "name", "said", "first"),
    [
        *((*cause, first) for cause in CAUSES for first in (False, True)),
        *((*cause, False) for cause in AGAINST_A_TABLE),
    ],
)
def test_a_cause_is_named_and_no_other_with_it(spoil: Spoil, name: str, said: str, first: bool) -> None:
    found = audit(spoil(measured(poses(300))), first=first)
    assert found.ok is False
    assert found.figures["cause_name"] == name
    assert f": {name}: " in found.message and said in found.message
    assert "fits as well" not in found.message
    left_m = found.figures["cause_leaves_m"]
    assert isinstance(left_m, float) and left_m < 0.6e-3


def test_where_nothing_explains_the_scan_it_is_another_robot() -> None:
    scan = measured(poses(300))
    scan[:, :3] = np.random.default_rng(0).uniform(-0.3, 0.3, (300, 3))
    for first in (False, True):
        found = audit(scan, first=first)
        assert found.figures["cause_name"] is None
        assert "the robot file mecharm270 does not describe the machine" in found.message


def test_another_arm_is_another_robot() -> None:
    longer = list(robot().joints)
    longer[3] = replace(longer[3], origin_m=longer[3].origin_m * 1.3)
    joints = poses(300)
    scan = np.hstack([tip_points(replace(robot(), joints=tuple(longer)), joints), joints])
    found = audit(scan, first=False)
    assert found.figures["cause_name"] is None and "does not describe the machine" in found.message


def test_causes_that_fit_equally_are_all_said() -> None:
    joints = np.round(poses(1) + np.random.default_rng(0).uniform(-0.05, 0.05, (300, 6)), 4)
    scan = measured(joints)
    scan[:, 0] += 0.005  # all rows stand alike: a longer tool and a moved base look the same
    said = audit(scan, first=False).message
    assert "another tool: " in said and "; fits as well: moved base: " in said


def test_a_half_turn_about_the_base_may_be_axes_or_a_joints_zero() -> None:
    said = audit(columns(*range(9), signs=(-1, 1, -1, *(1,) * 6))(measured(poses(300))), first=False).message
    assert "negated axes: the scan's columns are y z -x" in said
    assert "; fits as well: a joint's zero moved: j0 is " in said and "180.00 deg" in said


@pytest.mark.parametrize(
    ("first_bad", "last_bad", "first"),
    [(200, 209, False), (200, 209, True), (100, 299, False)],  # of a first scan, most rows say what is right
)
def test_the_cause_of_a_part_is_named_with_its_lines(first_bad: int, last_bad: int, first: bool) -> None:
    scan = measured(poses(300))
    scan[first_bad : last_bad + 1, 2] += 0.003
    found = audit(scan, first=first)
    assert found.figures["cause_name"] == "moved base"
    assert (
        f"part of the scan, between lines {first_bad + 2} and {last_bad + 2}, is displaced, "
        "typically by 3.0 mm; moved base: the tips are displaced by (0.0, 0.0, 3.0) mm"
    ) in found.message


def test_a_few_rows_that_share_nothing_are_only_displaced() -> None:
    scan = measured(poses(300))
    scan[[50, 90, 120, 180, 200, 290], :3] += np.random.default_rng(1).uniform(-0.02, 0.02, (6, 3))
    found = audit(scan, first=False)
    assert found.figures["cause_name"] is None
    assert "part of the scan, between lines 52 and 292, is displaced" in found.message
