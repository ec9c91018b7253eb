"""An arm without line and clock: the gate, the firmware's motions and the cell, as fast as they compute."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from lib.arm import GateRefused, GripFailed, Gripped, Health, Moved, NotMoved, Reading, gate_context
from lib.arm.firmware.motion import Motion
from lib.arm.gate import GateState, Grip, Move, judged
from lib.arm.since_power_on import path_start
from lib.arm.target import on_the_wire
from lib.cell import Cell
from lib.robot import Robot, shape_of
from lib.settings import Settings

_STEP_S = 0.02
_SETTLES_S = 0.3
_GRIPS_S = 1.0


class InProcessArm:
    """What ``lib.arm.Arm`` is to a batch, on a cell in this process."""

    def __init__(self, settings: Settings, robot: Robot, cell: Cell) -> None:
        self.name = "the arm in this process"
        self.context = gate_context(settings, robot)
        self.run_stem: str | None = None
        self.homed = True
        self.refusals: list[str] = []
        self.sent: list[tuple[float, ...]] = []
        self.speeds: list[int] = []
        self.cell = cell
        self._settings = settings
        self._offsets_deg = np.zeros(6)
        self._value = 100.0
        self._holds = False
        self._setpoint_deg = cell.encoders_deg()
        self._approved: tuple[Any, Any] | None = None
        gripper = shape_of(robot).gripper
        assert gripper is not None
        self._empty_value = gripper.empty_value

    def mark_homed(self, offsets_deg: Sequence[float]) -> None:
        self._offsets_deg = np.array(offsets_deg, dtype=float)
        self._approved = None

    @property
    def offsets_deg(self) -> list[float]:
        """True joint less encoder [deg]."""
        return list(self._offsets_deg)

    def prepare(self) -> None:
        """Nothing to be woken."""

    def read(self) -> Reading:
        encoders = self.cell.encoders_deg()
        true = encoders + self._offsets_deg
        return Reading(tuple(true.tolist()), tuple(encoders.tolist()))

    def health(self) -> Health:
        return Health(True, (30.0,) * 6, (12.0,) * 6, (0,) * 6, 1, 0, round(self.cell.gripper_value()), 0)

    def move(
        self, target_deg: Any, speed: Any = None, *, lookup: Any = None, in_batch: bool = False
    ) -> Moved:
        speed = self._settings.arm.speed if speed is None else speed
        request = Move(target_deg, speed, lookup, in_batch)
        self._judge(request)
        sent = on_the_wire([t - o for t, o in zip(target_deg, self._offsets_deg, strict=True)])
        self.sent.append(tuple(target_deg))
        self.speeds.append(speed)
        self._approved = (self.read().joints_deg, tuple(np.array(sent) + self._offsets_deg))
        motion = Motion(self._setpoint_deg, np.array(sent), speed)
        while not motion.done:
            self._setpoint_deg = motion.advance(_STEP_S)
            self.cell.drive(self._setpoint_deg, self._value, _STEP_S)
        self._rest(_SETTLES_S)
        reached = self.cell.encoders_deg()
        off_deg = float(np.abs(reached - sent).max())
        if off_deg > self._settings.arm.tolerance_deg:
            apart = ", ".join(f"{value:.2f}" for value in reached - sent)
            raise NotMoved(f"[{apart}] deg from its target; touching {self.cell.touches()}")
        return Moved(tuple(target_deg), tuple((reached + self._offsets_deg).tolist()), off_deg, speed, 0.0, 1)

    def grip(self, value: Any = 0, speed: Any = 50, *, in_batch: bool = False) -> Gripped:
        self._judge(Grip(value, speed, in_batch))
        closing = value < self._value
        self._value = float(value)
        self._rest(_GRIPS_S)
        read = round(self.cell.gripper_value())
        self._holds = closing and read > max(self._empty_value, value + 2)
        return Gripped(read, self._holds)

    def check_held(self) -> Gripped:
        read = round(self.cell.gripper_value())
        if not self._holds or read <= self._empty_value:
            self._holds = False
            raise GripFailed(f"{self.name}: the gripper holds nothing: {read}")
        return Gripped(read, True)

    def stop(self) -> Reading:
        return self.read()

    def _rest(self, duration_s: float) -> None:
        for _ in range(round(duration_s / _STEP_S)):
            self.cell.drive(self._setpoint_deg, self._value, _STEP_S)

    def _judge(self, request: Move | Grip) -> None:
        state = GateState(
            context=self.context,
            start_deg=path_start(self.read().joints_deg, self._approved),
            found_deg=(0.0,) * 6,
            homed=self.homed,
            envelope_deg=20.0,
            envelope_height_m=0.05,
            offsets_deg=tuple(self._offsets_deg.tolist()),  # type: ignore[arg-type]  # six
            refused=lambda verdict, request: self.refusals.append(verdict.rule),
            passed=lambda start, target: None,
        )
        verdict = judged(state, request)
        if not verdict.ok:
            self.refusals.append(verdict.rule)
            raise GateRefused(verdict)
