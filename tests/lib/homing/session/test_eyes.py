"""Real cameras by their devices: what they give is what is used, and each trouble is one line."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from lib.errors import BadInput, Refused
from lib.homing.session import LiveEyes, open_eyes
from lib.robot import load_machine
from lib.settings import Settings, load

MACHINE = load_machine("mecharm270")
WIDTH, HEIGHT = MACHINE.cameras[0].size_px
NAMES = [camera.name for camera in MACHINE.cameras]


def film(folder: Path, name: str, size: tuple[int, int] = (WIDTH, HEIGHT), pictures: int = 2) -> str:
    """Write a film of grey steps as numbered pictures, which OpenCV opens like any camera."""
    for number in range(pictures):
        grey = np.full((size[1], size[0], 3), 40 * (number + 1), dtype=np.uint8)
        assert cv2.imwrite(str(folder / f"{name}_{number:02d}.png"), grey)
    return str(folder / f"{name}_%02d.png")


def test_each_picture_is_the_cameras_next_one_grey_or_in_colour(tmp_path: Path) -> None:
    eyes = LiveEyes(MACHINE, {name: film(tmp_path, name) for name in NAMES[:2]})
    try:
        assert eyes.cameras() == NAMES[:2]
        first = eyes.frame(NAMES[0])
        assert (first.shape, int(first[0, 0])) == ((HEIGHT, WIDTH), 40)
        second = eyes.frame(NAMES[0], colour=True)
        assert (second.shape, second[0, 0].tolist()) == ((HEIGHT, WIDTH, 3), [80, 80, 80])
        assert int(eyes.frame(NAMES[1])[0, 0]) == 40
        with pytest.raises(Refused, match=f"camera {NAMES[0]} .* gives no picture; is it still plugged in"):
            eyes.frame(NAMES[0])
    finally:
        eyes.close()


def test_a_camera_that_does_not_open_is_named_with_its_device(tmp_path: Path) -> None:
    with pytest.raises(Refused, match=f"camera {NAMES[0]} .*none.avi. does not open; look at its plug"):
        LiveEyes(MACHINE, {NAMES[0]: str(tmp_path / "none.avi")})


def test_a_camera_set_to_another_size_than_its_lens_is_refused(tmp_path: Path) -> None:
    eyes = LiveEyes(MACHINE, {NAMES[0]: film(tmp_path, "small", (640, 480))})
    with pytest.raises(
        BadInput, match=f"gives 640 x 480 pixels; its lens in the robot file is for {WIDTH} x"
    ):
        eyes.frame(NAMES[0])
    eyes.close()


def test_a_name_the_robot_file_does_not_have_and_no_name_at_all_say_what_is_expected(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=f"homing.cameras.top: .* no such camera; expected {NAMES[0]}"):
        LiveEyes(MACHINE, {"top": "0"})
    settings = replace(Settings(data_dir=tmp_path), arm=replace(Settings().arm, kind="serial", port="/dev/x"))
    with (
        pytest.raises(BadInput, match=r"homing.cameras names no camera; expected a device for each of left"),
        open_eyes(settings, MACHINE),
    ):
        pass


def test_the_cameras_are_a_setting(tmp_path: Path) -> None:
    path = tmp_path / "nightpick.toml"
    path.write_text('[homing]\ncameras = { left = "/dev/video0", right = "2" }')
    assert load(path, {}).homing.cameras == {"left": "/dev/video0", "right": "2"}
