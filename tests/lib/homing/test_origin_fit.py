"""A joint's origin comes out of the captures, as sure as it says, or the fit is refused with the reason."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from lib.errors import CheckFailed
from lib.homing import home
from lib.homing.circle_fit import fit_circle
from lib.homing.marker_methods import estimate, evidence_of
from lib.homing.marker_pose import marker_poses
from lib.homing.origin_fit import fit_origin, fit_origin_by_markers
from lib.homing.pixel_ba import PixelSolution, sightings_of, solve_pixels
from lib.robot import Machine, load_machine
from tests.lib.homing.scenes import Conditions, Scene, scene

MACHINE = load_machine("rail7")


def origin_mm(link: str) -> np.ndarray:
    joint = MACHINE.links[MACHINE.link_index(link)].joint
    assert joint is not None
    return 1000 * joint.origin_m


def wrong_by(link: str, y_mm: float, z_mm: float) -> Machine:
    return MACHINE.with_origin(link, 1e-3 * (origin_mm(link) + [0, y_mm, z_mm]))  # noqa: RUF005


def captures(count: int, seed: int) -> list[Scene]:
    cameras = scene(MACHINE, seed).cameras
    return [scene(MACHINE, 1000 * seed + k, cameras=cameras) for k in range(count)]


def solved(machine: Machine, scenes: list[Scene]) -> list[PixelSolution]:
    return [solve_pixels(machine, s.cameras, sightings_of(machine, s.cameras, s.views)) for s in scenes]


@pytest.mark.parametrize("link", ["Arm1", "Ellbow", "Arm2", "Hand"])
def test_a_millimetre_is_found_again_over_ten_poses(link: str) -> None:
    machine = wrong_by(link, 0.8, -0.6)
    found = fit_origin(machine, solved(machine, captures(10, 3)), link)
    off_mm = found.new_mm - origin_mm(link)
    assert np.sqrt((off_mm[1:] ** 2).mean()) < 0.06
    assert (np.abs(off_mm[1:]) < 4 * found.std_mm).all()
    assert found.step_mm == pytest.approx(1.0, abs=0.15)
    assert found.new_mm[0] == found.old_mm[0]


def test_joint_values_come_out_right_beside_it() -> None:
    scenes = captures(5, 4)
    machine = wrong_by("Arm1", 2.0, 2.0)
    before = solved(machine, scenes)
    found = fit_origin(machine, before, "Arm1")
    truth = np.array([s.values for s in scenes])
    off = np.abs((found.values - truth + np.pi) % (2 * np.pi) - np.pi)
    off_before = np.abs((np.array([s.values for s in before]) - truth + np.pi) % (2 * np.pi) - np.pi)
    assert (off < 5 * found.deviations).all()
    assert off.mean() < 0.5 * off_before.mean()


def test_the_originals_tape_measure_error_is_found_from_one_capture() -> None:
    # 101.1 / 55.2 mm by tape, 108.28 / 34.81 by the captures.
    machine = wrong_by("Arm1", -7.18, 20.39)
    one = scene(MACHINE, 7)
    lenses = {c.name: c.lens for c in one.cameras}
    first = home(machine, lenses, one.views).solution
    assert first is not None
    found = fit_origin(machine, [first], "Arm1")
    np.testing.assert_allclose(found.new_mm[1:], origin_mm("Arm1")[1:], atol=0.6)


def test_captures_one_after_the_other_shrink_the_step() -> None:
    steps_mm = []
    for seed in range(8, 14):
        machine, known, steps = wrong_by("Arm1", -7.0, 12.0), None, []
        for one in captures(3, seed):
            found = fit_origin(machine, solved(machine, [one]), "Arm1", known_mm2=known)
            machine = machine.with_origin("Arm1", 1e-3 * found.new_mm)
            known = found.covariance_mm2
            steps.append(found.step_mm)
        steps_mm.append(steps)
        np.testing.assert_allclose(found.new_mm[1:], origin_mm("Arm1")[1:], atol=0.3)
    first, second, third = np.mean(steps_mm, axis=0)
    assert first == pytest.approx(np.hypot(7, 12), rel=0.02)
    assert first > 50 * second
    assert second > third


def test_a_step_beyond_thirty_millimetres_is_refused() -> None:
    machine = wrong_by("Arm1", 25.0, 25.0)
    one = scene(MACHINE, 9, Conditions(dropped=0))
    solution = solve_pixels(MACHINE, one.cameras, sightings_of(MACHINE, one.cameras, one.views))
    with pytest.raises(CheckFailed, match=r"origin of Arm1: the fit moves it by 35\.\d mm, expected 30 at"):
        fit_origin(machine, [solution], "Arm1")


def test_an_origin_that_cannot_be_told_from_the_angle_is_refused_with_the_reason() -> None:
    one = scene(MACHINE, 10, Conditions(dropped=0))
    ids = [m.id for link in MACHINE.links if link.name in ("FingerA", "FingerB") for m in link.markers]
    seen = sorted(set(one.views.marker.tolist()) & set(ids))
    hardly = one.views.rows(~np.isin(one.views.marker, ids) | (one.views.marker == seen[0]))
    solution = solve_pixels(MACHINE, one.cameras, sightings_of(MACHINE, one.cameras, hardly))
    with pytest.raises(
        CheckFailed, match=r"origin of Hand: . cannot be told apart from . \(correlation"
    ) as no:
        fit_origin(MACHINE, [solution], "Hand")
    assert "expected at most 1 mm); take captures with the joint in other poses" in str(no.value)


def test_a_link_nobody_sees_has_no_origin_to_fit() -> None:
    one = scene(MACHINE, 10)
    ids = [m.id for link in MACHINE.links if "Finger" in link.name for m in link.markers]
    solution = solve_pixels(
        MACHINE,
        one.cameras,
        sightings_of(MACHINE, one.cameras, one.views.rows(~np.isin(one.views.marker, ids))),
    )
    with pytest.raises(CheckFailed, match="origin of Palm: no capture shows a marker that its joint carries"):
        fit_origin(MACHINE, [solution], "Palm")


def test_a_camera_moved_between_captures_is_named() -> None:
    first, second = captures(2, 11)
    lenses = {c.name: c.lens for c in first.cameras}
    moved = tuple(
        c.moved(np.array([0, 0.02, 0, 0.01, 0, 0])) if c.name == "cam1" else c for c in second.cameras
    )
    second = scene(MACHINE, 11_001, cameras=moved)
    solutions = [home(MACHINE, lenses, s.views).solution for s in (first, second)]
    with pytest.raises(CheckFailed, match="camera cam1 was moved between the captures"):
        fit_origin(MACHINE, [s for s in solutions if s is not None], "Arm1")


def test_captures_with_board_placed_cameras_share_what_they_know_of_them() -> None:
    scenes = captures(4, 12)
    lenses = {c.name: c.lens for c in scenes[0].cameras}
    machine = wrong_by("Ellbow", 0.5, 0.5)
    solutions = [home(machine, lenses, s.views).solution for s in scenes]
    found = fit_origin(machine, [s for s in solutions if s is not None], "Ellbow")
    assert (np.abs(found.new_mm - origin_mm("Ellbow"))[1:] < 4 * found.std_mm).all()


def test_marker_poses_alone_give_an_origin_too() -> None:
    machine = wrong_by("Arm1", -5.0, 9.0)
    one = scene(MACHINE, 16, Conditions(dropped=0, noise_px=0.05))
    poses = [p for p in marker_poses(MACHINE, one.cameras, one.views) if p.num_cameras > 1]
    values = estimate(machine, evidence_of(machine, poses), "hybrid")
    found = fit_origin_by_markers(machine, poses, values, "Arm1")
    np.testing.assert_allclose(found.new_mm, origin_mm("Arm1"), atol=0.5)
    off = found.values[0] - one.values
    assert np.abs((off[1:] + np.pi) % (2 * np.pi) - np.pi).max() < np.radians(1)


def test_one_marker_alone_gives_no_origin() -> None:
    one = scene(MACHINE, 17, Conditions(dropped=0, noise_px=0.05))
    poses = marker_poses(MACHINE, one.cameras, one.views)
    arm1 = [p for p in poses if MACHINE.carrier[p.id] == MACHINE.link_index("Arm1")][:1]
    values = estimate(MACHINE, evidence_of(MACHINE, arm1), "hybrid")
    with pytest.raises(CheckFailed, match=r"origin of Arm1: . cannot be told apart from"):
        fit_origin_by_markers(MACHINE, arm1, values, "Arm1")


def turned(count: int, seed: int, values_of: list[float]) -> list[Scene]:
    """Return captures in which the shoulder alone turns."""
    base = scene(MACHINE, seed)
    made = []
    for k in range(count):
        values = base.values.copy()
        values[1] = values_of[k]
        made.append(
            scene(MACHINE, seed + 100 * k, Conditions(dropped=0), values=values, cameras=base.cameras)
        )
    return made


def test_the_circle_of_three_poses_has_the_same_middle() -> None:
    machine = wrong_by("Arm1", 3.0, -2.0)
    scenes = turned(3, 13, [-0.9, 0.0, 0.9])
    found = fit_origin(machine, solved(machine, scenes), "Arm1")
    circle = fit_circle(
        machine, [(marker_poses(machine, s.cameras, s.views), s.values) for s in scenes], "Arm1"
    )
    assert circle.markers >= 1
    assert np.abs(circle.off_mm(origin_mm("Arm1"))).max() < 1.0
    assert np.abs(circle.off_mm(found.new_mm)).max() < 1.0
    assert np.abs(circle.off_mm(found.old_mm)).max() > 2.0


def test_exact_centres_give_the_exact_middle() -> None:
    scenes = [replace(s, views=s.views) for s in turned(4, 14, [-1.0, -0.2, 0.4, 1.2])]
    exact = []
    for one in scenes:
        views = replace(one.views, corners_px=one.true_corners_px)
        exact.append((marker_poses(MACHINE, one.cameras, views), one.values))
    circle = fit_circle(MACHINE, exact, "Arm1")
    np.testing.assert_allclose(circle.origin_mm, origin_mm("Arm1"), atol=1e-3)
    assert circle.rms_mm < 1e-3


def test_a_circle_needs_three_captures_and_a_turn() -> None:
    scenes = turned(3, 15, [0.0, 0.01, 0.02])
    poses = [(marker_poses(MACHINE, s.cameras, s.views), s.values) for s in scenes]
    with pytest.raises(CheckFailed, match="no marker of it was seen in 3 captures"):
        fit_circle(MACHINE, poses[:2], "Arm1")
    with pytest.raises(CheckFailed, match=r"its markers turned by \d\.\d deg between the captures"):
        fit_circle(MACHINE, poses, "Arm1")
    with pytest.raises(CheckFailed, match="its joint is linear; expected one that turns"):
        fit_circle(MACHINE, poses, "Base")
