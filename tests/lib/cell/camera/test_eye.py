"""An eye projects as OpenCV does, and back."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from lib.cell import Cell, no_errors
from lib.cell.camera.eye import looking
from lib.robot import Robot
from lib.settings_cell import Cell as CellSettings


@pytest.mark.parametrize("name", ["left", "right", "above", "back"])
def test_points_fall_where_opencv_projects_them_and_rays_lead_back(robot: Robot, name: str) -> None:
    eye = Cell(robot, CellSettings(), errors=no_errors(), scene="empty").film.eye(name)
    points = np.random.default_rng(0).uniform([-0.1, -0.35, 0.0], [0.35, 0.35, 0.3], (2_000, 3))
    fx, fy, cx, cy = eye.intrinsics_px
    matrix = np.array([[fx, 0, cx], [0, fy, cy], [0, 0, 1]])
    turn, shift = cv2.Rodrigues(eye.rotation)[0], -eye.rotation @ eye.place_m
    expected = cv2.projectPoints(points, turn, shift, matrix, eye.distortion)[0].reshape(-1, 2)
    pixels = eye.pixels(eye.seen(points))
    assert np.abs(pixels - expected).max() < 1e-9
    seen = eye.seen(points)
    assert np.abs(eye.rays(pixels) - seen[:, :2] / seen[:, 2:]).max() * fx < 1e-6


def test_a_camera_looks_where_it_is_told_with_up_upwards() -> None:
    place, at = np.array([0.6, 0.5, 0.4]), np.array([0.1, 0.0, 0.1])
    rotation = looking(place, at)
    assert rotation @ rotation.T == pytest.approx(np.eye(3), abs=1e-12)
    assert np.linalg.det(rotation) == pytest.approx(1.0)
    straight = rotation @ (at - place)
    assert straight == pytest.approx([0, 0, np.linalg.norm(at - place)], abs=1e-12)
    # y points down in a picture.
    assert (rotation @ [0.0, 0.0, 1.0])[1] < 0
    assert (rotation @ [0.0, 0.0, 1.0])[0] == pytest.approx(0.0, abs=1e-12)
    # Straight down: the arm's forward is up in the picture, its right (the vendor's -y) is right.
    down = looking(np.array([0.2, 0.0, 0.9]), np.array([0.2, 0.0, 0.0]))
    assert down @ [1.0, 0.0, 0.0] == pytest.approx([0, -1, 0], abs=1e-12)
    assert down @ [0.0, -1.0, 0.0] == pytest.approx([1, 0, 0], abs=1e-12)
