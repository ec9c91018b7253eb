"""Cameras are placed by the board within what they say, or refused with the reason."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from lib.homing.placing import Placing, place_cameras
from lib.homing.rotations import vector_of
from lib.homing.views import Views
from lib.robot import load_machine
from tests.lib.homing.scenes import Conditions, Scene, scene

MACHINE = load_machine("rail7")
BENT = (-0.1, 0.05, 1e-3, -5e-4, 0.01)


def placed(one: Scene, views: Views | None = None) -> Placing:
    return place_cameras(MACHINE, {c.name: c.lens for c in one.cameras}, views or one.views)


def squared_deviations(one: Scene) -> list[float]:
    """Return each camera's error over its stated covariance, 1 on average."""
    found = []
    for camera, truth in zip((p.camera for p in placed(one).placed), one.cameras, strict=True):
        turn = vector_of(truth.rotation @ camera.rotation.T)
        shift = truth.shift_m - camera.shift_m - np.cross(turn, camera.shift_m)
        error = np.concatenate([turn, shift])
        assert camera.covariance is not None
        found.append(float(error @ np.linalg.solve(camera.covariance, error)) / 6)
    return found


def test_without_noise_a_camera_is_where_it_is() -> None:
    one = scene(MACHINE, 1, Conditions(noise_px=0.0, distortion=BENT))
    for camera, truth in zip((p.camera for p in placed(one).placed), one.cameras, strict=True):
        np.testing.assert_allclose(camera.place_m, truth.place_m, atol=1e-7)
        np.testing.assert_allclose(camera.rotation, truth.rotation, atol=1e-7)


def test_the_stated_covariance_is_what_cameras_are_off_by() -> None:
    deviations = [d for seed in range(60) for d in squared_deviations(scene(MACHINE, seed))]
    assert np.mean(deviations) == pytest.approx(1.0, abs=4 * np.sqrt(2 / (6 * len(deviations))))


def test_false_markers_and_corners_have_no_part_in_it() -> None:
    bad = Conditions(outlier_corners=0.15, false_markers=0.15)
    deviations = [d for seed in range(20) for d in squared_deviations(scene(MACHINE, seed, bad))]
    assert len(deviations) == 80
    assert np.mean(deviations) == pytest.approx(1.0, abs=4 * np.sqrt(2 / (6 * len(deviations))))
    assert max(deviations) < 6


def test_a_camera_that_sees_no_board_is_refused_alone() -> None:
    one = scene(MACHINE, 2)
    blind = one.views.rows((one.views.camera != 1) | (one.views.marker > 100))
    placing = placed(one, blind)
    assert [p.camera.name for p in placing.placed] == ["cam0", "cam2", "cam3"]
    assert [u.reason for u in placing.unplaced] == [
        "camera cam1: sees no marker of the board; expected at least two"
    ]


def test_one_board_marker_places_no_camera() -> None:
    one = scene(MACHINE, 2)
    alone = one.views.rows((one.views.camera != 1) | (one.views.marker == 7))
    (unplaced,) = placed(one, alone).unplaced
    assert "cam1: only one board marker fits; one marker's tilt has two readings" in unplaced.reason


def test_a_wrong_lens_is_noticed_by_the_boards_error() -> None:
    one = scene(MACHINE, 3)
    lens = one.cameras[0].lens
    wrong = {c.name: c.lens for c in one.cameras} | {
        "cam0": replace(lens, intrinsics_px=lens.intrinsics_px * [0.5, 1, 1, 1])
    }
    (unplaced,) = place_cameras(MACHINE, wrong, one.views).unplaced
    assert unplaced.name == "cam0"
    assert "px at most: was camera or board moved, or is the lens another?" in unplaced.reason


def test_a_camera_without_intrinsics_is_named() -> None:
    one = scene(MACHINE, 3)
    lenses = {c.name: c.lens for c in one.cameras[1:]}
    (unplaced,) = place_cameras(MACHINE, lenses, one.views).unplaced
    assert unplaced.reason == "camera cam0: no intrinsics known; run calibrate camera"
