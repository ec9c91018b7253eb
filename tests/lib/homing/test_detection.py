"""Markers are found in photos to a few hundredths of a pixel, and what is wrong with a photo is named."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from lib.homing import Lens
from lib.homing.detection import detect
from lib.homing.sharpen import sharpened

LENS = Lens(np.array([600.0, 602.0, 262.0, 198.0]), np.array([-0.12, 0.05, 1e-3, -5e-4, 0.0]), (520, 400))
STRAIGHT = Lens(LENS.intrinsics_px, np.zeros(5), LENS.size_px)
FINE = 3


def photo(
    places: dict[int, np.ndarray],
    dictionary: str = "DICT_4X4_250",
    lens: Lens = STRAIGHT,
    noise: float = 2.0,
    blur_px: float = 0.6,
    twice: int | None = None,
) -> np.ndarray:
    """Draw markers at corner rays (4, 2), through a lens, fine and averaged down, blurred, noisy."""
    width, height = lens.size_px
    x, y = np.meshgrid(np.arange(width * FINE), np.arange(height * FINE))
    pixels = ((np.stack([x, y], axis=-1) + 0.5) / FINE - 0.5).astype(np.float32)
    focal = lens.intrinsics_px[:2].astype(np.float32)
    rays = (pixels - lens.intrinsics_px[2:].astype(np.float32)) / focal
    for _ in range(12 if lens.distortion.any() else 0):  # quicker here than Newton's method
        rays += (pixels - lens.pixels(np.asarray(rays, dtype=np.float64)).astype(np.float32)) / focal
    picture = np.full((height * FINE, width * FINE), 150, dtype=np.uint8)
    known = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, dictionary))
    for number, corners in places.items():
        side = 100
        marker = cv2.aruco.generateImageMarker(known, number if twice is None else twice, side)
        label = cv2.copyMakeBorder(marker, 16, 16, 16, 16, cv2.BORDER_CONSTANT, value=255)
        square = np.array([[16, 16], [116, 16], [116, 116], [16, 116]], dtype=np.float32) - np.float32(0.5)
        warp = cv2.getPerspectiveTransform(corners.astype(np.float32), square)
        at = cv2.perspectiveTransform(rays.reshape(1, -1, 2), warp).reshape(*rays.shape)
        inside = ((at > -0.5) & (at < len(label) - 0.5)).all(axis=-1)
        drawn = cv2.remap(label, at.astype(np.float32), None, cv2.INTER_NEAREST)
        picture[inside] = drawn[inside]
    small = cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA)
    small = cv2.GaussianBlur(small, (0, 0), blur_px)
    noisy = small + np.random.default_rng(0).normal(0, noise, small.shape)
    return np.clip(np.round(noisy), 0, 255).astype(np.uint8)


def square_rays(middle: tuple[float, float], side: float, turn: float, lean: float = 0.0) -> np.ndarray:
    """Return corner rays of a square, clockwise in the picture, leant over."""
    unit = 0.5 * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1.0]]) * [1.0, np.cos(lean)]
    c, s = np.cos(turn), np.sin(turn)
    return np.asarray(middle) + side * unit @ np.array([[c, s], [-s, c]])


PLACES = {
    7: square_rays((-0.2, -0.15), 0.09, 0.3),
    8: square_rays((0.1, -0.1), 0.06, -0.7, 0.6),
    9: square_rays((0.15, 0.15), 0.12, 1.1, 0.4),
    21: square_rays((-0.2, 0.12), 0.05, 2.0),
}


def errors_px(lens: Lens, use_lens: bool) -> dict[int, float]:
    views = detect(
        {"cam": photo(PLACES, lens=lens)}, "DICT_4X4_250", {"cam": lens} if use_lens else None
    ).views
    assert sorted(views.marker.tolist()) == sorted(PLACES)
    return {
        int(i): float(np.linalg.norm(px - lens.pixels(PLACES[int(i)]), axis=1).max())
        for i, px in zip(views.marker, views.corners_px, strict=True)
    }


def test_corners_are_right_to_a_few_hundredths_of_a_pixel() -> None:
    assert max(errors_px(STRAIGHT, use_lens=False).values()) < 0.08


def test_edges_do_better_than_corner_windows() -> None:
    picture = photo(PLACES)
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    known = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_250)
    corners, ids, _ = cv2.aruco.ArucoDetector(known, parameters).detectMarkers(picture)
    windows, edges = [], []
    for i, px in zip(np.ravel(ids), corners, strict=True):
        true = STRAIGHT.pixels(PLACES[int(i)])
        windows.append(np.linalg.norm(px[0] - true, axis=1).max())
        edges.append(np.linalg.norm(sharpened(picture, px[0].astype(float))[0] - true, axis=1).max())
    assert np.mean(edges) < 0.5 * np.mean(windows)


def test_a_known_lens_straightens_the_edges_it_bends() -> None:
    bent = Lens(LENS.intrinsics_px, np.array([-0.35, 0.1, 0, 0, 0.0]), LENS.size_px)
    without, with_lens = errors_px(bent, use_lens=False), errors_px(bent, use_lens=True)
    assert with_lens[9] < 0.1
    assert with_lens[9] < without[9]


def test_a_small_view_says_that_its_corners_are_worse() -> None:
    small = {3: square_rays((0, 0), 0.02, 0.2), 4: square_rays((0.2, 0), 0.06, 0.2)}
    views = detect({"cam": photo(small)}, "DICT_4X4_250").views
    floors = dict(zip(views.marker.tolist(), views.floor_px.tolist(), strict=True))
    assert floors[3] > 3 * floors[4]
    assert floors[4] == pytest.approx(0.03)


def test_an_edge_that_cannot_be_read_leaves_the_corners_as_they_were() -> None:
    flat = np.full((100, 100), 128, dtype=np.uint8)
    corners = np.array([[20.0, 20], [60, 20], [60, 60], [20, 60]])
    found, floor_px = sharpened(flat, corners)
    np.testing.assert_array_equal(found, corners)
    assert floor_px == pytest.approx(0.35)


def test_ids_seen_twice_in_an_image_are_dropped_with_a_warning() -> None:
    twice = photo({7: PLACES[7], 9: PLACES[9]}, twice=7)
    detection = detect({"left": twice, "right": photo(PLACES)}, "DICT_4X4_250")
    assert sorted(detection.views.marker[detection.views.camera == 0].tolist()) == []
    assert sorted(detection.views.marker[detection.views.camera == 1].tolist()) == sorted(PLACES)
    assert detection.cameras[0].doubled == (7,)
    assert detection.warnings == ("camera left: marker 7 is there more than once; dropped in this image",)


def test_a_wrong_dictionary_is_noticed() -> None:
    picture = photo({i: PLACES[i] for i in (7, 9, 21)}, dictionary="DICT_5X5_100")
    detection = detect({"cam": picture}, "DICT_4X4_50")
    assert len(detection.views.marker) == 0
    assert detection.warnings == ("camera cam: no marker of DICT_4X4_50, but 3 of DICT_5X5_50",)


def test_mirrored_and_inverted_pictures_are_noticed() -> None:
    picture = photo(PLACES)
    assert "but 4 when the picture is mirrored" in detect(
        {"cam": np.ascontiguousarray(picture[:, ::-1])}, "DICT_4X4_250"
    ).warnings[0]  # fmt: skip
    assert "but 4 when the picture is turned white on black" in detect(
        {"cam": 255 - picture}, "DICT_4X4_250"
    ).warnings[0]  # fmt: skip


def test_an_empty_picture_says_so_and_squares_without_a_code_are_counted() -> None:
    assert detect({"cam": np.full((480, 640), 128, np.uint8)}, "DICT_4X4_250").warnings == (
        "camera cam: no marker of DICT_4X4_250",
    )
    picture = photo(PLACES)
    cv2.rectangle(picture, (240, 300), (300, 360), 255, -1)
    cv2.rectangle(picture, (250, 310), (290, 350), 0, -1)
    assert detect({"cam": picture}, "DICT_4X4_250").cameras[0].rejected > 0
