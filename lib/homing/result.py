"""What a homing found: the state, how it was found, and the evidence for it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lib.homing.lens import Array
from lib.homing.loose_base import BASE_SLIDES
from lib.homing.marker_methods import ChainJoint
from lib.homing.marker_pose import MarkerPose
from lib.homing.pixel_ba import PixelSolution
from lib.homing.placing import Placing
from lib.homing.residual_table import ResidualRow
from lib.homing.state import CONFIDENT, Movement, flat_state
from lib.robot import Machine


@dataclass(frozen=True, eq=False)
class Homing:
    """One homing."""

    machine: Machine
    """On slides where its base has slack."""
    method: str
    """The method whose values stand: the one asked for, or ``chain`` where that failed."""
    fallback: str | None
    """Why the chain's state stands in place of the method asked for; None where it does not."""
    found: tuple[Movement, ...]
    """Every variable of the machine, the base's slides among them."""
    chain: tuple[ChainJoint, ...]
    """How each joint was found on the way from root to tip."""
    marker_poses: tuple[MarkerPose, ...]
    placing: Placing | None
    """None where the markers' poses were given."""
    solution: PixelSolution | None
    """None for the methods that look at marker poses alone; not believed where ``fallback`` says so."""
    residuals: tuple[ResidualRow, ...]
    rms_px: float
    """Of the corners that count; NaN without images."""
    rms_mm: float
    """Of all marker centres against the result."""
    warnings: tuple[str, ...]

    @property
    def movements(self) -> tuple[Movement, ...]:
        """Every joint variable, in the machine's order."""
        return tuple(m for m in self.found if m.name not in BASE_SLIDES)

    @property
    def base_shift(self) -> tuple[Movement, ...]:
        """Where the base stands against the board, x, y and z; empty where it is taken as exact."""
        return tuple(m for m in self.found if m.name in BASE_SLIDES)

    @property
    def state(self) -> dict[str, float | None]:
        """The flat state; what cannot be seen is None."""
        return flat_state(self.movements)

    @property
    def confident(self) -> bool:
        """Whether every variable is sure enough for an arm: what a batch asks before it starts."""
        return all(m.confidence in CONFIDENT for m in self.movements)

    @property
    def sendable(self) -> dict[str, float]:
        """Values sure enough for an arm, never null: {variable: value}."""
        return {m.name: m.value for m in self.movements if m.sendable and m.value is not None}

    def values(self, machine: Machine) -> Array:
        """Return the values [rad or m] (variables,) of a machine's variables; unseen ones at mid-range."""
        found = {m.name: m.value for m in self.found}
        return np.array(
            [
                (v.low + v.high) / 2 if (value := found.get(v.name)) is None else value / v.shown_per_internal
                for v in machine.variables
            ]
        )

    def as_json(self) -> dict[str, object]:
        """Return the document of `home --json`, which is also what robot_state.json holds."""
        return {
            "robot": self.machine.name,
            "robot_md5": self.machine.file_md5,
            "method": self.method,
            "fallback": self.fallback,
            "movements": {m.name: m.as_json() for m in self.movements},
            "state": self.state,
            "confident": self.confident,
            "base_shift": {m.name: m.as_json() for m in self.base_shift},
            "rms_px": self.rms_px,
            "residual_rms_mm": self.rms_mm,
            "residuals": [row.as_json() for row in self.residuals],
            "chain": [self._joint(joint) for joint in self.chain if self._name(joint) not in BASE_SLIDES],
            "cameras": self._cameras(),
            "warnings": list(self.warnings),
        }

    def _name(self, joint: ChainJoint) -> str:
        return self.machine.variables[joint.variable].name

    def _joint(self, joint: ChainJoint) -> dict[str, object]:
        variable = self.machine.variables[joint.variable]
        return {
            "variable": variable.name,
            "value": joint.value * variable.shown_per_internal,
            "unit": variable.unit,
            "method": joint.method,
            "n_markers": joint.markers,
            "residual_mm": joint.residual_mm,
        }

    def _cameras(self) -> list[dict[str, object]]:
        if self.placing is None:
            return []
        placed: list[dict[str, object]] = [
            {
                "name": p.camera.name,
                "placed": True,
                "board_rms_px": p.rms_px,
                "board_markers": p.markers,
                "place_m": p.camera.place_m.tolist(),
                "rotation": p.camera.rotation.tolist(),
                "reason": None,
            }
            for p in self.placing.placed
        ]
        return placed + [{"name": u.name, "placed": False, "reason": u.reason} for u in self.placing.unplaced]
