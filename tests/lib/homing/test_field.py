"""What goes wrong in the field and is not told by another test's name."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from lib.homing import home
from lib.homing.noise import DETECTOR_NOISE
from lib.homing.pixel_ba import sightings_of, solve_pixels
from lib.homing.pixel_ba.bundle import Bundle, Unknowns, fit
from lib.robot import load_machine
from tests.lib.homing.scenes import Conditions, scene

MACHINE = load_machine("rail7")


def test_opencv_5_gives_flat_ids_and_corners_and_has_no_old_free_functions() -> None:
    board = cv2.aruco.CharucoBoard(
        (5, 7), 0.036, 0.018, cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_6X6_250)
    )
    corners, ids, _, _ = cv2.aruco.CharucoDetector(board).detectBoard(
        board.generateImage((500, 700), None, 20)
    )
    assert (ids.shape, corners.shape) == ((24,), (24, 2))
    points, pixels = board.matchImagePoints(corners, ids)  # type: ignore[call-overload]  # its stubs want lists
    assert (points.shape, pixels.shape) == ((24, 3), (24, 2))
    projected, _ = cv2.projectPoints(points, np.zeros(3), np.array([0, 0, 1.0]), np.eye(3), None)
    assert projected.shape == (24, 1, 2)
    assert (projected - pixels).shape == (24, 24, 2)  # the silent broadcast nobody may rely on
    for gone in ("detectMarkers", "estimatePoseSingleMarkers", "estimatePoseBoard"):
        assert not hasattr(cv2.aruco, gone)
    assert cv2.aruco.DetectorParameters().cornerRefinementMethod == cv2.aruco.CORNER_REFINE_NONE
    assert hasattr(cv2, "calibrateHandEye")  # missing in 5.0.0, back in 5.1; nothing here needs it


@pytest.mark.parametrize("a_deg", [179.98, -179.98, 180.0])
def test_an_angle_at_the_wrap_comes_back_on_its_own_side_of_the_limits(a_deg: float) -> None:
    base = scene(MACHINE, 3)
    values = base.values.copy()
    values[3] = np.radians(a_deg)
    one = scene(MACHINE, 3, values=values)
    found = home(MACHINE, {c.name: c.lens for c in one.cameras}, one.views).movements[3]
    assert found.value is not None
    assert found.std is not None
    off = (found.value - a_deg + 180) % 360 - 180
    assert abs(off) < 5 * found.std
    assert -180.5 <= found.value <= 180.5
    assert found.confidence == "high"


def test_a_fit_that_converged_at_the_wrong_place_is_known_by_its_residual() -> None:
    one = scene(MACHINE, 4, Conditions(dropped=0))
    sightings = sightings_of(MACHINE, one.cameras, one.views)
    wrong = one.values.copy()
    wrong[3] += np.pi  # the roll of the forearm, half a turn off
    bundle = Bundle(MACHINE, one.cameras, (sightings,))
    stuck = fit(bundle, Unknowns.of(bundle, wrong[None]), DETECTOR_NOISE)
    assert np.abs((stuck.values[0] - one.values)[1:]).max() > 0.3  # at rest, and nowhere near
    good = solve_pixels(MACHINE, one.cameras, sightings)
    assert stuck.cost > 100 * fit(bundle, Unknowns.of(bundle, good.values[None]), DETECTOR_NOISE).cost
    seeded = solve_pixels(MACHINE, one.cameras, sightings, dict(enumerate(wrong)))
    np.testing.assert_allclose(seeded.values, good.values, atol=1e-6)


def test_a_mirrored_robot_file_is_not_believed() -> None:
    """Markers whose corners run the other way are refused when the file is read; here in the pictures."""
    one = scene(MACHINE, 5, Conditions(dropped=0))
    width = one.cameras[0].lens.size_px[0]
    mirrored = one.views.corners_px.copy()
    mirrored[..., 0] = width - 1 - mirrored[..., 0]
    board = one.views.marker < 100
    views = replace(one.views, corners_px=np.where(board[:, None, None], one.views.corners_px, mirrored))
    found = home(MACHINE, {c.name: c.lens for c in one.cameras}, views)
    assert found.fallback is not None
    assert not found.confident


def test_a_link_two_cameras_see_differently_is_settled_by_the_rest_of_the_chain() -> None:
    one = scene(MACHINE, 6, Conditions(dropped=0))
    ids = [m.id for m in MACHINE.links[MACHINE.link_index("Ellbow")].markers]
    own = np.flatnonzero(np.isin(one.views.marker, ids))
    kept = np.ones(len(one.views.marker), dtype=bool)
    kept[own[2:]] = False
    views = one.views.rows(kept)
    false = np.flatnonzero(np.isin(views.marker, ids))[0]
    corners = views.corners_px.copy()
    corners[false] += 120
    found = home(
        MACHINE, {c.name: c.lens for c in one.cameras}, replace(views, corners_px=corners)
    ).movements[2]
    assert found.value is not None
    assert found.std is not None
    assert abs(found.value - np.degrees(one.values[2])) < 5 * found.std
