"""The motion page: every variant of a study plays side by side in one HTML file, without a network."""

from __future__ import annotations

import base64
import json
import os
from pathlib import Path
from typing import Any

import jinja2
import numpy as np
from numpy.typing import NDArray

from lib.motion import CHAIN
from lib.report.motion_facts import MotionFacts, Shown, VariantFacts
from lib.report.motion_figure import STATE_COLOURS, STATE_WORDS
from lib.report.motion_scores import SCORE_COLUMNS, score_texts

# 25 frames a second are enough for an eye, and places to a tenth of a millimetre: 50 KB a variant.
_EVERY = 2
_UNIT_M = 1e-4


def write_motion_page(path: Path, facts: MotionFacts) -> Path:
    """Write the page to ``path``, whole or not at all."""
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    part.write_text(motion_page(facts), encoding="utf-8")
    part.replace(path)
    return path


def motion_page(facts: MotionFacts) -> str:
    """Return the page's HTML."""
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("lib.report"), autoescape=True, undefined=jinja2.StrictUndefined
    )
    approaches = list(dict.fromkeys(variant.approach for variant in facts.variants))
    speeds = list(dict.fromkeys(variant.speed for variant in facts.variants))
    by_place = sorted(facts.variants, key=lambda v: (speeds.index(v.speed), approaches.index(v.approach)))
    return environment.get_template("motions.html").render(
        title=f"Motion study {facts.study_id}",
        subtitle=_subtitle(facts),
        columns=len(approaches),
        variants=[_panel(variant, facts.best) for variant in by_place],
        score_names=[column.name for column in SCORE_COLUMNS],
        ranking=[_ranking_row(variant) for variant in facts.ranked],
        infeasible=[
            {"name": variant.name, "says": variant.infeasible}
            for variant in facts.variants
            if variant.infeasible is not None
        ],
        states=[{"word": STATE_WORDS[state], "colour": colour} for state, colour in STATE_COLOURS.items()],
        data=_data(facts, by_place),
    )


def _subtitle(facts: MotionFacts) -> str:
    played = sum(variant.rank is not None for variant in facts.variants)
    best = f"best: {facts.best}" if facts.best else "none passed the gates in every repeat"
    return (
        f"{played} of {len(facts.variants)} variants, {facts.repeats} repeats each, {best}. "
        "What plays is each variant's first repeat, as it went in the simulated cell."
    )


def _panel(variant: VariantFacts, best: str | None) -> dict[str, Any]:
    tone = "best" if variant.name == best else "" if variant.passed else "bad"
    return {
        "name": variant.name,
        "place": variant.place,
        "tone": tone,
        "infeasible": variant.infeasible,
        "ended": variant.shown.ended if variant.shown else "",
        "wrong": variant.shown.wrong if variant.shown else (),
    }


def _ranking_row(variant: VariantFacts) -> dict[str, Any]:
    rank = variant.rank
    assert rank is not None, "ranked variants have a rank"
    return {
        "place": variant.place,
        "name": variant.name,
        "rank": f"{rank.median_rank:g} ({rank.low_rank:g} to {rank.high_rank:g})",
        "passed": f"{rank.passed} of {rank.repeats}",
        "bad": not variant.passed,
        "front": rank.on_front,
        "scores": score_texts(variant),
    }


def _data(facts: MotionFacts, variants: list[VariantFacts]) -> str:
    """Return what the player draws as JSON that may stand inside a script element."""
    document = {
        "chain": CHAIN,
        "unit_m": _UNIT_M,
        "cup_radius_m": facts.cup_radius_m,
        "boxes": [{"low": box.low_m, "high": box.high_m} for box in facts.boxes],
        "colours": STATE_COLOURS,
        "words": STATE_WORDS,
        "variants": [_track(variant.shown) for variant in variants],
    }
    return json.dumps(document, separators=(",", ":")).replace("</", "<\\/")


def _track(shown: Shown | None) -> dict[str, Any] | None:
    if shown is None:
        return None
    kept = slice(0, None, _EVERY)
    states = shown.states[kept]
    starts = np.flatnonzero(np.concatenate([[True], states[1:] != states[:-1]]))
    return {
        "step_s": _EVERY * float(shown.time_s[0]),
        "states": [[str(states[start]), int(start)] for start in starts],
        "speed": _packed(shown.speed_m_s[kept, None]),
        "points": _packed(np.concatenate([shown.points_m, shown.told_cup_m], axis=1)[kept]),
    }


def _packed(values_m: NDArray[np.float64]) -> str:
    """Return values as little-endian 16-bit integers of _UNIT_M, in base 64."""
    units = np.clip(np.round(values_m / _UNIT_M), -32768, 32767).astype("<i2")
    return base64.b64encode(units.tobytes()).decode("ascii")
