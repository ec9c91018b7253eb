"""A rehearsal tells what the run would come to, and leaves no trace."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from lib.motion import chosen_variant
from lib.place import rehearse
from lib.place.rehearsal import _aside
from lib.robot import load_robot
from lib.settings import Settings
from tests.lib.place.conftest import BOX_M


@pytest.mark.parametrize(
    ("box_m", "state", "rule"),
    [(BOX_M, "finished", None), ((-0.180, 0.300), "refused", "out of reach")],
    ids=["in reach", "out of reach"],
)
def test_it_ends_as_the_run_would_and_the_data_folder_stays_as_it_is(
    settings: Settings, box_m: tuple[float, float], state: str, rule: str | None
) -> None:
    settings = replace(settings, cell=replace(settings.cell, box_centre_m=box_m))
    robot = load_robot(settings.robot)
    assert robot is not None
    before = standing(settings)
    said: list[str] = []
    run = rehearse(settings, robot, 1, said.append)
    assert (run.state, run.rule) == (state, rule), run.reason
    assert run.place == ("yes" if state == "finished" else None)
    assert any("LOOKING" in line for line in said)
    assert standing(settings) == before


def test_it_moves_by_the_variant_that_was_chosen(settings: Settings, tmp_path: Path) -> None:
    (settings.data_dir / "motions").mkdir()
    (settings.data_dir / "motions" / "chosen.json").write_text(
        '{"approach_name": "high", "speed_name": "slow", "approach": {"carry_m": 0.04}, "move_s": 5.0}'
    )
    chosen = chosen_variant(settings.data_dir)
    assert chosen is not None
    assert chosen_variant(_aside(settings, tmp_path / "aside").data_dir) == chosen


def standing(settings: Settings) -> list[tuple[str, int, int, int]]:
    """Return every file of a data folder with what would change if it were written."""
    found = [(path, path.lstat()) for path in sorted(settings.data_dir.rglob("*"))]
    return [(str(path), stat.st_ino, stat.st_size, stat.st_mtime_ns) for path, stat in found]
