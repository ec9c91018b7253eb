"""The emulated controller: power, motion in queue and fresh mode, gripper, errors.

It obeys one frame at a time and says what it answers; time passes in ``advance``. What it answers to the getters is what the real
controller does as far as pymycobot shows it; which lies it tells on request is in faults.py.
"""

from __future__ import annotations

import struct
from collections import deque
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from lib.arm.firmware.faults import Faults
from lib.arm.firmware.gripper import Gripper
from lib.arm.firmware.motion import Array, Motion
from lib.arm.firmware.servos import Servos
from lib.arm.frames import Frame, Genre, angles_of, angles_payload
from lib.cell import Body

IN_POSITION_DEG = 1.0
# After this time without a motion nothing falls or rolls any more: the body need not be driven.
SETTLED_AFTER_S = 2.0
BOOT_S = 1.5
QUEUE_LONGEST = 32
ACKNOWLEDGED = b"\x01"
NOTHING = b""


class Controller:
    """The state machine between the frames and the body."""

    def __init__(self, body: Body, limits_deg: Array, faults: Faults, powered: bool) -> None:
        self.body = body
        self.faults = faults
        self.powered = powered
        self.reboots = 0
        self.time_s = 0.0
        self.obeyed: list[tuple[float, str]] = []
        """Motion frames obeyed: the emulated time and the frame in hex."""
        self._limits_deg = limits_deg
        self._error = 0
        self._fresh = False
        self._motion: Motion | None = None
        self._queue: deque[tuple[Array, int]] = deque()
        self._deaf_until_s = 0.0
        self._idle_s = 0.0
        self._servos = Servos()
        self.gripper = Gripper(body)
        body.set_power(powered)
        self._setpoint_deg = body.encoders_deg()
        self._shown_deg: Array | None = None
        self._obey: dict[int, Callable[[bytes], bytes | None]] = {
            Genre.GET_ERROR: lambda _: bytes([self._error]),
            Genre.CLEAR_ERROR: self._clear_error,
            Genre.POWER_ON: self._power_on,
            Genre.POWER_OFF: self._power_off,
            Genre.IS_POWER_ON: lambda _: bytes([self.powered]),
            Genre.RELEASE_ALL: self._release,
            Genre.FOCUS: self._power_on,
            Genre.SET_FRESH_MODE: self._set_fresh_mode,
            Genre.GET_FRESH_MODE: lambda _: bytes([self._fresh]),
            Genre.GET_ANGLES: self._get_angles,
            Genre.SEND_ANGLE: self._send_angle,
            Genre.SEND_ANGLES: self._send_angles,
            Genre.STOP: self._stop,
            Genre.IS_IN_POSITION: self._is_in_position,
            Genre.IS_MOVING: lambda _: bytes([self.moving or self.faults.always_moving]),
            Genre.GET_GRIPPER_VALUE: lambda _: bytes([round(self.body.gripper_value())]),
            Genre.SET_GRIPPER_STATE: self._set_gripper_state,
            Genre.SET_GRIPPER_VALUE: self._set_gripper_value,
            Genre.GET_REBOOT_COUNT: lambda _: struct.pack(">h", self.reboots),
            Genre.GET_VOLTAGES: lambda _: bytes(self._servos.voltages(self.moving)),
            Genre.GET_STATUS: lambda _: bytes(6),
            Genre.GET_TEMPERATURES: lambda _: bytes(self._servos.temperatures()),
        }

    @property
    def moving(self) -> bool:
        """Whether the joints are on their way."""
        return self._motion is not None

    @property
    def idle(self) -> bool:
        """Whether nothing has moved for so long that nothing will by itself."""
        return self._idle_s >= SETTLED_AFTER_S

    def answer(self, frame: Frame) -> bytes | None:
        """Obey a frame; return the reply's payload, or None for no reply."""
        if self.time_s < self._deaf_until_s or frame.genre not in self._obey:
            return None
        reply = self._obey[frame.genre](frame.payload)
        if reply is None:
            return None
        if reply == ACKNOWLEDGED and frame.genre in _SETTERS:
            return None if self.faults.silent_setters else reply
        return None if self.faults.mute else reply

    def advance(self, step_s: float) -> None:
        """Let emulated time pass."""
        self.time_s += step_s
        self._servos.advance(step_s, self.moving)
        self.gripper.advance(step_s, self.faults)
        if self._motion is not None:
            self._go_on(self._motion, step_s)
        self._idle_s = 0.0 if self.moving or self.gripper.moving else self._idle_s + step_s
        if not self.idle:
            self.body.drive(self._setpoint_deg, self.gripper.setpoint, step_s)

    def reboot(self) -> None:
        """Start anew: power off, memory empty, deaf while booting, one reboot more."""
        self.reboots += 1
        self._deaf_until_s = self.time_s + BOOT_S
        self._error, self._fresh = 0, False
        self._set_power(False)

    def power_cycle(self) -> None:
        """Be switched off and on at the mains: what was mute speaks again."""
        self.faults = replace(self.faults, mute=False, constant_deg=None)
        self.reboot()

    def be_deaf(self, for_s: float) -> None:
        """Hear nothing for a time of the emulated clock."""
        self._deaf_until_s = self.time_s + for_s

    def wake(self) -> None:
        """Drive the body again: something in the cell was changed."""
        self._idle_s = 0.0

    def _go_on(self, motion: Motion, step_s: float) -> None:
        self._setpoint_deg = motion.advance(step_s)
        faults = self.faults
        if faults.reboots_at_share is not None and motion.share >= faults.reboots_at_share:
            self.faults = replace(faults, reboots_at_share=None)
            self.reboot()
        elif faults.stops_at_share is not None and motion.share >= faults.stops_at_share:
            self._motion = None
        elif motion.done:
            self._motion = None
            if self._queue:
                self._start(*self._queue.popleft())

    def _start(self, target_deg: Array, speed: int) -> None:
        if self.faults.shows_target:
            self._shown_deg = target_deg
            return
        self._motion = Motion(self._setpoint_deg, target_deg, speed)

    def _set_power(self, on: bool) -> None:
        self._motion, self._shown_deg = None, None
        self._queue.clear()
        self.powered = on
        self.body.set_power(on)
        self._setpoint_deg = self.body.encoders_deg()
        self.gripper.relax()
        self.wake()

    def _power_on(self, _: bytes) -> bytes:
        if not self.powered:
            self._set_power(True)
        else:
            self.body.set_power(True)
        return ACKNOWLEDGED

    def _power_off(self, _: bytes) -> bytes:
        self._set_power(False)
        return ACKNOWLEDGED

    def _release(self, _: bytes) -> bytes:
        self._stop(NOTHING)
        self._motion = None
        self.body.set_power(False)
        self.wake()
        return ACKNOWLEDGED

    def _clear_error(self, _: bytes) -> bytes:
        self._error = 0
        return ACKNOWLEDGED

    def _set_fresh_mode(self, payload: bytes) -> bytes | None:
        if len(payload) != 1 or payload[0] > 1:
            return None
        self._fresh = payload[0] == 1
        return ACKNOWLEDGED

    def _get_angles(self, _: bytes) -> bytes | None:
        if not self.powered:
            return None
        if self.faults.constant_deg is not None:
            # An int16 of hundredths ends at -327.68: what -1000 deg is on the wire.
            return angles_payload([self.faults.constant_deg] * 6)
        return angles_payload(self.body.encoders_deg() if self._shown_deg is None else self._shown_deg)

    def _send_angle(self, payload: bytes) -> bytes | None:
        if len(payload) != 4 or not 1 <= payload[0] <= 6:
            return None
        target_deg = (self._motion.target_deg if self._motion else self._setpoint_deg).copy()
        target_deg[payload[0] - 1] = angles_of(payload[1:3])[0]
        return self._move(Frame(Genre.SEND_ANGLE, payload), target_deg, payload[3])

    def _send_angles(self, payload: bytes) -> bytes | None:
        if len(payload) != 13:
            return None
        return self._move(Frame(Genre.SEND_ANGLES, payload), np.array(angles_of(payload[:12])), payload[12])

    def _move(self, frame: Frame, target_deg: Array, speed: int) -> bytes | None:
        if not self.powered or not 1 <= speed <= 100:
            return None
        outside = (target_deg < self._limits_deg[:, 0]) | (target_deg > self._limits_deg[:, 1])
        if outside.any():
            self._error = int(outside.argmax()) + 1
            return ACKNOWLEDGED
        self.obeyed.append((self.time_s, bytes(frame).hex(" ")))
        self.body.set_power(True)
        if self._fresh or self._motion is None:
            self._queue.clear()
            self._start(target_deg, speed)
        elif len(self._queue) < QUEUE_LONGEST:
            self._queue.append((target_deg, speed))
        return ACKNOWLEDGED

    def _stop(self, _: bytes) -> bytes:
        self._queue.clear()
        if self._motion is not None:
            self._motion.brake()
        return ACKNOWLEDGED

    def _is_in_position(self, payload: bytes) -> bytes | None:
        if len(payload) != 13 or payload[12] != 0:
            return None
        off_deg = np.abs(self.body.encoders_deg() - np.array(angles_of(payload[:12]))).max()
        return bytes([bool(off_deg <= IN_POSITION_DEG) or self.faults.always_moving])

    def _set_gripper_state(self, payload: bytes) -> bytes | None:
        if len(payload) not in (2, 3) or payload[0] not in (0, 1, 254):
            return None
        if payload[0] == 254:
            self.gripper.relax()
            return ACKNOWLEDGED
        return self._grip(0.0 if payload[0] == 1 else 100.0, payload[1])

    def _set_gripper_value(self, payload: bytes) -> bytes | None:
        if len(payload) not in (2, 3) or payload[0] > 100:
            return None
        return self._grip(float(payload[0]), payload[1])

    def _grip(self, value: float, speed: int) -> bytes | None:
        if not self.powered:
            return None
        self.wake()
        if self.gripper.go_to(value, speed, self.faults) and self.faults.deaf_after_grip_s:
            self.be_deaf(self.faults.deaf_after_grip_s)
        return ACKNOWLEDGED


_SETTERS = {
    Genre.CLEAR_ERROR, Genre.POWER_ON, Genre.POWER_OFF, Genre.RELEASE_ALL, Genre.FOCUS, Genre.SET_FRESH_MODE,
    Genre.SEND_ANGLE, Genre.SEND_ANGLES, Genre.STOP, Genre.SET_GRIPPER_STATE, Genre.SET_GRIPPER_VALUE,
}  # fmt: skip
