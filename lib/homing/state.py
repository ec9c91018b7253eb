"""What homing says about each variable: a value with its deviation, or null; never a made-up zero."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from lib.errors import BadInput, one_of
from lib.homing.lens import Array
from lib.robot import Machine, Variable

HIGH, MEDIUM, LOW, NONE = "high", "medium", "low", "none"
CONFIDENT = (HIGH, MEDIUM)
"""What may be sent to an arm."""

# Largest deviation of each class, [deg] and [mm]. 0.3 degrees are 2.7 deviations of 0.11: of the
# joints called high at least 99 % are within them.
_LARGEST_STD = {"deg": {HIGH: 0.11, MEDIUM: 0.5, LOW: 5.0}, "mm": {HIGH: 0.3, MEDIUM: 1.5, LOW: 10.0}}


@dataclass(frozen=True)
class Movement:
    """One variable."""

    name: str
    value: float | None
    """[unit]; None where it cannot be seen."""
    unit: str
    """``deg`` or ``mm``."""
    confidence: str
    """``high``, ``medium``, ``low``, or ``none`` where there is no value."""
    n_markers: int
    """Markers with corners that count, of the links it was settled by."""
    std: float | None
    """Standard deviation [unit]."""
    method: str | None

    @property
    def observable(self) -> bool:
        """Whether there is a value."""
        return self.value is not None

    @property
    def sendable(self) -> bool:
        """Whether the value is sure enough for an arm."""
        return self.value is not None and self.confidence in CONFIDENT

    def as_json(self) -> dict[str, object]:
        """Return the entry of ``movements`` in a robot_state.json."""
        return {
            "value": self.value,
            "unit": self.unit,
            "observable": self.observable,
            "confidence": self.confidence,
            "n_markers": self.n_markers,
            "std": self.std,
            "method": self.method,
        }


def largest_std(unit: str) -> dict[str, float]:
    """Return each class's largest deviation [unit], the surest class first."""
    return dict(_LARGEST_STD[unit])


def movement(
    variable: Variable, value: float, std: float, n_markers: int, method: str, worst: str = HIGH
) -> Movement:
    """Return a variable with the confidence its deviation gives it.

    ``value`` and ``std`` in rad or m; ``worst`` caps the confidence where something else speaks
    against the value. A variable without markers, or too unsure for any class, has no value.
    """
    shown_std = std * variable.shown_per_internal
    limits = _LARGEST_STD[variable.unit]
    classes = (HIGH, MEDIUM, LOW)
    confidence = next((c for c in classes if shown_std <= limits[c]), NONE)
    confidence = max(confidence, worst, key=(*classes, NONE).index)
    if n_markers == 0 or confidence == NONE or not math.isfinite(value):
        return unseen(variable)
    shown = value * variable.shown_per_internal
    return Movement(variable.name, shown, variable.unit, confidence, n_markers, shown_std, method)


def unseen(variable: Variable) -> Movement:
    """Return a variable nothing was seen of."""
    return Movement(variable.name, None, variable.unit, NONE, 0, None, None)


def flat_state(movements: Sequence[Movement]) -> dict[str, float | None]:
    """Return the controller's flat form, {x, y, z, a, b, c, e}: what is null stays null."""
    return {m.name: m.value for m in movements}


def seed_of(machine: Machine, document: object, where: str) -> dict[int, float]:
    """Read a state to begin from: variables of the machine to values [rad or m].

    Takes the flat form, one wrapped in ``accumulated_state`` or ``state``, or ``movements`` with
    values; variables that are missing or null are left out. Raises BadInput, beginning with ``where``.
    """
    flat = _flat(document, where)
    names = [variable.name for variable in machine.variables]
    seed = {}
    for name, value in flat.items():
        if name not in names:
            raise BadInput(f"{where}: {name} is no variable of {machine.name}; expected {one_of(names)}")
        if value is None:
            continue
        if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= 1e6:
            raise BadInput(f"{where}: {name} is {value!r}; expected degrees, millimetres or null")
        variable = machine.variables[names.index(name)]
        seed[names.index(name)] = float(value) / variable.shown_per_internal
    return seed


def _flat(document: object, where: str) -> Mapping[str, object]:
    if isinstance(document, dict):
        for key in ("accumulated_state", "state"):
            if isinstance(document.get(key), dict):
                return _flat(document[key], where)
        movements = document.get("movements")
        if isinstance(movements, dict):
            return {k: m.get("value") if isinstance(m, dict) else m for k, m in movements.items()}
        return document
    raise BadInput(f"{where}: expected a state, {{variable: value}}")


def wrapped_deg(angles_deg: Array) -> Array:
    """Return angles [deg] in [-180, 180)."""
    return np.asarray((angles_deg + 180.0) % 360.0 - 180.0)
