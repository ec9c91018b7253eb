"""Photos belong to the robot file's cameras, or are refused with the reason."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from lib.errors import BadInput
from lib.homing.session import captures_in, photos_in
from lib.robot import load_machine

MACHINE = load_machine("mecharm270")


def photo(path: Path, width: int = 1600, height: int = 1200) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    cv2.imwrite(str(path), np.full((height, width), 128, dtype=np.uint8))


def test_photos_are_of_the_cameras_their_names_say(tmp_path: Path) -> None:
    photo(tmp_path / "left_0001.png")
    photo(tmp_path / "above.png")
    (tmp_path / "notes.txt").write_text("at noon")
    capture = photos_in(MACHINE, tmp_path)
    assert list(capture.images) == ["left", "above"]
    assert capture.source == str(tmp_path)
    assert capture.encoders_deg is None


def test_folders_in_a_folder_are_captures_in_the_order_of_their_names(tmp_path: Path) -> None:
    for name in ("b", "a", "c"):
        photo(tmp_path / name / "left.png")
    (tmp_path / "empty").mkdir()
    assert [Path(c.source).name for c in captures_in(MACHINE, tmp_path)] == ["a", "b", "c"]


def test_what_is_no_capture_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no such folder; expected one with a photo from each camera"):
        photos_in(MACHINE, tmp_path / "none")
    photo(tmp_path / "front.png")
    with pytest.raises(BadInput, match=r"no photo of any camera; expected left\*\.png, right\*\.png, above"):
        photos_in(MACHINE, tmp_path)
    photo(tmp_path / "left_1.png")
    photo(tmp_path / "left_2.png")
    with pytest.raises(BadInput, match=r"left_1\.png and left_2\.png are both of camera left; expected one"):
        photos_in(MACHINE, tmp_path)


def test_a_photo_of_another_size_or_none_at_all_is_refused(tmp_path: Path) -> None:
    photo(tmp_path / "small" / "left.png", 800, 600)
    with pytest.raises(
        BadInput, match="800 x 600 pixels; the lens of camera left was calibrated for 1600 x 12"
    ):
        photos_in(MACHINE, tmp_path / "small")
    (tmp_path / "torn").mkdir()
    (tmp_path / "torn" / "left.png").write_bytes(b"\x89PNG")
    with pytest.raises(BadInput, match=r"left\.png: not readable as a picture; take it anew"):
        photos_in(MACHINE, tmp_path / "torn")
