"""A refusal as a row of ``gate_refusal``: the rule, the numbers, and what was asked for, whatever it was."""

from __future__ import annotations

from typing import Any

from lib.arm.gate import Grip, Move, Release
from lib.arm.path_check import Verdict


def refusal_row(verdict: Verdict, request: Move | Grip | Release) -> dict[str, object]:
    """Return the values of the row, the arm's name and the run left out."""
    asked = {name: _shown(value) for name, value in vars(request).items() if name != "lookup"}
    return {"rule": verdict.rule, "message": verdict.says, "numbers": dict(verdict.numbers), "asked": asked}


def _shown(value: Any) -> Any:
    """Return a value as JSON takes it, and anything else as Python shows it."""
    if type(value) in (int, float, str, bool):
        return value
    if isinstance(value, list | tuple):
        return [_shown(part) for part in value]
    return repr(value)
