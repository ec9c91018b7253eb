"""Pictures of the cell: markers lie where they are projected, what is hidden is hidden, noise is as set."""

from __future__ import annotations

from dataclasses import replace

import cv2
import mujoco
import numpy as np
import pytest

from lib.cell import Cell, no_errors
from lib.errors import BadInput
from lib.robot import Robot, link_frames, load_machine
from lib.settings_cell import Cell as CellSettings
from tests.lib.cell.camera.edges import line_corners

CAMERAS = ("left", "right", "above", "back")
POSES = (
    (-35.0, 45, 10, 10, -55, -30),
    (40.0, 50, -20, 0, -42, 0),
    (20.0, 30, 10, 30, -40, 20),
    (-60.0, 40, -30, -20, 30, 0),
)
QUIET = replace(CellSettings(), camera_noise_grey=0.0)


def detected(picture: np.ndarray) -> dict[int, np.ndarray]:
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_250)
    corners, ids, _ = cv2.aruco.ArucoDetector(dictionary, parameters).detectMarkers(picture)
    if ids is None:
        return {}
    quads = np.array(corners).reshape(-1, 4, 2)
    return {int(number): quad.astype(np.float64) for number, quad in zip(np.ravel(ids), quads, strict=True)}


def true_corners(cell: Cell) -> dict[int, np.ndarray]:
    """Corners of the board's and the links' markers, (4, 3) in the vendor's frame, by the kinematics."""
    assert cell.robot.file is not None
    machine = load_machine(cell.robot.file)
    found = {marker.id: marker.corners_m for marker in machine.board}
    rotations, places_m = link_frames(cell.robot, [cell.joints_deg()])
    names = [joint.link for joint in cell.robot.joints]
    for link in machine.links:
        for marker in link.markers:
            number = names.index(link.name)
            found[marker.id] = marker.corners_m @ rotations[0, number].T + places_m[0, number]
    return {number: corners for number, corners in found.items() if corners is not None}


def height_px(corners: np.ndarray) -> float:
    """How far the nearer two opposite sides of a quad are apart: its area over its longest side."""
    sides = np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1)
    x, y = (corners[2] - corners[0]), (corners[3] - corners[1])
    return float(abs(x[0] * y[1] - x[1] * y[0]) / 2 / sides.max())


def in_the_open(cell: Cell, camera: str, number: int, truth: dict[int, np.ndarray]) -> bool:
    """Whether nothing hides a marker's label, at 25 places of it.

    Solids by MuJoCo's own rays, other labels by the plane each lies in.
    """
    place = cell.film.eye(camera).place_m
    corners = truth[number]
    right, down = corners[1] - corners[0], corners[3] - corners[0]
    normal = np.cross(down, right) / np.linalg.norm(np.cross(down, right))
    shares = np.stack(np.meshgrid(*[np.linspace(-0.65, 0.65, 5)] * 2), axis=-1).reshape(-1, 2)
    rays = corners.mean(axis=0) + shares @ np.stack([right, down]) + 1e-4 * normal - place
    if _crossed(place, rays, np.array([other for label, other in truth.items() if label != number])):
        return False
    hit, groups = np.zeros(1, dtype=np.int32), np.ones(6, dtype=np.uint8)
    for ray in rays:
        # Body 0 is the table and the posts; the camera sits on one of those.
        depth = mujoco.mj_ray(cell._model, cell._data, place, ray, groups, True, 0, hit)
        if 0 <= depth < 1.0:
            return False
    return True


def _crossed(place: np.ndarray, rays: np.ndarray, others: np.ndarray) -> bool:
    """Whether any ray (n, 3) meets the face of any label (k, 4, 3) before its end."""
    right, down = others[:, 1] - others[:, 0], others[:, 3] - others[:, 0]
    normals = np.cross(down, right)
    towards = rays @ normals.T
    shares = np.einsum("kj,kj->k", others[:, 0] - place, normals) / np.where(towards < 0, towards, -1e-300)
    met = place + shares[..., None] * rays[:, None] - others.mean(axis=1)
    reach = 4 / 3 / 2 * np.einsum("kj,kj->k", right, right)  # a label is a third wider than its marker
    inside = np.abs(np.einsum("nkj,kj->nk", met, right)) < reach
    inside &= np.abs(np.einsum("nkj,kj->nk", met, down)) < reach
    return bool((inside & (towards < 0) & (shares > 0) & (shares < 1 - 1e-6)).any())


def test_markers_lie_within_a_tenth_of_a_pixel_of_where_opencv_projects_them(robot: Robot) -> None:
    cell = Cell(robot, CellSettings(), errors=no_errors(), scene="empty")
    by_lines, middles, corners_off, inwards = [], [], [], []
    for pose in POSES:
        cell.drive(pose, 100.0, 2.0)
        cell.drive(pose, 100.0, 0.5)
        truth = true_corners(cell)
        for camera in CAMERAS:
            picture, eye = cell.frame(camera), cell.film.eye(camera)
            for number, quad in detected(picture).items():
                if number not in truth:
                    continue
                expected = eye.pixels(eye.seen(truth[number]))
                if height_px(expected) < 34 or not in_the_open(cell, camera, number, truth):
                    continue
                by_lines.append(np.linalg.norm(line_corners(picture, quad) - expected, axis=1))
                middles.append(np.linalg.norm(quad.mean(axis=0) - expected.mean(axis=0)))
                corners_off.append(np.linalg.norm(quad - expected, axis=1))
                outwards = expected - expected.mean(axis=0)
                outwards /= np.linalg.norm(outwards, axis=1, keepdims=True)
                inwards.append(-((quad - expected) * outwards).sum(axis=1))
    assert len(middles) > 100
    # Where the edges' lines meet.
    assert np.median(by_lines) < 0.04
    assert np.quantile(by_lines, 0.95) < 0.15
    # ArUco's own sub-pixel corners: each a fifth of a pixel inside the square, as with any picture.
    assert np.quantile(middles, 0.95) < 0.1
    assert 0.1 < np.median(inwards) < 0.3
    assert np.quantile(corners_off, 0.95) < 0.45


def test_what_is_in_the_open_is_found_and_what_is_hidden_is_not(robot: Robot) -> None:
    cell = Cell(robot, QUIET, errors=no_errors(), scene="empty")
    random = np.random.default_rng(5)
    open_ones = found_ones = wrong = ghosts = 0
    for _ in range(4):
        pose = random.uniform([-60, 20, -30, -30, -60, -40], [60, 60, 10, 30, 20, 40])
        cell.drive(pose, 100.0, 2.0)
        cell.drive(pose, 100.0, 0.5)
        truth = true_corners(cell)
        for camera in CAMERAS:
            eye, found = cell.film.eye(camera), detected(cell.frame(camera))
            for number, corners in truth.items():
                seen = eye.seen(corners)
                expected = eye.pixels(seen)
                inside = (expected > 15).all() and (expected < np.array(eye.size_px) - 15).all()
                facing = np.cross(seen[3] - seen[0], seen[1] - seen[0]) @ -seen.mean(axis=0) > 0
                if (
                    inside
                    and facing
                    and height_px(expected) > 20
                    and in_the_open(cell, camera, number, truth)
                ):
                    open_ones += 1
                    found_ones += number in found
            for number, quad in found.items():
                if number not in truth:  # what ArUco takes for a marker now and then, as in any picture
                    ghosts += 1
                    continue
                expected = eye.pixels(eye.seen(truth[number]))
                wrong += bool(np.abs(quad.mean(axis=0) - expected.mean(axis=0)).max() > 3.0)
    assert open_ones > 300
    assert found_ones / open_ones > 0.98
    assert wrong == 0 and ghosts <= 2


def test_a_block_is_seen_where_the_cell_says_it_is(robot: Robot) -> None:
    cell = Cell(robot, QUIET, errors=no_errors(), scene="batch", joints_deg=(90, 0, 0, 0, 0, 0))
    cell.things.put_block("block2", 0.14, 0.20, 25.0)
    pose, eye = cell.pose("block2"), cell.film.eye("above")
    top = robot.twin_axes.T @ (pose.place_m + np.array([0.0, 0.015, 0.0]))
    quad = detected(cell.frame("above"))[QUIET.block_marker_first + 6 + 4]
    assert quad.mean(axis=0) == pytest.approx(eye.pixels(eye.seen(top)), abs=0.15)


def test_jitter_moves_each_corner_by_what_is_set(robot: Robot) -> None:
    errors = replace(no_errors(), pixel_noise_px=0.3)
    cell = Cell(robot, QUIET, seed=2, errors=errors, scene="empty", joints_deg=(90, 0, 0, 0, 0, 0))
    pictures = [detected(cell.frame("above")) for _ in range(20)]
    common = set.intersection(*(set(found) for found in pictures))
    board = sorted(number for number in common if number < 24)
    assert len(board) > 15
    corners = np.array([[found[number] for number in board] for found in pictures])
    assert corners.std(axis=0, ddof=1).mean() == pytest.approx(0.3, abs=0.03)


def test_noise_exposure_and_seed_make_the_picture(robot: Robot) -> None:
    def taken(settings: CellSettings, seed: int = 0) -> np.ndarray:
        return Cell(robot, settings, seed=seed, errors=no_errors(), scene="batch").frame("above")

    noisy, again, other = taken(CellSettings()), taken(CellSettings()), taken(CellSettings(), seed=1)
    assert np.array_equal(noisy, again)
    assert not np.array_equal(noisy, other)
    quiet = taken(QUIET)
    difference = noisy.astype(float) - quiet
    assert difference.std() == pytest.approx(2.0, abs=0.1)
    assert abs(difference.mean()) < 0.02
    darker = taken(replace(QUIET, camera_exposure=0.5))
    assert np.abs(darker - quiet / 2.0).max() <= 1.0


def test_grey_is_the_luminance_of_the_colours(robot: Robot) -> None:
    cell = Cell(robot, QUIET, errors=no_errors(), scene="batch", joints_deg=POSES[0])
    colour, grey = cell.frame("left", colour=True), cell.frame("left")
    assert (colour.shape, grey.shape) == ((1200, 1600, 3), (1200, 1600))
    luminance = cv2.cvtColor(colour, cv2.COLOR_BGR2GRAY).astype(float)
    assert np.quantile(np.abs(luminance - grey), 0.999) <= 3.0
    # The blocks are coloured: orange, green, blue.
    assert colour.max(axis=2).astype(int).max() - grey.min() > 100


def test_cameras_are_off_their_drawn_places_by_what_is_set(robot: Robot) -> None:
    drawn = Cell(robot, CellSettings(), errors=no_errors(), scene="empty").film
    errors = replace(no_errors(), camera_place_m=0.001, camera_turn_deg=0.1)
    shifts, turns = [], []
    for seed in range(60):
        film = Cell(robot, CellSettings(), seed=seed, errors=errors, scene="empty").film
        for camera in CAMERAS:
            here, there = film.eye(camera), drawn.eye(camera)
            shifts.append(here.place_m - there.place_m)
            turns.append(np.degrees(cv2.Rodrigues(here.rotation @ there.rotation.T)[0].ravel()))
    assert np.std(shifts) == pytest.approx(0.001, rel=0.1)
    assert np.std(turns) == pytest.approx(0.1, rel=0.1)


def test_a_camera_that_is_not_there_is_named(robot: Robot) -> None:
    cell = Cell(robot, CellSettings(), errors=no_errors(), scene="empty")
    with pytest.raises(BadInput, match='no camera "front"; expected left, right, above or back'):
        cell.frame("front")
    with pytest.raises(BadInput, match="has no file; expected one that names its cameras"):
        Cell(replace(robot, file=None), CellSettings(), errors=no_errors(), scene="empty").frame("left")
