"""What the doctor looks at of the arm: can it be reached, who holds it, was it homed."""

from __future__ import annotations

import os
import socket
from pathlib import Path

from lib.errors import BadInput, Refused
from lib.settings import Settings

ANSWERS_WITHIN_S = 1.5


def reached_arm(settings: Settings) -> str:
    """Say how the settings' arm is reached; raises BadInput, Refused where it is not."""
    from lib.arm import device_of
    from lib.arm.lock import holder_of

    if settings.arm.kind == "socket":
        return _answering(settings.arm.host, settings.arm.host_port)
    device = device_of(settings)
    if device is None:
        return "emulated, started when it is needed"
    _usable(device)
    holder = holder_of(device)
    held = "free" if holder is None else f"process {holder} drives it"
    return f"{settings.arm.kind} at {device}, {held}"


def _usable(device: Path) -> None:
    if not device.exists():
        raise BadInput(f"{device}: no such device; plug the arm in, or set arm.port")
    if not os.access(device, os.R_OK | os.W_OK):
        raise Refused(f"{device}: permission denied; join the group that owns it (mostly dialout)")


def _answering(host: str | None, port: int) -> str:
    if host is None:
        raise BadInput('arm.kind = "socket" needs arm.host')
    try:
        socket.create_connection((host, port), ANSWERS_WITHIN_S).close()
    except OSError as error:
        raise Refused(f"{host}:{port}: no answer ({error}); is the arm on, and its server running?") from None
    return f"socket at {host}:{port}, answers"


def last_homing(settings: Settings) -> str:
    """Say what the last homing came to; raises Refused where it was not sure of every joint."""
    from lib.runlog import connect, sql_text

    with connect(settings.data_dir) as con:
        row = con.execute(sql_text("homing/last_homing"), {"arm": Path(settings.robot).stem}).fetchone()
    if row is None:
        return "none yet, a night homes before it moves anything"
    homing_id, state, unsure = row
    if state != "confident":
        raise Refused(f"{homing_id}: {state}; not sure of {', '.join(unsure) or 'the arm'}")
    return f"{homing_id}: {state}"
