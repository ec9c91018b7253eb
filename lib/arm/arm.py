"""One arm as its one owner sees it: read, move, grip, stop; every motion through the gate."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from lib.arm.arrival import Way
from lib.arm.clearance import clearances, least, named
from lib.arm.failures import ArmFailure, GateRefused, GuardianGone, PowerLost, Rebooted
from lib.arm.frames import STOP
from lib.arm.gate import UNHOMED_SPEED, GateState, Grip, LookedUp, Move, Release, through_the_gate
from lib.arm.gripping import Gripped, GripReader
from lib.arm.guarding import Guarding
from lib.arm.health import Health, HealthReader
from lib.arm.link import Link
from lib.arm.moving import Arrived, Mover
from lib.arm.path_check import GateContext, Verdict, check_path
from lib.arm.plausible import Angles
from lib.arm.readings import Moved, Reading
from lib.arm.refusal import refusal_row
from lib.arm.since_power_on import NO_OFFSETS, SincePowerOn, keep, load, now_utc, path_start
from lib.arm.waking import power_on, still_holds, wake
from lib.robot import shape_of
from lib.settings_arm import Arm as ArmSettings

if TYPE_CHECKING:
    from lib.runlog import RunLog

# A reading this deep inside a keep-out volume is no sag and no backlash.
INTRUSION_M = 0.008


class Arm:
    """The arm of one connection; made by ``connect``, which also guards and closes it."""

    def __init__(
        self,
        *,
        name: str,
        logged_as: str,
        link: Link,
        descriptor: int,
        context: GateContext,
        settings: ArmSettings,
        time_scale: float,
        memory: Path,
        process: int | None,
        guarding: Guarding | None,
        runlog: RunLog | None,
    ) -> None:
        self.name = name
        """What messages call it: where it is reached."""
        self._logged_as = logged_as
        self.link = link
        self.context = context
        self.time_scale = time_scale
        self.run_stem: str | None = None
        """The run that what is logged from now on belongs to."""
        self._descriptor, self._settings = descriptor, settings
        self._memory, self._process = memory, process
        self._guarding, self._runlog = guarding, runlog
        self._health = HealthReader(link)
        self._grip = GripReader(link, _empty_value(context), time_scale)
        self._known: SincePowerOn | None = None
        self._recalled: SincePowerOn | None = None
        self._lost: ArmFailure | None = None
        self._mover = Mover(
            link,
            self._health,
            send=self._send,
            intrudes=self._intrudes,
            guarded=lambda: guarding is not None and guarding.alive,
            reboots=lambda: None if self._known is None else self._known.reboots,
            time_scale=time_scale,
        )

    @property
    def homed(self) -> bool:
        """Whether the arm was homed since its power-on; known once it is prepared or recalled."""
        known = self._known or self._recalled
        return known is not None and known.homed

    def recall(self) -> bool:
        """Tell whether an arm that is not prepared was homed since its power-on; raises LinkLost.

        If it was, what homing found counts for all that is read of it from here on.
        """
        if self._known is None:
            kept, self._recalled = load(self._memory), None
            if kept is not None and kept.process == self._process and self.link.powered():
                holds = still_holds(kept, self._process, self._health.reboots(), self.link.angles)
                self._recalled = kept if holds else None
        return self.homed

    @property
    def guardian_pid(self) -> int | None:
        """The guardian's process."""
        return None if self._guarding is None else self._guarding.pid

    def read(self) -> Reading:
        """Read the joints of an arm at rest; raises LinkLost, PowerLost."""
        if not self.link.powered():
            raise PowerLost(f"{self.name}: the power is off, so it does not say where it stands")
        encoders_deg = self.link.angles()
        return Reading(self.true_deg(encoders_deg), encoders_deg)

    def true_deg(self, encoders_deg: Angles) -> Angles:
        """Return the true joints [deg] for what the encoders read: by what homing found, if it did."""
        known = self._known or self._recalled
        offsets = NO_OFFSETS if known is None else known.offsets_deg
        return tuple(value + offset for value, offset in zip(encoders_deg, offsets, strict=True))  # type: ignore[return-value]

    def health(self) -> Health:
        """Look how the arm is and log it; raises Rebooted where its reboot count changed, LinkLost."""
        health = self._health.look()
        if self._runlog is not None:
            self._runlog.append("arm_health", arm=self._logged_as, run_stem=self.run_stem, **health.as_row())
        known = self._known
        if (
            known is not None
            and None not in (health.reboots, known.reboots)
            and health.reboots != known.reboots
        ):
            self._lost = Rebooted(
                f"{self.name}: the controller rebooted (reboot count {known.reboots}, now {health.reboots}): "
                "check the power supply, look where the arm stands, then start anew"
            )
            raise self._lost
        return health

    def prepare(self) -> None:
        """Power the arm on and learn where it stands; done by the first motion, harmless before it.

        Raises LinkLost, PowerLost where the servos stay off, ErrorReported where an error does not clear.
        """
        if self._lost is not None:
            raise self._lost
        if self._known is not None:
            return
        known, self._mover.acknowledges = wake(self.link, self._health, load(self._memory), self._process)
        self._remember(known)
        self.link.plausible.expect_rest()

    def move(
        self,
        target_deg: Any,
        speed: Any = None,
        *,
        lookup: LookedUp | None = None,
        in_batch: bool = False,
    ) -> Moved:
        """Go to a joint pose [deg], J1 to J6, and come to rest there.

        Raises GateRefused where the gate refuses; Deviated, NotMoved, ErrorReported, LinkLost and their
        like where the arm fails, and then it was stopped.
        """
        self.prepare()
        if speed is None:
            speed = self._settings.speed if self.homed else min(self._settings.speed, UNHOMED_SPEED)
        request = Move(target_deg, speed, lookup, in_batch)
        with self._stopped_on_failure():
            arrived: Arrived = self._mover.go(request)
        return Moved(
            tuple(float(value) for value in target_deg),  # type: ignore[arg-type]
            self.true_deg(arrived.encoders_deg),
            arrived.off_deg,
            speed,
            arrived.duration_s,
            arrived.sends,
        )

    def grip(self, value: Any = 0, speed: Any = 50, *, in_batch: bool = False) -> Gripped:
        """Drive the gripper, 0 closed to 100 open; raises GateRefused, GripFailed, LinkLost."""
        self.prepare()
        with self._stopped_on_failure():
            before = self._grip.value()
            self._through_the_gate(Grip(value, speed, in_batch))
            return self._grip.settle(value, speed, before)

    def check_held(self) -> Gripped:
        """Look whether the gripper still holds what it gripped; raises GripFailed where it does not."""
        return self._grip.check_held()

    def stop(self) -> Reading | None:
        """Stop the arm; return where it then stands, None while its power is off; raises LinkLost."""
        with contextlib.suppress(OSError):
            os.write(self._descriptor, STOP)
        self._mover.stop()
        return self.read() if self.link.powered() else None

    def release(self) -> None:
        """Let the joints go, for a person who holds the arm; raises LinkLost."""
        self.prepare()
        self._through_the_gate(Release())
        self.link.plausible.expect_anything()

    def hold(self) -> Reading:
        """Hold the arm where a person has posed it: from there on it is found there; raises LinkLost."""
        power_on(self.link)
        self.link.plausible.forget()
        self.link.plausible.expect_rest()
        reading = self.read()
        assert self._known is not None
        self._remember(replace(self._known, found_deg=reading.encoders_deg, approved_deg=None))
        return reading

    def mark_homed(self, offsets_deg: Angles = NO_OFFSETS) -> None:
        """Record that homing has found the joint offsets [deg], true = encoder + offset."""
        self.prepare()
        assert self._known is not None
        self._remember(replace(self._known, homed_utc=now_utc(), offsets_deg=offsets_deg, approved_deg=None))

    def forget_homing(self) -> None:
        """Record that the last homing no longer holds: slow and near to here only, and no batch.

        Its offsets stay: nothing better is known.
        """
        self.prepare()
        assert self._known is not None
        found_deg = self.read().encoders_deg
        self._remember(replace(self._known, homed_utc=None, found_deg=found_deg, approved_deg=None))

    def check_pose(self, joints_deg: Angles) -> Verdict:
        """Return what the gate's geometry says about one pose, true joints [deg]."""
        return check_path(self.context, [joints_deg])

    def _through_the_gate(self, request: Grip | Release) -> None:
        if self._guarding is None or not self._guarding.alive:
            raise GuardianGone(f"{self.name}: no guardian watches, so nothing was sent; start again")
        state = self._gate_state(self.link.angles())
        self.link.clear()
        with self.link.interruptions.not_swallowed():
            through_the_gate(self.link.api, state, request)

    def _send(self, request: Move, encoders_deg: Angles) -> Way:
        state = self._gate_state(encoders_deg)
        self.link.clear()
        sent = through_the_gate(self.link.api, state, request)
        assert isinstance(sent, list)
        return Way(encoders_deg, tuple(sent), request.speed, self._settings.tolerance_deg)  # type: ignore[arg-type]

    def _gate_state(self, encoders_deg: Angles) -> GateState:
        known = self._known
        assert known is not None
        return GateState(
            context=self.context,
            start_deg=path_start(self.true_deg(encoders_deg), known.approved_deg),
            found_deg=self.true_deg(known.found_deg),
            homed=known.homed,
            envelope_deg=self._settings.homing_envelope_deg,
            envelope_height_m=self._settings.homing_height_m,
            offsets_deg=known.offsets_deg,
            refused=self._log_refusal,
            passed=self._remember_path,
        )

    def _log_refusal(self, verdict: Verdict, request: Move | Grip | Release) -> None:
        if self._runlog is not None:
            row = refusal_row(verdict, request)
            self._runlog.append("gate_refusal", arm=self._logged_as, run_stem=self.run_stem, **row)

    def _intrudes(self, encoders_deg: Angles) -> str:
        pose = np.array([self.true_deg(encoders_deg)])
        worst_m, which = least(*clearances(self.context.robot, self.context.volumes, pose))
        if worst_m[0] >= -INTRUSION_M:
            return ""
        body, obstacle = named(self.context.volumes, int(which[0]))
        return f"the {body} is {-worst_m[0] * 1000:.0f} mm too near to the {obstacle}"

    def _remember_path(self, start_deg: Angles, target_deg: Angles) -> None:
        assert self._known is not None
        self._remember(replace(self._known, approved_deg=(start_deg, target_deg)))

    def _remember(self, known: SincePowerOn) -> None:
        self._known = known
        keep(self._memory, known)

    @contextlib.contextmanager
    def _stopped_on_failure(self) -> Iterator[None]:
        try:
            yield
        except GateRefused:
            raise  # nothing was sent
        except BaseException as error:
            for _ in range(3):
                with contextlib.suppress(OSError):
                    os.write(self._descriptor, STOP)
                time.sleep(0.01)
            if isinstance(error, Rebooted):
                self._lost = error
            raise


def _empty_value(context: GateContext) -> float:
    gripper = shape_of(context.robot).gripper
    return 0.0 if gripper is None else gripper.empty_value
