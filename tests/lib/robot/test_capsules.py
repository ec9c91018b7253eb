"""The robot's body: where its capsules are, that it clears what it must, and what its file may say."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import fsolve

import lib.robot
from lib.errors import BadInput
from lib.robot import GRIPPER, Robot, flange_poses, link_capsules, link_frames, load_robot, tip_points

MECHARM270 = Path(lib.robot.__file__).parent / "robots" / "mecharm270.json"
PICK = (-35.0, 70.0, 25.0, 0.0, -85.0, -30.0)


def mecharm270() -> Robot:
    robot = load_robot("mecharm270")
    assert robot is not None
    return robot


@given(st.lists(st.floats(-360, 360), min_size=6, max_size=6))
def test_links_are_chained_by_the_files_transforms(joints: list[float]) -> None:
    robot = mecharm270()
    rotations, positions_m = link_frames(robot, [joints])
    turn, place = np.eye(3), np.zeros(3)
    for number, (joint, angle) in enumerate(zip(robot.joints, np.radians(joints), strict=True)):
        place = place + turn @ joint.origin_m
        c, s = np.cos(angle), np.sin(angle)
        turn = turn @ joint.origin_rotation @ np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
        assert rotations[0, number] == pytest.approx(turn, abs=1e-12)
        assert positions_m[0, number] == pytest.approx(place, abs=1e-12)
    flange_rotations, flange_m = flange_poses(robot, [joints])
    assert np.array_equal(rotations[:, 5], flange_rotations)
    assert np.array_equal(positions_m[:, 5], flange_m)


def test_at_zero_the_capsules_stand_where_the_file_draws_them() -> None:
    robot = mecharm270()
    body = link_capsules(robot, np.zeros((1, 6)))
    assert body.links == (
        *["link1"] * 2, "link2", "link3", *["link4"] * 2, "link5", "link6", *[GRIPPER] * 3,
    )  # fmt: skip
    # The upper arm stands upright on the shoulder, 138 to 238 mm above the table.
    assert body.ends_m[0, 2] == pytest.approx(np.array([[0, 0.138, 0], [0, 0.238, 0]]), abs=1e-12)
    assert body.radii_m[2] == pytest.approx(0.026)
    # The forearm and the tool lie level at 243 mm, pointing forward (z).
    assert body.ends_m[0, -2, :, 2] == pytest.approx([0.168 + 0.012, 0.168 + 0.060])
    assert body.ends_m[0, -2, :, 1] == pytest.approx(0.243)


def test_a_body_does_not_depend_on_its_neighbours_in_the_batch() -> None:
    robot = mecharm270()
    joints = np.random.default_rng(1).uniform(-90, 90, (10_000, 6))
    together = link_capsules(robot, joints).ends_m
    assert np.array_equal(link_capsules(robot, joints[9_000:9_003]).ends_m, together[9_000:9_003])


def test_at_the_pick_pose_every_links_axis_is_54_mm_above_the_table() -> None:
    body = link_capsules(mecharm270(), [PICK])
    links = [number for number, link in enumerate(body.links) if link != GRIPPER]
    assert body.ends_m[0, links, :, 1].min() >= 0.054


@pytest.mark.parametrize("pitch_deg", [0.0, -5.0, -10.0, -15.0])
def test_a_tip_at_10_mm_held_down_leaves_5_mm_under_the_gripper_and_the_links(pitch_deg: float) -> None:
    robot = mecharm270()
    # The pick pose stretched out, its j2 and j4 turned until tip and pitch are so.
    joints = np.array([-35.0, 100.0, 0.0, 0.0, -85.0, -30.0])

    def off(turned: np.ndarray) -> list[float]:
        joints[[2, 4]] = turned
        rotations, _ = flange_poses(robot, [joints])
        height_m = tip_points(robot, [joints])[0, 1]
        return [
            (height_m - 0.010) * 1000,
            (robot.twin_axes @ rotations[0][:, 2])[1] - np.sin(np.radians(pitch_deg)),
        ]

    turned, _, found, _ = fsolve(off, [joints[2], joints[4]], full_output=True)
    assert found == 1 and off(turned) == pytest.approx([0.0, 0.0], abs=1e-6)
    body = link_capsules(robot, [joints])
    low_m = body.ends_m[0, :, :, 1].min(axis=1) - body.radii_m
    assert low_m[[link == GRIPPER for link in body.links]].min() > 0.005
    # Level, the wrist itself is down at 18 mm: only the gripper is flat enough for that.
    assert (low_m.min() > 0.005) == (pitch_deg < 0.0)


def test_a_robot_without_a_body_says_what_its_file_lacks() -> None:
    with pytest.raises(BadInput, match='robot "mecharm270" has no shape: expected mass_kg and capsules'):
        link_capsules(replace(mecharm270(), shape=None), np.zeros((1, 6)))


def test_a_file_may_describe_the_chain_only(tmp_path: Path) -> None:
    def bare(document: dict[str, Any]) -> None:
        for link in document["links"].values():
            for key in ("mass_kg", "capsules", "gripper"):
                link.pop(key, None)

    robot = load_robot(changed(tmp_path, bare))
    assert robot is not None and robot.shape is None


Change = Callable[[dict[str, Any]], object]


def changed(folder: Path, change: Change) -> Path:
    document = json.loads(MECHARM270.read_text())
    change(document)
    path = folder / "robot.json"
    path.write_text(json.dumps(document))
    return path


def gripper(document: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = document["links"]["link6"]["gripper"]
    return found


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: d["links"]["link3"].pop("capsules"), "links.link3: capsules is missing"),
        (lambda d: d["links"]["base"].pop("mass_kg"), "links.base: mass_kg is missing"),
        (lambda d: d["links"]["link3"].update(mass_kg=0), "links.link3.mass_kg: 0; expected more than zero"),
        (lambda d: d["links"]["link3"].update(capsules=[]),
         "links.link3.capsules: []; expected a list of one capsule or more"),
        (lambda d: d["links"]["link3"]["capsules"][0].update(radius_mm=-1),
         "links.link3.capsules[0].radius_mm: -1; expected more than zero"),
        (lambda d: d["links"]["link3"]["capsules"][0].pop("to_mm"),
         "links.link3.capsules[0]: to_mm is missing"),
        (lambda d: d["links"]["link2"].update(gripper={}),
         "links.link2.gripper: a gripper belongs to the last link, link6"),
        (lambda d: gripper(d).update(across=[0, 0, 1]),
         "links.link6.gripper.across: [0.0, 0.0, 1.0]; expected a unit vector square to z"),
        (lambda d: gripper(d).update(stroke_mm=[60, 0]),
         "links.link6.gripper.stroke_mm: [60.0, 0.0]; expected closed, then open"),
        (lambda d: gripper(d)["fingers"].update(from_mm=106),
         "links.link6.gripper.fingers: from_mm 106 to_mm 106; expected from before to"),
        (lambda d: gripper(d).update(empty_value=100),
         "links.link6.gripper.empty_value: 100; expected a gripper value below 100"),
    ],
)  # fmt: skip
def test_a_body_that_makes_no_sense_is_refused_by_its_place(
    tmp_path: Path, change: Change, message: str
) -> None:
    path = changed(tmp_path, change)
    with pytest.raises(BadInput) as refusal:
        load_robot(path)
    assert str(refusal.value).startswith(f"{path}: ") and message in str(refusal.value)
