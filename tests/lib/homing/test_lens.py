"""Rays become pixels as OpenCV says, and pixels rays again."""

from __future__ import annotations

import cv2
import numpy as np

from lib.homing.lens import Lens, distortion_slopes

# A lens of a real four-camera rig: strongly barrelled, with tangential terms.
LENS = Lens(
    np.array([903.55, 907.88, 618.31, 394.21]),
    np.array([-0.3321, 0.0464, -0.0043, 0.0041, 0.0666]),
    (1280, 720),
)
RAYS = np.random.default_rng(0).uniform(-0.6, 0.6, (200, 2))


def test_pixels_are_opencvs() -> None:
    points = np.column_stack([RAYS, np.ones(len(RAYS))])
    expected, _ = cv2.projectPoints(points, np.zeros(3), np.zeros(3), LENS.matrix(), LENS.distortion)
    # projectPoints gives (n, 1, 2): taken off (n, 2) it would broadcast to (n, n, 2) in silence.
    np.testing.assert_allclose(LENS.pixels(RAYS), expected[:, 0], atol=1e-9)


def test_rays_go_through_their_pixels() -> None:
    np.testing.assert_allclose(LENS.rays(LENS.pixels(RAYS)), RAYS, atol=1e-12)


def test_a_pixel_no_ray_reaches_is_no_ray() -> None:
    barrel = Lens(np.array([900.0, 900.0, 640.0, 360.0]), np.array([-0.5, 0, 0, 0, 0]), (1280, 720))
    # x (1 - x^2 / 2) is at most 0.544 at 0.816: 490 px from the middle.
    reached, beyond = barrel.rays(np.array([[640.0 + 480, 360], [640.0 + 500, 360]]))
    assert np.isfinite(reached).all()
    assert np.isnan(beyond).all()


def test_pixels_per_ray_are_the_slope_of_pixels() -> None:
    step = 1e-6
    for axis in range(2):
        ahead, behind = RAYS.copy(), RAYS.copy()
        ahead[:, axis] += step
        behind[:, axis] -= step
        slope = (LENS.pixels(ahead) - LENS.pixels(behind)) / (2 * step)
        np.testing.assert_allclose(LENS.px_per_ray(RAYS)[..., axis], slope, atol=1e-5)


def test_distortion_slopes_are_the_slope_of_pixels() -> None:
    slopes = distortion_slopes(RAYS) * LENS.intrinsics_px[:2, None]
    for k in range(5):
        more = LENS.distortion.copy()
        more[k] += 1e-6
        changed = Lens(LENS.intrinsics_px, more, LENS.size_px).pixels(RAYS) - LENS.pixels(RAYS)
        np.testing.assert_allclose(slopes[..., k], changed / 1e-6, atol=1e-6)
