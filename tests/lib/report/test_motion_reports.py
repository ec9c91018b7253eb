"""The motion reports: figure, page and table say what the study's result says, whatever came out."""

from __future__ import annotations

import base64
import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from lib.motion import State, begin_study, end_study, playing
from lib.report.motions import (
    MotionFacts,
    motion_facts,
    motion_headline,
    motion_markdown,
    motion_page,
    write_motion_figure,
)
from lib.settings import Settings
from lib.settings_motion import Approach


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> MotionFacts:
    plain = Settings(data_dir=tmp_path_factory.mktemp("motions"))
    named = type(plain.motion.approaches)
    approaches = named({"high": plain.motion.approaches["high"], "far <b>": Approach(up_m=0.45)})
    speeds = type(plain.motion.speeds_s)({"fast": 1.5})
    settings = replace(
        plain, motion=replace(plain.motion, approaches=approaches, speeds_s=speeds, processes=1)
    )
    study = begin_study(settings, repeats=1)
    with playing(settings, study.robot, study.frames_folder) as players:
        return motion_facts(settings, end_study(settings, study, players.play(study.jobs)))


def test_the_page_plays_the_measured_points_to_a_tenth_of_a_millimetre(facts: MotionFacts) -> None:
    page = motion_page(facts)
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    data = json.loads(found[1])
    (track,) = [track for track in data["variants"] if track is not None]
    shown = facts.variants[0].shown
    assert shown is not None
    packed = np.frombuffer(base64.b64decode(track["points"]), dtype="<i2").reshape(-1, 15, 3) * data["unit_m"]
    assert np.abs(packed[:, :13] - shown.points_m[::2]).max() <= 0.51e-4
    assert np.abs(packed[:, 13:] - shown.told_cup_m[::2]).max() <= 0.51e-4
    assert track["step_s"] == pytest.approx(0.04)
    states = [state.value for state in State if state not in (State.IDLE, State.ABORTED)]
    assert [state for state, _ in track["states"]] == states
    assert len(data["variants"]) == 2 and data["variants"].count(None) == 1


def test_the_drawn_arm_has_its_links_lengths_and_holds_the_cup(facts: MotionFacts) -> None:
    shown = facts.variants[0].shown
    assert shown is not None
    lengths_m = np.linalg.norm(np.diff(shown.points_m[:, :7], axis=1), axis=2)
    assert np.ptp(lengths_m, axis=0).max() < 1e-9  # rigid
    assert lengths_m[0] == pytest.approx([0.138, 0.1, 0.1081, 0.001, 0.06, 0.0646], abs=2e-4)
    lifted = shown.states == "MOVING_TO_PLACE"
    fingertips_m = (shown.points_m[lifted, 8] + shown.points_m[lifted, 10]) / 2
    along = shown.points_m[lifted, 12] - shown.points_m[lifted, 11]
    grip_m = shown.points_m[lifted, 11] + along * (0.028 / 0.09)
    assert np.linalg.norm(fingertips_m - grip_m, axis=1).max() < 0.015


def test_the_page_needs_no_network_and_escapes_names(facts: MotionFacts) -> None:
    page = motion_page(facts)
    assert re.findall(r"""(?:src|href)\s*=|url\(|https?://|import\(|fetch\(""", page) == []
    assert "far &lt;b&gt;-fast" in page and "<b>-fast" not in page


def test_the_table_has_every_variant_with_its_place_and_the_rule_of_what_is_infeasible(
    facts: MotionFacts,
) -> None:
    text = motion_markdown(facts)
    assert text.startswith(f"## {facts.study_id}: high-fast is best\n")
    (row,) = [line for line in text.splitlines() if line.startswith("| 1 | high-fast |")]
    assert "✓ 1 of 1" in row and "-1.4" in row
    assert "- **far <b>-fast**: waypoint before the cup: the nearest pose" in text


def test_where_nothing_passed_figure_page_and_headline_say_so(facts: MotionFacts, tmp_path: Path) -> None:
    high = facts.variants[0]
    assert high.rank is not None
    failed = replace(high, rank=replace(high.rank, passed=0, medians={}))
    none = replace(facts, variants=(failed, facts.variants[1]), best=None)
    assert motion_headline(none).endswith("no variant passed the gates in every repeat")
    assert "none passed the gates" in motion_page(none)
    write_motion_figure(tmp_path / "figure.svg", none)
    drawn = (tmp_path / "figure.svg").read_text()
    assert "none passed in every repeat" in drawn and "infeasible:" in drawn
    assert failed.place == "-"
