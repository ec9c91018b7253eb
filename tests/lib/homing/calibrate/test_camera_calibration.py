"""A camera is calibrated from photos of a board an arm carries, or the photos are refused."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from lib.errors import BadInput, CheckFailed
from lib.homing import Camera, Lens
from lib.homing.calibrate import BoardSpec, FlangePhoto, Pose, calibrate_camera
from lib.homing.calibrate.hand_eye import hand_eye
from lib.homing.rotations import rotation_of
from tests.lib.homing.scenes import looking_at

SPEC = BoardSpec.parse("charuco:5x7:0.036:0.018:DICT_6X6_250")
LENS = Lens(np.array([1400.0, 1405, 790, 610]), np.array([-0.12, 0.15, 1e-3, -8e-4, 0.0]), (1600, 1200))
CAMERA = looking_at("fixed", LENS, np.array([0.9, 0.1, 0.6]), np.array([0.0, 0.0, 0.3]))
MOUNT = Pose(rotation_of(np.array([0.1, -0.05, 0.2])), np.array([0.02, -0.06, 0.05]))


def board_towards_camera(random: np.random.Generator) -> Pose:
    """Return a board within the picture, tilted up to 40 degrees."""
    facing = CAMERA.rotation.T @ rotation_of(random.uniform(-0.7, 0.7, 3))
    depth = random.uniform(0.5, 0.9)
    across = random.uniform(-0.2, 0.2, 2) * depth
    middle = CAMERA.rotation.T @ (np.array([*across, depth]) - CAMERA.shift_m)
    return Pose(facing, middle - facing @ SPEC.corners_m().mean(axis=0))


def photos(
    count: int,
    seed: int,
    noise_px: float = 0.2,
    arm_mm: float = 0.0,
    arm_deg: float = 0.0,
    scale: float = 1.0,
) -> list[FlangePhoto]:
    random = np.random.default_rng(seed)
    made = []
    for k in range(count):
        board = board_towards_camera(random)
        pixels = CAMERA.pixels(SPEC.corners_m() @ board.rotation.T + board.place_m)
        pixels = pixels + random.normal(0, noise_px, pixels.shape)
        flange = board @ MOUNT.inverse()
        turn = rotation_of(np.radians(arm_deg) * random.normal(size=3))
        told = Pose(turn @ flange.rotation, flange.place_m + 1e-3 * arm_mm * random.normal(size=3))
        made.append(FlangePhoto(f"{k:02}", told, scale * SPEC.corners_m(), pixels))
    return made


def test_without_noise_everything_is_exact() -> None:
    found = calibrate_camera("fixed", photos(8, 1, noise_px=0.0), LENS.size_px)
    np.testing.assert_allclose(found.camera.lens.intrinsics_px, LENS.intrinsics_px, atol=1e-3)
    np.testing.assert_allclose(found.camera.lens.distortion, LENS.distortion, atol=1e-5)
    np.testing.assert_allclose(found.camera.place_m, CAMERA.place_m, atol=1e-6)
    np.testing.assert_allclose(found.mount.place_m, MOUNT.place_m, atol=1e-6)
    assert found.off_mm.max() < 1e-3


def test_the_arms_own_error_is_found_beside_the_corners() -> None:
    found = calibrate_camera("fixed", photos(18, 2, noise_px=0.2, arm_mm=0.8, arm_deg=0.1), LENS.size_px)
    assert found.spread.px == pytest.approx(0.2, rel=0.15)
    assert 1000 * found.spread.arm_shift_m == pytest.approx(0.8, rel=0.35)
    assert np.degrees(found.spread.arm_turn_rad) == pytest.approx(0.1, rel=0.35)
    assert np.linalg.norm(found.camera.place_m - CAMERA.place_m) < 0.002
    assert found.rms_px < 0.3 < found.rms_by_arm_px


def test_a_lens_without_its_distortion_costs_what_was_measured() -> None:
    """On real photos 5.4 instead of 2.0 mm; here too the place suffers by more than its double."""
    taken = photos(14, 3, noise_px=0.2, arm_mm=0.5)
    with_distortion = calibrate_camera("fixed", taken, LENS.size_px)
    from lib.homing.calibrate import camera_calibration

    straight = np.array([True] * 4 + [False] * 5)
    pinned = camera_calibration.FREE_LENS
    camera_calibration.FREE_LENS = straight
    try:
        without = calibrate_camera("fixed", taken, LENS.size_px)
    finally:
        camera_calibration.FREE_LENS = pinned
    assert without.off_mm.mean() > 2 * with_distortion.off_mm.mean()


def test_millimetres_for_metres_and_marker_for_square_are_told() -> None:
    with pytest.raises(
        CheckFailed, match=r"make the board 2 times as large as it is said to be; expected the"
    ):
        calibrate_camera("fixed", photos(8, 4, scale=0.5), LENS.size_px)
    with pytest.raises(CheckFailed, match=r"make the board 0\.001 times as large"):
        calibrate_camera("fixed", photos(8, 4, scale=1000.0), LENS.size_px)


def test_turns_about_one_axis_are_not_enough() -> None:
    board = board_towards_camera(np.random.default_rng(5))
    about_z = [
        Pose(rotation_of(np.array([0, 0, a])) @ board.rotation, board.place_m) for a in np.linspace(0, 0.5, 8)
    ]
    boards = [Pose(CAMERA.rotation, CAMERA.shift_m) @ b for b in about_z]
    with pytest.raises(CheckFailed, match="turns about one axis only between the photos"):
        hand_eye([b @ MOUNT.inverse() for b in about_z], boards)


def test_poses_of_other_photos_are_refused() -> None:
    taken = photos(10, 6)
    mixed = [replace(p, flange=taken[(i + 3) % 10].flange) for i, p in enumerate(taken)]
    with pytest.raises(CheckFailed):
        calibrate_camera("fixed", mixed, LENS.size_px)


def test_too_few_photos_of_the_board_are_refused() -> None:
    taken = [replace(p, corners_m=p.corners_m[:10], corners_px=p.corners_px[:10]) for p in photos(9, 7)]
    with pytest.raises(CheckFailed, match="0 of 9 photos show 14 or more corners of the board"):
        calibrate_camera("fixed", taken, LENS.size_px)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("chess:5x7:0.03:0.01:DICT_6X6_250", "expected charuco:COLUMNSxROWS"),
        ("charuco:5x7:0.03:0.01", "expected charuco:COLUMNSxROWS"),
        ("charuco:5x7:a:0.01:DICT_6X6_250", "could not convert string to float"),
        (
            "charuco:5x7:36.195:18.256:DICT_6X6_250",
            "squares of 36.195 m; expected metres, are these millimetres?",
        ),
        (
            "charuco:5x7:0.018:0.036:DICT_6X6_250",
            "expected the square's size first, then the smaller marker's",
        ),
        ("charuco:1x7:0.03:0.01:DICT_6X6_250", "expected at least 2x2 squares"),
        ("charuco:20x20:0.03:0.01:DICT_6X6_50", "200 markers; DICT_6X6_50 has 50"),
        ("charuco:5x7:0.03:0.01:DICT_8X8_50", 'dictionary "DICT_8X8_50" is not known'),
    ],
)
def test_a_board_that_cannot_be_is_refused(text: str, message: str) -> None:
    with pytest.raises(BadInput) as refusal:
        BoardSpec.parse(text)
    assert message in str(refusal.value)


def test_the_camera_pose_is_told_in_the_base_frame_with_the_quaternion_by_name() -> None:
    told = calibrate_camera("fixed", photos(8, 8), LENS.size_px).as_json()["camera_pose"]
    assert isinstance(told, dict)
    assert list(told) == ["x", "y", "z", "qw", "qx", "qy", "qz"]
    from lib.homing.calibrate.pose_file import pose_of

    pose = pose_of(told, "camera_pose")
    found = Camera("c", LENS, pose.rotation.T, -pose.rotation.T @ pose.place_m)
    np.testing.assert_allclose(found.place_m, CAMERA.place_m, atol=0.01)
    np.testing.assert_allclose(pose.rotation, CAMERA.rotation.T, atol=0.02)
