"""One call at a time to the library, and none believed: what is odd makes the link suspect.

A single late reply leaves the library out of step: every later answer is an older one, without an error.
So the input is cleared before each call, each call is timed, and after anything odd the line is drained
until it has been quiet for two seconds, then probed twice. Only reads are asked again.
"""

from __future__ import annotations

import contextlib
import time
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NoReturn, TypeVar

from lib.arm.failures import LinkLost
from lib.arm.plausible import Angles, Plausible, alike
from lib.arm.signals import Interruptions
from lib.arm.vendor import Opened

QUIET_S = 2.0
DRAIN_LONGEST_S = 10.0
WINDOW_CALLS = 50
READ_ATTEMPTS = 4
# Without a single good answer so far there is no arm there; two calls are six requests.
NEVER_ANSWERED = 2

T = TypeVar("T")


@dataclass(frozen=True)
class Suspicion:
    """Why a call was not believed."""

    call: str
    kind: str
    """``no answer``, ``out of step``, ``late``, ``wrong``, ``impossible`` or ``exception``."""
    found: str

    def __str__(self) -> str:
        return f"{self.call}: {self.kind}{f' ({self.found})' if self.found else ''}"


class Suspect(Exception):
    """A call that was not believed; the link has to recover before the next one."""

    def __init__(self, suspicion: Suspicion) -> None:
        super().__init__(str(suspicion))
        self.suspicion = suspicion


class Link:
    """The line to one arm."""

    def __init__(
        self,
        opened: Opened,
        name: str,
        plausible: Plausible,
        failures: int,
        slow_s: float,
        interruptions: Interruptions,
    ) -> None:
        self.api = opened.api
        self.name = name
        self.plausible = plausible
        self.suspicions: list[Suspicion] = []
        self.calls = 0
        self.rejected: Any = None
        """What the last call returned that was not believed."""
        self._buffer = opened.buffer
        self._failures = failures
        self._slow_s = slow_s
        self.interruptions = interruptions
        self._window: deque[Suspicion | None] = deque(maxlen=WINDOW_CALLS)
        self._answered = False
        self._patient_until_s = 0.0

    def once(self, call: str, function: Callable[[], Any], why_not: Callable[[Any], str]) -> Any:
        """Make one reading call; raises Suspect, or LinkLost after too many of those."""
        self.calls += 1
        self.rejected = None
        started_s = time.monotonic()
        try:
            self._buffer.take()
            started_s = time.monotonic()
            with self.interruptions.not_swallowed():
                found = function()
        except Exception as error:
            self._suspect(call, "exception", f"{type(error).__name__}: {error}", error)
        took_s = time.monotonic() - started_s
        self.rejected = found
        if type(found) is int and found == -1:
            # Silence lasts three time-outs; before that, what came was the answer to something else.
            self._suspect(call, "no answer" if took_s > self._slow_s else "out of step", "")
        if took_s > self._slow_s:
            self._suspect(call, "late", f"{took_s:.2f} s")
        reason = why_not(found)
        if reason:
            self._suspect(
                call, "impossible" if "possible" in reason or "outside" in reason else "wrong", reason
            )
        self._window.append(None)
        self._answered, self.rejected = True, None
        return found

    def read(self, call: str, function: Callable[[], Any], why_not: Callable[[Any], str]) -> Any:
        """Read a value of an arm at rest; asks again after recovering; raises LinkLost."""
        for _ in range(READ_ATTEMPTS - 1):
            try:
                return self.once(call, function, why_not)
            except Suspect:
                self.recover()
        try:
            return self.once(call, function, why_not)
        except Suspect as suspect:
            raise LinkLost(f"{self.name}: {suspect}, {READ_ATTEMPTS} times in a row") from None

    def tell(self, call: str, function: Callable[[], Any]) -> bool:
        """Make a call that is not a reading and moves nothing; return whether it was acknowledged.

        An acknowledgement without a payload is none to the library, but it does not wait its three time-outs.
        """
        self.calls += 1
        try:
            self._buffer.take()
            started_s = time.monotonic()
            with self.interruptions.not_swallowed():
                found = function()
            return bool(found == 1 or time.monotonic() - started_s < self._slow_s)
        except Exception as error:
            with contextlib.suppress(Suspect):
                self._suspect(call, "exception", f"{type(error).__name__}: {error}", error)
            return False

    def clear(self) -> None:
        """Take what nobody asked for off the line; raises LinkLost where the line is gone."""
        try:
            self._buffer.take()
        except Exception as error:
            raise LinkLost(
                f"{self.name}: {error}; it was unplugged, or another program has the port"
            ) from error

    def angles_once(self) -> Angles:
        """Read the joints [deg] once; raises Suspect."""
        found = self.once("get_angles", self.api.get_angles, self.plausible.why_not)
        angles: Angles = tuple(float(value) for value in found)  # type: ignore[assignment]
        self.plausible.accept(angles)
        return angles

    def angles(self) -> Angles:
        """Read the joints [deg] of an arm at rest: two readings in a row that agree; raises LinkLost."""
        before = self._angles_sure()
        for _ in range(READ_ATTEMPTS):
            now = self._angles_sure()
            if alike(before, now):
                return now
            before = now
        raise LinkLost(
            f"{self.name}: get_angles: no two of {READ_ATTEMPTS + 1} readings agree; is it moving?"
        )

    def powered(self) -> bool:
        """Read whether the servos are on; raises LinkLost."""
        return bool(self.read("is_power_on", self.api.is_power_on, flag))

    def recover(self) -> None:
        """Drain the line until it is quiet, then probe twice; raises LinkLost after too many attempts."""
        while True:
            self._drain()
            self.plausible.forget()
            try:
                if self.once("is_power_on", self.api.is_power_on, flag) == 1:
                    self.angles_once()
                    self.angles_once()
                else:
                    self.once("is_power_on", self.api.is_power_on, flag)
                return
            except Suspect:
                continue

    def forgive_last(self) -> None:
        """Take the last suspicion off the account: the firmware lacks an answer, the link is well."""
        for number in range(len(self._window) - 1, -1, -1):
            if self._window[number] is not None:
                self._window[number] = None
                return

    def be_patient(self, for_s: float) -> None:
        """Let the arm be silent for a while without giving up on it."""
        self._patient_until_s = time.monotonic() + for_s

    def expect_acknowledgement(self, within_s: float) -> None:
        """Take the acknowledgement of what was just sent off the line, before it meets another answer."""
        until_s = time.monotonic() + within_s
        with contextlib.suppress(Exception):
            while time.monotonic() < until_s and not self._buffer.take():
                time.sleep(0.001)

    def _angles_sure(self) -> Angles:
        for _ in range(READ_ATTEMPTS):
            try:
                return self.angles_once()
            except Suspect:
                self.recover()
        try:
            return self.angles_once()
        except Suspect as suspect:
            raise LinkLost(f"{self.name}: {suspect}, {READ_ATTEMPTS + 1} times in a row") from None

    def _drain(self) -> None:
        started_s = quiet_since_s = time.monotonic()
        while (now_s := time.monotonic()) - quiet_since_s < QUIET_S and now_s - started_s < DRAIN_LONGEST_S:
            try:
                if self._buffer.take():
                    quiet_since_s = now_s
            except Exception:
                return
            time.sleep(0.02)

    def _suspect(self, call: str, kind: str, found: str, cause: Exception | None = None) -> NoReturn:
        suspicion = Suspicion(call, kind, found)
        self.suspicions.append(suspicion)
        if time.monotonic() >= self._patient_until_s:
            self._window.append(suspicion)
        recent = [entry for entry in self._window if entry is not None]
        if len(recent) >= (self._failures if self._answered else min(self._failures, NEVER_ANSWERED)):
            raise LinkLost(self._why_lost(recent)) from cause
        raise Suspect(suspicion) from cause

    def _why_lost(self, recent: list[Suspicion]) -> str:
        kinds = Counter(entry.kind for entry in recent)
        told = ", ".join(f"{count} {kind}" for kind, count in kinds.most_common())
        if set(kinds) == {"exception"}:
            advice = "it was unplugged, or another program has the port"
        elif set(kinds) == {"no answer"}:
            advice = "it answers nothing: check port and baud rate, then power-cycle the arm"
        else:
            advice = "check cable and baud rate; power-cycle the arm if it stays so"
        return (
            f"{self.name}: the link cannot be trusted: {len(recent)} of the last {len(self._window)} calls "
            f"failed ({told}; the last: {recent[-1]}); {advice}"
        )


def flag(found: Any) -> str:
    """Say why a value is not the arm's 0 or 1."""
    return "" if type(found) is int and found in (0, 1) else f"expected 0 or 1, found {str(found)[:40]}"


def small_whole(highest: int) -> Callable[[Any], str]:
    """Return a check for whole numbers from 0 to ``highest``."""

    def why_not(found: Any) -> str:
        if type(found) is int and 0 <= found <= highest:
            return ""
        return f"expected 0 to {highest}, found {str(found)[:40]}"

    return why_not
