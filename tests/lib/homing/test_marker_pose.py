"""Markers are where several cameras agree they are; one small view leaves two readings."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from lib.homing.camera import Camera
from lib.homing.lens import Lens
from lib.homing.marker_pose import marker_poses
from lib.homing.rotations import rotation_of
from lib.homing.views import Views
from lib.robot import load_machine
from tests.lib.homing.scenes import Conditions, Scene, markers_in_world, scene

MACHINE = load_machine("rail7")


def truth(one: Scene) -> dict[int, tuple[np.ndarray, np.ndarray]]:
    ids, corners_m, normals = markers_in_world(MACHINE, one.values)
    return {int(i): (c.mean(axis=0), n) for i, c, n in zip(ids, corners_m, normals, strict=True)}


def test_without_noise_markers_are_exact() -> None:
    one = scene(MACHINE, 1, Conditions(noise_px=0, dropped=0, distortion=(-0.1, 0.05, 1e-3, 0, 0.01)))
    poses, true = marker_poses(MACHINE, one.cameras, one.views), truth(one)
    assert {pose.id for pose in poses} == set(one.own.marker.tolist())
    for pose in poses:
        np.testing.assert_allclose(pose.position_m, true[pose.id][0], atol=1e-6)
        np.testing.assert_allclose(pose.normal, true[pose.id][1], atol=1e-5)
        assert pose.num_cameras == (one.views.marker == pose.id).sum()


def test_several_cameras_place_a_marker_to_tenths_of_a_millimetre() -> None:
    off_mm, off_deg = [], []
    for seed in range(10):
        one = scene(MACHINE, seed)
        true = truth(one)
        for pose in marker_poses(MACHINE, one.cameras, one.views):
            if pose.num_cameras > 1:
                off_mm.append(1000 * np.linalg.norm(pose.position_m - true[pose.id][0]))
                off_deg.append(np.degrees(np.arccos(min(1.0, float(pose.normal @ true[pose.id][1])))))
                assert pose.flipped is None
    assert np.mean(off_mm) < 0.3
    assert np.mean(off_deg) < 1.0


def test_of_two_views_that_disagree_none_is_believed() -> None:
    one = scene(MACHINE, 2, Conditions(dropped=0))
    ids, counts = np.unique(one.own.marker, return_counts=True)
    twice = int(ids[counts == 2][0])
    row = np.flatnonzero(one.views.marker == twice)[0]
    corners = one.views.corners_px.copy()
    corners[row] += 150
    poses = marker_poses(MACHINE, one.cameras, replace(one.views, corners_px=corners))
    assert twice not in {pose.id for pose in poses}


def test_a_false_view_beside_two_true_ones_is_left_out() -> None:
    one = scene(MACHINE, 2, Conditions(dropped=0, cameras=6))
    ids, counts = np.unique(one.own.marker, return_counts=True)
    often = int(ids[counts == 3][0])
    row = np.flatnonzero(one.views.marker == often)[0]
    corners = one.views.corners_px.copy()
    corners[row] += 150
    poses = marker_poses(MACHINE, one.cameras, replace(one.views, corners_px=corners))
    (pose,) = [pose for pose in poses if pose.id == often]
    assert pose.num_cameras == 2
    assert np.linalg.norm(pose.position_m - truth(one)[often][0]) < 0.002


def test_a_single_small_view_keeps_both_readings_and_one_is_right() -> None:
    single = flipped = 0
    for seed in range(10):
        one = scene(MACHINE, seed)
        true = truth(one)
        for pose in marker_poses(MACHINE, one.cameras, one.views):
            if pose.num_cameras == 1 and pose.flipped is not None:
                single += 1
                off_deg = [
                    np.degrees(np.arccos(min(1.0, float(normal @ true[pose.id][1]))))
                    for normal in (pose.normal, pose.flipped[1])
                ]
                flipped += off_deg[1] < off_deg[0]
                assert min(off_deg) < 20
    assert single > 50
    assert flipped > 0.1 * single  # so often the reading that fits better is the wrong one


@pytest.mark.parametrize(
    ("side_px", "tilt_deg", "published"), [(20, 5, 0.42), (40, 30, 0.13), (80, 30, 0.003)]
)
def test_a_single_views_normal_flips_as_often_as_measured(
    side_px: float, tilt_deg: float, published: float
) -> None:
    random = np.random.default_rng(7)
    focal_px, size_m, trials = 1600.0, 0.04, 1000
    half = size_m / 2
    square = np.array([[-half, half, 0], [half, half, 0], [half, -half, 0], [-half, -half, 0]])
    second = 0
    for _ in range(trials):
        around, tilt = random.uniform(0, 2 * np.pi), np.radians(tilt_deg)
        facing = rotation_of(np.array([np.pi, 0, 0]))
        turn = rotation_of(tilt * np.array([np.cos(around), np.sin(around), 0])) @ facing
        turn = turn @ rotation_of(np.array([0, 0, random.uniform(0, 2 * np.pi)]))
        place = np.array([*random.uniform(-0.1, 0.1, 2), focal_px * size_m / side_px])
        inside = square @ turn.T + place
        pixels = focal_px * inside[:, :2] / inside[:, 2:] + random.normal(0, 0.3, (4, 2))
        _, turns, _, _ = cv2.solvePnPGeneric(
            square, pixels / focal_px, np.eye(3), None, flags=cv2.SOLVEPNP_IPPE_SQUARE
        )
        nearness = [float(rotation_of(np.ravel(t))[:, 2] @ turn[:, 2]) for t in turns]
        second += len(nearness) > 1 and nearness[1] > nearness[0]
    spread = np.sqrt(published * (1 - published) / trials)
    assert second / trials == pytest.approx(published, abs=4 * spread + 0.4 * published)


def test_a_large_single_view_is_believed() -> None:
    lens = Lens(np.array([1600.0, 1600, 960, 600]), np.zeros(5), (1920, 1200))
    camera = Camera("near", lens, np.diag([1.0, -1, -1]), np.array([0.0, 0, 0.5]))
    marker = MACHINE.link_markers[197]
    half = marker.size_m / 2
    flat = np.array([[-half, half, 0], [half, half, 0], [half, -half, 0], [-half, -half, 0]])
    tilted = flat @ rotation_of(np.array([0.5, 0, 0])).T
    views = Views(("near",), np.array([0]), np.array([197]), camera.pixels(tilted)[None], np.zeros(1))
    (pose,) = marker_poses(MACHINE, [camera], views)
    assert pose.flipped is None  # 128 px wide
    np.testing.assert_allclose(pose.normal, rotation_of(np.array([0.5, 0, 0]))[:, 2], atol=1e-6)
