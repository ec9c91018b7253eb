"""`nightpick lookup --refine`: the published 7.9 mm is the lattice, not the arm."""

from __future__ import annotations

import json
from typing import Any

import pytest

from flows.cli import main
from lib.robot import load_robot, tip_points

QUESTION = ("lookup", "place", "-0.170", "0.1899")

pytestmark = pytest.mark.usefixtures("log54_data_dir")


def ask(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    capsys.readouterr()
    main([*arguments, "--json"])
    answer: dict[str, Any] = json.loads(capsys.readouterr().out)
    return answer


def test_the_published_row_is_refined_to_the_target_inside_its_filters(
    capsys: pytest.CaptureFixture[str],
) -> None:
    answer = ask(capsys, *QUESTION, "--refine")
    plain = ask(capsys, *QUESTION)
    refined = answer.pop("refined")
    assert answer == plain  # off or on, the row is the same
    assert f"{answer['z_residual_m'] * 1e3:.1f}" == "7.9"
    assert refined["method"] == "chain" and refined["measured"] is False
    assert refined["predicted_residual_m"] < 2e-6 and refined["cv_error_m"] <= 2e-6
    robot = load_robot("mecharm270")
    assert robot is not None
    x_m, y_m, z_m = tip_points(robot, [refined["joints_deg"]])[0]
    assert (x_m, z_m) == pytest.approx((-0.170, 0.1899), abs=3e-6)
    assert y_m == pytest.approx(answer["ee_y_m_selected"], abs=3e-6)
    j0, j1, _, _, j4, j5 = refined["joints_deg"]
    assert 33.215 <= j0 <= 39.215 and j1 >= 55 and -90 <= j4 <= 60 and j5 == -30


def test_a_person_reads_that_it_is_a_prediction(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*QUESTION, "--refine"]) == 0
    told = capsys.readouterr().out
    assert "deg, predicted, never measured" in told
    assert "xz 0.000 +- 0.001 mm by chain, judged by 1 measured pose around; moves" in told


def test_without_a_chain_so_few_rows_are_not_refined_and_it_says_why(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NIGHTPICK_ROBOT", "none")
    refined = ask(capsys, *QUESTION, "--refine")["refined"]
    assert refined["joints_deg"] is None and refined["predicted_residual_m"] is None
    assert "a local map misses the measured rows around the pose" in refined["why_not"]
    assert refined["why_not_chain"] == "no robot is set, so there is no chain"
    assert main([*QUESTION, "--refine"]) == 0
    assert "refined   no: " in capsys.readouterr().out


def test_out_of_range_is_not_refined(capsys: pytest.CaptureFixture[str]) -> None:
    answer = ask(capsys, "lookup", "place", "-0.5", "0.5", "--refine")
    assert answer["fk_row"] is None
    assert "no row to start from" in answer["refined"]["why_not"]
