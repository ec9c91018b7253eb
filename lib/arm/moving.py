"""One motion from the gate to its arrival: never resent blindly, never believed from one reading.

Whatever looks wrong on the way, a suspect call, a reading astray, no progress, first stops the arm. Then
it is read until two readings agree, and only what they say decides: it is there, it may go on to the same
absolute target through the gate again, or the motion has failed and says why.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from lib.arm.arrival import CORRIDOR_DEG, Follower, Sight, Way
from lib.arm.failures import Deviated, ErrorReported, GuardianGone, NotBelieved, NotMoved, PowerLost, Rebooted
from lib.arm.gate import Move
from lib.arm.health import HealthReader, meaning
from lib.arm.link import Link, Suspect
from lib.arm.plausible import SLACK_DEG, Angles, fastest_deg_per_s
from lib.arm.waking import clear_error

# How often one motion may be sent in all, and how often because the arm stood still.
SENDS = 6
STANDSTILLS = 2
BRAKES_WITHIN_S = 0.3
POLL_S = 0.03
POLL_REAL_S = 0.004
ACKNOWLEDGED_WITHIN_S = 0.1
CLAIMED_DEG = 1.0


@dataclass(frozen=True)
class Arrived:
    """A motion that is complete."""

    encoders_deg: Angles
    """The second of the two readings that say so [deg]."""
    off_deg: float
    """How far the joint that is farthest from its target is from it [deg]."""
    duration_s: float
    """Real time from the first sending to the arrival [s]."""
    sends: int
    """How often the target was sent: 1 unless something was in the way."""


class Mover:
    """Sees motions of one arm through."""

    def __init__(
        self,
        link: Link,
        health: HealthReader,
        *,
        send: Callable[[Move, Angles], Way],
        intrudes: Callable[[Angles], str],
        guarded: Callable[[], bool],
        reboots: Callable[[], int | None],
        time_scale: float,
    ) -> None:
        """Take what a motion needs of its arm.

        ``send`` passes a request through the gate from where the encoders stand; ``intrudes`` names what
        the arm would be inside of at given encoders; ``guarded`` tells whether the guardian lives;
        ``reboots`` is the count the arm was found with.
        """
        self._link, self._health = link, health
        self._send_through, self._intrudes = send, intrudes
        self._guarded, self._reboots = guarded, reboots
        self._time_scale = time_scale
        self._reported = False
        self._sent_s = 0.0
        self.acknowledges = False
        """Whether the firmware acknowledges what it is told; found out at the start."""

    def go(self, request: Move) -> Arrived:
        """Move; raises GateRefused, Deviated, NotMoved, NotBelieved, ErrorReported, Rebooted, LinkLost..."""
        started_s = time.monotonic()
        angles, standstills = self._truth(drained=False), 0
        if self._reported:
            # What the last motion was told of is no fault of this one.
            clear_error(self._link, self._health)
            self._reported = False
        for sends in range(1, SENDS + 1):
            way = self._send(request, angles)
            follower = Follower(way, self._time_scale)
            sight, claimed = self._follow(follower)
            if sight is Sight.ARRIVED:
                angles = self._seen
            else:
                self.stop()
                angles = self._truth(drained=sight is Sight.ON_ITS_WAY)
                if claimed and way.there(angles):
                    raise NotBelieved(_too_soon(self._link.name, way, angles))
            self._check_error()
            if way.there(angles):
                return Arrived(angles, way.left_deg(angles), time.monotonic() - started_s, sends)
            self._check_astray(way, angles)
            standstills += sight in (Sight.STANDING, Sight.OVERDUE)
            if standstills > STANDSTILLS:
                break
        raise NotMoved(_stands(self._link.name, way, angles, sends))

    def stop(self) -> None:
        """Tell the arm to stop, and give it the time to brake."""
        self._link.tell("stop", self._link.api.stop)
        time.sleep(BRAKES_WITHIN_S / self._time_scale)
        self._link.plausible.forget()  # the last reading was one of a moving arm
        self._link.plausible.expect_rest()

    def _send(self, request: Move, angles: Angles) -> Way:
        if not self._guarded():
            raise GuardianGone(f"{self._link.name}: its guardian is gone, so nothing was sent; start again")
        way = self._send_through(request, angles)
        self._sent_s = time.monotonic()
        self._link.plausible.accept(angles)
        self._link.plausible.expect_motion(way.speed)
        self._link.expect_acknowledgement(ACKNOWLEDGED_WITHIN_S if self.acknowledges else 0.0)
        return way

    def _follow(self, follower: Follower) -> tuple[Sight, bool]:
        """Watch until it is decided; return how, and whether a rejected reading claimed to be there.

        ON_ITS_WAY is what a suspect call leaves undecided.
        """
        while True:
            time.sleep(max(POLL_REAL_S, POLL_S / self._time_scale))
            if not self._guarded():
                self.stop()
                raise GuardianGone(
                    f"{self._link.name}: its guardian is gone, so the arm was stopped; start again"
                )
            try:
                self._seen = self._link.angles_once()
            except Suspect:
                return Sight.ON_ITS_WAY, self._claims(follower.way, time.monotonic() - self._sent_s)
            sight = follower.see(self._seen)
            if sight is Sight.ON_ITS_WAY and self._intrudes(self._seen):
                return Sight.ASTRAY, False
            if sight is not Sight.ON_ITS_WAY:
                return sight, False

    def _claims(self, way: Way, since_s: float) -> bool:
        """Tell whether the call just rejected said "there" before anything could be there."""
        found = self._link.rejected
        if not isinstance(found, list) or len(found) != len(way.target_deg):
            return False
        possible_deg = SLACK_DEG + fastest_deg_per_s(way.speed, self._time_scale) * since_s
        there = all(abs(a - b) <= CLAIMED_DEG for a, b in zip(found, way.target_deg, strict=True))
        return there and way.length_deg > possible_deg

    def _truth(self, *, drained: bool) -> Angles:
        """Find out where the arm stands that should be at rest; raises LinkLost, Rebooted, PowerLost."""
        if drained:
            self._link.recover()
        powered = self._link.powered()
        reboots = self._health.reboots() if not powered else self._reboots()
        if reboots != self._reboots():
            raise Rebooted(
                f"{self._link.name}: the controller rebooted (reboot count {self._reboots()}, "
                f"now {reboots}): check the power supply, look where the arm stands, then start anew"
            )
        if not powered:
            raise PowerLost(f"{self._link.name}: the servos lost their power; check the supply")
        return self._link.angles()

    def _check_error(self) -> None:
        error = self._health.error()
        if error:
            self._reported = True
            self.stop()
            raise ErrorReported(
                f"{self._link.name}: error {error} ({meaning(error)}) in its register after the motion"
            )

    def _check_astray(self, way: Way, angles: Angles) -> None:
        joint, beyond_deg = way.astray_deg(angles)
        inside = self._intrudes(angles)
        if beyond_deg > CORRIDOR_DEG:
            raise Deviated(
                f"{self._link.name}: J{joint + 1} stands at {angles[joint]:g} deg, outside its way from "
                f"{way.start_deg[joint]:g} to {way.target_deg[joint]:g}: the arm did something else than "
                "asked and was stopped"
            )
        if inside:
            raise Deviated(f"{self._link.name}: {inside}, off its checked path; the arm was stopped")


def _too_soon(name: str, way: Way, angles: Angles) -> str:
    return (
        f"{name}: it said it was at its target, {way.length_deg:.1f} deg away, before it could be, and says "
        f"so still after a stop ({', '.join(f'{value:g}' for value in angles)}): it shows targets, "
        "not joints; power-cycle it"
    )


def _stands(name: str, way: Way, angles: Angles, sends: int) -> str:
    joint = max(range(6), key=lambda number: abs(angles[number] - way.target_deg[number]))
    return (
        f"{name}: J{joint + 1} stands at {angles[joint]:g} deg, {way.left_deg(angles):.1f} deg from its "
        f"target {way.target_deg[joint]:g}; sent {sends} times, it does not go on; look for what blocks it"
    )
