"""The analytic slopes of the reprojection error are what finite differences measure."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from lib.homing.pixel_ba.reprojection import CameraPoses, camera_slopes, joint_slopes, reproject, slopes
from lib.homing.pixel_ba.sightings import sightings_of
from lib.robot import Tree, load_machine
from tests.lib.homing.scenes import Conditions, scene

MACHINE = load_machine("rail7")
TREE = Tree.of(MACHINE)
BENT = Conditions(distortion=(-0.1, 0.05, 1e-3, -5e-4, 0.01), noise_px=2.0)
SCENE = scene(MACHINE, 5, BENT)
SIGHTINGS = sightings_of(MACHINE, SCENE.cameras, SCENE.views)
POSES = CameraPoses.of(SCENE.cameras)
VALUES = SCENE.values[None] + 0.01
STEP = 1e-6


def test_by_joint_values() -> None:
    at = reproject(TREE, SIGHTINGS, POSES, VALUES)
    in_root, _ = slopes(SIGHTINGS, POSES, at)
    j = joint_slopes(TREE, SIGHTINGS, at, in_root, range(7))
    for k in range(7):
        step = STEP * np.eye(7)[k]
        ahead = reproject(TREE, SIGHTINGS, POSES, VALUES + step).residuals_px
        behind = reproject(TREE, SIGHTINGS, POSES, VALUES - step).residuals_px
        np.testing.assert_allclose(j[..., k], (ahead - behind) / (2 * STEP), atol=1e-4)


def test_by_the_cameras_places() -> None:
    at = reproject(TREE, SIGHTINGS, POSES, VALUES)
    _, in_camera = slopes(SIGHTINGS, POSES, at)
    j = camera_slopes(at, in_camera)
    for k in range(6):
        step = STEP * np.eye(6)[k]
        ahead, behind = (
            reproject(
                TREE, SIGHTINGS, CameraPoses.of([c.moved(s) for c in SCENE.cameras]), VALUES
            ).residuals_px
            for s in (step, -step)
        )
        np.testing.assert_allclose(j[..., k], (ahead - behind) / (2 * STEP), atol=1e-4)


def test_near_the_truth_residuals_are_pixels_also_through_a_bent_lens() -> None:
    at = reproject(TREE, SIGHTINGS, POSES, SCENE.values[None])
    own = SCENE.own
    expected = SCENE.true_corners_px[np.isin(SCENE.views.marker, list(MACHINE.carrier))] - own.corners_px
    # Two pixels of noise bend by some hundredths: the second order that straightening leaves out.
    np.testing.assert_allclose(at.residuals_px[0], expected, atol=0.02)


def test_the_rows_of_sightings_are_the_views_of_the_machine() -> None:
    strange = replace(SCENE.views, marker=np.where(SCENE.views.marker == 197, 249, SCENE.views.marker))
    sightings = sightings_of(MACHINE, SCENE.cameras, strange)
    assert 197 in SIGHTINGS.ids
    assert set(SIGHTINGS.ids) - {197} == set(sightings.ids)
    assert len(sightings.camera) == (np.isin(strange.marker, list(MACHINE.carrier))).sum()
