"""A rehearsal tells what the run would come to, and leaves no trace."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lib.place import rehearse
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


def standing(settings: Settings) -> list[tuple[str, int, int, int]]:
    """Return every file of a data folder with what would change if it were written."""
    found = [(path, path.lstat()) for path in sorted(settings.data_dir.rglob("*"))]
    return [(str(path), stat.st_ino, stat.st_size, stat.st_mtime_ns) for path, stat in found]
