"""The simulated cell's settings: what cannot be built is one line that names the setting."""

from __future__ import annotations

from pathlib import Path

import pytest

from lib.errors import BadInput
from lib.settings import Settings, load


def read(tmp_path: Path, text: str) -> Settings:
    path = tmp_path / "nightpick.toml"
    path.write_text(text, encoding="utf-8")
    return load(path, {})


def test_errors_and_cameras_are_tables_of_their_own(tmp_path: Path) -> None:
    text = "[cell.errors]\nbacklash_deg = 0\n[cell.camera_above]\nplace_m = [0.0, 1.0, 0.2]"
    cell = read(tmp_path, text).cell
    assert (cell.errors.backlash_deg, cell.errors.sag_deg) == (0.0, 0.5)
    assert cell.cameras["above"].place_m == (0.0, 1.0, 0.2)
    assert cell.cameras["above"].looks_at_m == (0.0, 0.05, 0.19)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("block_size_m = 30.0", "cell.block_size_m = 30.0; expected metres"),
        ("block_size_m = 0.0", "cell.block_size_m = 0.0; expected more than zero"),
        ("stand_outer_m = [60, 60]", "cell.stand_outer_m = [60.0, 60.0]; expected metres"),
        ("stand_outer_m = [0.06, 0.0]", "expected sizes above zero"),
        ("box_floor_m = 0.06", "cell.box_floor_m = 0.06; expected a floor below cell.box_height_m"),
        ("block_size_m = 0.5", "cell.block_size_m = 0.5; expected room for a block inside the box"),
        ("blocks = 99", "cell.blocks = 99; expected 1 to 12"),
        ("box_wall_m = 0.06", "cell.box_wall_m = 0.06; expected room for a block"),
        ("scene = 'night'", "cell.scene = 'night'; expected batch, motion or empty"),
        ("grip_force_n = -1", "cell.grip_force_n = -1.0; expected zero or more"),
        ("block_marker_m = 0.04", "expected no more than a block's edge"),
        ("time_scale = 0", "cell.time_scale = 0.0; expected more than 0, at most 50"),
        ("seed = -1", "cell.seed = -1; expected zero or more"),
        ("[cell.errors]\nsag_deg = -0.5", "cell.errors.sag_deg = -0.5; expected zero or more"),
        ("[cell.errors]\ntwin_shift_m = [0.006, 0.002]", "expected a lower and a higher bound"),
        ("[cell.camera_left]\nplace_m = [-550, 450, 620]", "cell.camera_left.place_m = "),
        ("[cell.camera_front]\npost_m = [0, 0]", "unknown setting cell.camera_front; did you mean"),
    ],
)
def test_a_cell_that_cannot_be_built_is_refused_by_name(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(BadInput) as refused:
        read(tmp_path, text if text.startswith("[") else f"[cell]\n{text}")
    message = str(refused.value)
    assert says in message and "nightpick.toml" in message and "\n" not in message
