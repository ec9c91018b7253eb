"""What `nightpick arm` prints for people: the arm as a table, a motion and a stop as a line."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from lib.settings import Settings

if TYPE_CHECKING:
    from lib.arm import Arm, Health, Moved, Reading, Stopped


def say_if_alone(settings: Settings) -> None:
    """Say so where a command's arm is an emulated one of its own, which nobody finds afterwards."""
    from lib.arm import device_of

    if settings.arm.kind == "emulated" and device_of(settings) is None:
        print(
            "no emulated arm runs here: this one ends with the command; `nightpick arm emulate` keeps one",
            file=sys.stderr,
            flush=True,
        )


def status_json(arm: Arm, health: Health, reading: Reading | None) -> dict[str, Any]:
    """Return the document of `arm status --json`."""
    return {
        "arm": arm.name,
        "joints_deg": None if reading is None else list(reading.joints_deg),
        "encoders_deg": None if reading is None else list(reading.encoders_deg),
        "homed": arm.homed,
        **health.as_row(),
        "calls": arm.link.calls,
    }


def status_text(arm: Arm, health: Health, reading: Reading | None) -> str:
    """Return the table of `arm status`, one line a joint, and what holds for all of it below."""
    table = [_row("joint", "deg", "limits", "deg C", "V", "servo")]
    for number, (low, high) in enumerate(arm.context.limits_deg):
        state = _of(health.servo_states, number)
        table.append(
            _row(
                f"J{number + 1}",
                "-" if reading is None else f"{reading.joints_deg[number]:.2f}",
                f"{low:g} .. {high:g}",
                _number(health.temperatures_c, number),
                _number(health.voltages_v, number),
                "-" if state is None else "ok" if state == 0 else f"fault {state:g}",
            )
        )
    return "\n".join([*table, "", *_lines(arm, health)])


def _row(joint: str, deg: str, limits: str, celsius: str, volts: str, servo: str) -> str:
    """Return a line of the table, by hand: Rich takes longer to load than the arm to answer."""
    return f"{joint:5}  {deg:>7}  {limits:>11}  {celsius:>5}  {volts:>4}  {servo}"


def _lines(arm: Arm, health: Health) -> list[str]:
    gripper = "-" if health.gripper_value is None else f"{health.gripper_value} of 100 open"
    reboots = "not told" if health.reboots is None else str(health.reboots)
    homed = "yes" if arm.homed else "no: only slow and near to where it was found; `nightpick home` homes it"
    error = "-" if health.error is None else str(health.error)
    return [
        f"arm      {arm.name}",
        f"power    {'on' if health.powered else 'off: `nightpick arm home` or `move` switches it on'}",
        f"homed    {homed}",
        f"gripper  {gripper}",
        f"error    {error}",
        f"reboots  {reboots}",
        f"link     {arm.link.calls} calls, {health.suspect_calls} not believed",
    ]


def moved_text(moved: Moved) -> str:
    """Return one line on a motion that is complete."""
    return (
        f"there: {joints_text(moved.reached_deg)} deg, {moved.off_deg:.2f} deg off, "
        f"{moved.duration_s:.1f} s at speed {moved.speed}"
        + (f", sent {moved.sends} times" if moved.sends > 1 else "")
    )


def stopped_text(stopped: Stopped) -> str:
    """Return one line on a stop."""
    if stopped.arm is None:
        return "no emulated arm runs for this data folder: nothing to stop"
    ended = f"; process {stopped.ended_pid}, which drove it, was told to end" if stopped.ended_pid else ""
    where = "its power is off" if stopped.joints_deg is None else f"at {joints_text(stopped.joints_deg)} deg"
    return f"stopped: {stopped.arm}, {where}{ended}"


def joints_text(joints_deg: tuple[float, ...]) -> str:
    """Return joint values as a short list."""
    return "[" + ", ".join(f"{value:.2f}" for value in joints_deg) + "]"


def _of(values: tuple[float, ...] | None, number: int) -> float | None:
    return None if values is None or number >= len(values) else values[number]


def _number(values: tuple[float, ...] | None, number: int) -> str:
    value = _of(values, number)
    return "-" if value is None else f"{value:g}"
