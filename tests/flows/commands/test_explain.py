"""`nightpick lookup --explain` on the published rows: the day's puzzle, told in one answer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from flows.cli import main

OLD = ("--ee-y-tol", "0.005", "--w-j1", "0.3", "--w-j2", "0.1", "--w-j4", "0.02")
QUESTION = ("lookup", "place", "-0.170", "0.1899", *OLD)
SCANNED = [36.215, 57.0, 25.0, -7.0, -86.0, -30.0]

pytestmark = pytest.mark.usefixtures("log54_data_dir")


@pytest.fixture
def answer(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    capsys.readouterr()
    assert main([*QUESTION, "--explain", "--json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def culprit(answer: dict[str, Any], *relax: str) -> dict[str, Any]:
    found: dict[str, Any] = next(c for c in answer["culprits"] if c["relax"] == list(relax))
    return found


def test_neither_height_nor_weights_alone_but_the_pair_ranks_first(answer: dict[str, Any]) -> None:
    for name in ("ee_y_target", "score_weights"):
        assert culprit(answer, name)["joints_deg"] == answer["joints_deg"]
        assert culprit(answer, name)["xz_distance_m"] == answer["xz_distance_m"]
    first = answer["culprits"][0]
    assert first["relax"] == ["ee_y_target", "score_weights"]
    assert f"{first['xz_distance_m'] * 1e3:.1f}" == "8.2"
    assert f"{first['z_residual_m'] * 1e3:.1f}" == "7.9"
    assert first["joints_deg"] == SCANNED
    assert f"{culprit(answer, 'j0_lock')['xz_distance_m'] * 1e3:.1f}" == "13.1"
    assert len(answer["culprits"]) == 6 + 15


def test_the_row_outside_the_safe_range_is_named_as_protected_and_never_suggested(
    answer: dict[str, Any],
) -> None:
    (hidden,) = answer["culprits"][0]["protected"]
    assert hidden["filter"] == "j4_safe" and hidden["joints_deg"][4] == -101.0
    assert "2.9 mm exists at j4 = -101 deg, outside the safe range" in hidden["says"]
    for found in answer["culprits"]:
        assert not {"j4_safe", "ee_y_floor"} & set(found["relax"])
        assert found["joints_deg"][4] == -86.0


def test_a_person_reads_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*QUESTION, "--explain"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "ee_y_target + score_weights 8.2 7.9 fk_row_10 36.215 57 25 -7 -86 -30" in told
    assert "j0_lock 13.1 10.1 fk_row_2" in told
    assert "alone, these change nothing: ee_y_band, j1_min, ref_joints, ee_y_target, score_weights" in told
    assert (
        "protected, never relaxed: j4_safe: 2.9 mm exists at j4 = -101 deg, outside the safe range "
        "(with ee_y_target + score_weights relaxed)"
    ) in told


def test_what_is_piped_is_not_cut(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lookup", "pick", "0.14", "0.2", "--ref-joints", "-35,70,25,0,-85,-30", "--explain"]) == 1
    told = capsys.readouterr().out
    assert "…" not in told and "relaxing one bound, or two, gives no nearer row" in told


def test_the_figure_is_written_by_its_suffix(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    svg, png, page = (tmp_path / f"funnel.{suffix}" for suffix in ("svg", "png", "html"))
    for path in (svg, png, page):
        assert main([*QUESTION, "--figure", str(path)]) == 0
        assert f"figure: {path}" in capsys.readouterr().out
    drawn = svg.read_text()
    for word in ("ee_y_target", "j4_safe", "16.3", "[0.095, 0.105] m", "fk_row_0", "never relaxed"):
        assert word in drawn
    assert png.read_bytes().startswith(b"\x89PNG") and "<svg" in page.read_text()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["funnel.html", "funnel.png", "funnel.svg"]


@pytest.mark.parametrize(
    ("name", "message"),
    [("funnel.pdf", "expected .svg, .png or .html"), ("nowhere/funnel.svg", "no folder")],
)
def test_a_figure_that_cannot_be_is_refused(
    name: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*QUESTION, "--figure", str(tmp_path / name)]) == 2
    told = capsys.readouterr()
    assert message in told.err and told.out == ""
