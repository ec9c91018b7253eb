"""What the page says of homing: where each joint really is, how sure, and how far it moved since the last."""

from __future__ import annotations

from typing import Any

from lib.report.batch_facts import BatchFacts, Row
from lib.report.batch_words import NOT_SEEN, UNKNOWN, signed


def homing_section(facts: BatchFacts) -> dict[str, Any] | None:
    """Return what the template shows; None where the night was not homed and no run stands on a homing."""
    if not facts.homings:
        return None
    last = facts.homings[-1]
    fit = "" if last["residual_px"] is None else f", the pictures fit to {last['residual_px']:.2f} px"
    seen = "" if last["cameras"] is None else f", {last['cameras']} cameras and {last['markers']} markers"
    return {
        "headline": f"{last['state']}, by {last['method'] or 'a method not recorded'}{seen}{fit}",
        "tone": {"confident": "ok", "failed": "no"}.get(last["state"], "na"),
        "error": last["error"],
        "joints": [_joint(joint) for joint in facts.joints],
    }


def _joint(joint: Row) -> dict[str, str]:
    unit = joint["unit"] or ""
    moved = (
        None
        if joint["joint_offset"] is None or joint["offset_before"] is None
        else joint["joint_offset"] - joint["offset_before"]
    )
    sure = "" if joint["std"] is None else f" ±{joint['std']:.2f}"
    return {
        "variable": joint["variable"],
        "value": NOT_SEEN if joint["value"] is None else f"{joint['value']:.2f}{sure} {unit}",
        "offset": NOT_SEEN if joint["value"] is None else _with_unit(joint["joint_offset"], unit),
        "moved": _with_unit(moved, unit),
        "confidence": joint["confidence"] or UNKNOWN,
    }


def _with_unit(value: float | None, unit: str) -> str:
    return UNKNOWN if value is None else f"{signed(value, 2)} {unit}"
