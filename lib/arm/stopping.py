"""Stopping the arm from anywhere, also when another process drives it."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import time
from dataclasses import dataclass
from pathlib import Path

from lib.arm.connect import device_of, looking
from lib.arm.frames import STOP
from lib.arm.lock import holder_of
from lib.arm.plausible import Angles
from lib.errors import Busy, Refused
from lib.settings import Settings

ENDS_WITHIN_S = 8.0
REPEATS = 3
PAUSE_S = 0.03


@dataclass(frozen=True)
class Stopped:
    """What stopping came to."""

    arm: str | None
    """The arm; None: no emulated arm runs."""
    ended_pid: int | None
    """The process that was driving it and was told to end."""
    joints_deg: Angles | None
    """Where it stands, true joints [deg]; None where its power is off."""

    def as_json(self) -> dict[str, object]:
        """Return what `nightpick arm stop --json` prints."""
        joints = None if self.joints_deg is None else list(self.joints_deg)
        return {"arm": self.arm, "ended_pid": self.ended_pid, "joints_deg": joints}


def stop_arm(settings: Settings) -> Stopped:
    """Stop the arm of the settings; whoever drives it is told to end, since it would only go on.

    Raises Refused where the arm cannot be reached, Busy where its driver does not end.
    """
    device = device_of(settings)
    if device is None:
        return Stopped(None, None, None)
    _write_stop(settings, device)
    ended = _stop_past_holder(settings, device)
    until_s = time.monotonic() + ENDS_WITHIN_S
    while True:
        try:
            with looking(settings) as arm:
                reading = arm.stop()
                if reading is not None and arm.recall():
                    reading = arm.read()
                return Stopped(arm.name, ended, None if reading is None else reading.joints_deg)
        except Busy:
            if time.monotonic() > until_s:
                raise
            time.sleep(0.1)


def _stop_past_holder(settings: Settings, device: Path) -> int | None:
    """Stop an arm that another process holds, and end that one; return its process."""
    holder = holder_of(device)
    if holder is None or holder == os.getpid():
        return None
    for _ in range(REPEATS):
        _write_stop(settings, device)
        time.sleep(PAUSE_S)
    try:
        os.kill(holder, signal.SIGTERM)
    except ProcessLookupError:
        return None
    except PermissionError:
        raise Refused(
            f"{device}: the arm was told to stop, but process {holder}, which drives it, belongs to somebody "
            "else and cannot be ended from here: it may go on; cut the arm's power if it does"
        ) from None
    return holder


def _write_stop(settings: Settings, device: Path) -> None:
    with contextlib.suppress(OSError):
        if settings.arm.kind == "socket":
            address = (settings.arm.host or "", settings.arm.host_port)
            with socket.create_connection(address, timeout=1.0) as connection:
                connection.sendall(STOP)
            return
        descriptor = os.open(device, os.O_WRONLY | os.O_NOCTTY | os.O_NONBLOCK)
        try:
            os.write(descriptor, STOP)
        finally:
            os.close(descriptor)
