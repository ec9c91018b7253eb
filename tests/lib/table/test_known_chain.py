"""What a version tells the refinement of its chain: the fit it keeps, how much of the table it is of."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from lib.robot import PACKAGED
from lib.robot.robot_file import load_robot
from lib.settings import Settings
from lib.table.known_chain import known_chain
from tests.lib.table.conftest import Ingest, measured, merged, poses


def test_a_version_that_follows_the_chain_lends_its_tip(settings: Settings, ingest: Ingest) -> None:
    merged(settings, ingest(settings, "a.csv", measured(poses(300))))
    merged(settings, ingest(settings, "b.csv", measured(poses(200, seed=1))))
    robot = load_robot("mecharm270")
    assert robot is not None
    for version in (1, 2):
        chain = known_chain(settings, version)
        assert chain.why_not is None and chain.explained_share == 1.0
        assert chain.tip_m == pytest.approx(tuple(robot.tip_m), abs=1e-9)
        assert chain.tips(poses(5)) == pytest.approx(measured(poses(5))[:, :3], abs=1e-9)


def test_rows_known_already_are_no_suspects(settings: Settings, ingest: Ingest) -> None:
    merged(settings, ingest(settings, "a.csv", measured(poses(300))))
    merged(settings, ingest(settings, "b.csv", measured(np.vstack([poses(300), poses(50, seed=1)]))))
    assert known_chain(settings, 2).explained_share == 1.0


def test_a_tool_that_moved_and_was_accepted_is_not_the_chains(settings: Settings, ingest: Ingest) -> None:
    merged(settings, ingest(settings, "a.csv", measured(poses(300))))
    moved = measured(poses(200, seed=1))
    moved[:, :3] += [0.0, 0.0, 0.020]
    merged(settings, ingest(settings, "b.csv", moved), accepted={"self_consistency": "the tool was bumped"})
    chain = known_chain(settings, 2)
    assert chain.rms_m < 1e-6
    assert chain.explained_share == pytest.approx(300 / 500)
    assert chain.why_not == (
        "40.0% of the table's rows are off the chain: another tool, another robot, or a tool that moved"
    )
    assert known_chain(settings, 1).why_not is None


def test_a_table_made_without_a_robot_and_one_fitted_later(
    settings: Settings, without_robot: Settings, ingest: Ingest
) -> None:
    merged(without_robot, ingest(without_robot, "a.csv", measured(poses(300))))
    assert known_chain(settings, 1).why_not == "the table version keeps no chain fit"
    assert known_chain(without_robot, 1).why_not == "no robot is set, so there is no chain"
    both = np.vstack([poses(300)[:100], poses(50, seed=1)])
    merged(settings, ingest(settings, "b.csv", measured(both)))
    chain = known_chain(settings, 2)
    assert chain.why_not is None and chain.explained_share == 1.0


def test_another_robot_file_than_the_merges_is_noticed(
    settings: Settings, ingest: Ingest, tmp_path: Path
) -> None:
    merged(settings, ingest(settings, "a.csv", measured(poses(300))))
    packaged = Path(load_robot.__code__.co_filename).parent / "robots" / f"{PACKAGED[0]}.json"
    other = tmp_path / "arm.json"
    other.write_text(packaged.read_text().replace('"xyz_mm": [108, -5, -1]', '"xyz_mm": [118, -5, -1]'))
    chain = known_chain(replace(settings, robot=str(other)), 1)
    assert chain.why_not is not None and "another robot file" in chain.why_not


def test_no_version_no_fit(settings: Settings) -> None:
    assert known_chain(settings, None).why_not == "the table version keeps no chain fit"
