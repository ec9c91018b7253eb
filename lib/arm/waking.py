"""Waking the arm: power on, errors cleared, newest command first, and what is known since its power-on."""

from __future__ import annotations

import time
from collections.abc import Callable

from lib.arm.failures import ErrorReported, PowerLost
from lib.arm.health import HealthReader, meaning
from lib.arm.link import Link
from lib.arm.plausible import Angles
from lib.arm.since_power_on import SincePowerOn

# An arm that gives no reboot count stands where it was left, or it has a story that nobody knows.
LEFT_WITHIN_DEG = 3.0
POWER_ATTEMPTS = 10
POWER_PAUSE_S = 0.3


def wake(
    link: Link, health: HealthReader, kept: SincePowerOn | None, process: int | None
) -> tuple[SincePowerOn, bool]:
    """Make the arm ready to move; return what holds since its power-on, and whether it acknowledges.

    Whether setters are acknowledged differs from firmware to firmware: here a power_on without an answer
    while is_power_on says 1 tells. Raises LinkLost, PowerLost where the servos stay off, ErrorReported
    where an error does not clear.
    """
    was_powered = link.powered()
    acknowledges = power_on(link)
    link.tell("set_fresh_mode", lambda: link.api.set_fresh_mode(1))
    clear_error(link, health)
    reboots, encoders_deg = health.reboots(), link.angles()
    if was_powered and kept is not None and still_holds(kept, process, reboots, lambda: encoders_deg):
        return kept, acknowledges
    return SincePowerOn(reboots, encoders_deg, process=process), acknowledges


def still_holds(
    kept: SincePowerOn, process: int | None, reboots: int | None, encoders: Callable[[], Angles]
) -> bool:
    """Tell whether what was kept is of this very power-on, of an arm that has its power.

    ``encoders`` reads them [deg]; only where the controller does not count its reboots.
    """
    if kept.process != process or kept.reboots != reboots:
        return False
    return reboots is not None or not _elsewhere(kept, encoders())


def power_on(link: Link) -> bool:
    """Switch the servos on; return whether that was acknowledged; raises PowerLost where they stay off."""
    acknowledged = link.tell("power_on", link.api.power_on)
    for _ in range(POWER_ATTEMPTS):
        if link.powered():
            return acknowledged
        time.sleep(POWER_PAUSE_S)
    raise PowerLost(f"{link.name}: power_on was sent and the servos stay off; check the emergency stop")


def clear_error(link: Link, health: HealthReader) -> None:
    """Clear the error register; raises ErrorReported where it does not clear."""
    if health.error():
        link.tell("clear_error_information", link.api.clear_error_information)
        error = health.error()
        if error:
            raise ErrorReported(
                f"{link.name}: error {error} ({meaning(error)}) does not clear; power-cycle it"
            )


def _elsewhere(known: SincePowerOn, encoders_deg: Angles) -> bool:
    if known.approved_deg is None:
        left_deg = known.found_deg
    else:
        left_deg = tuple(  # type: ignore[assignment]
            value - offset for value, offset in zip(known.approved_deg[1], known.offsets_deg, strict=True)
        )
    return max(abs(a - b) for a, b in zip(left_deg, encoders_deg, strict=True)) > LEFT_WITHIN_DEG
