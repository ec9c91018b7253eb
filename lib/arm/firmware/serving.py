"""Making an emulated arm: its body, its line, its socket, and the file by which others find it."""

from __future__ import annotations

import fcntl
import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lib.arm.firmware.controller import Controller
from lib.arm.firmware.emulation import Emulation
from lib.arm.firmware.faults import Faults
from lib.arm.firmware.line import Line, Server, Terminal
from lib.arm.firmware.questions import Questions
from lib.cell import Body, KinematicBody
from lib.errors import BadInput, Busy, one_of
from lib.robot import load_robot
from lib.settings import Settings

BODIES = ("ideal", "twin")
FASTEST_CLOCK = 50.0


@dataclass(frozen=True)
class Emulated:
    """Where an emulated arm is reached."""

    port: str
    """The pseudo-terminal's path, or host:port of a TCP server."""
    socket: str
    """Path of the Unix socket for questions."""
    time_scale: float
    """Its clock factor."""
    pid: int
    """Its process."""

    def as_json(self) -> dict[str, object]:
        """Return it as one JSON object."""
        return {"port": self.port, "socket": self.socket, "time_scale": self.time_scale, "pid": self.pid}


@contextmanager
def emulation(
    settings: Settings,
    *,
    body: str,
    faults: Faults,
    powered: bool = False,
    joints_deg: tuple[float, ...] = (0.0,) * 6,
    listen: str | None = None,
    lifeline: int | None = None,
    registered_at: Path | None = None,
) -> Iterator[tuple[Emulated, Emulation]]:
    """Make an emulated arm of the settings' robot and cell; ``run`` of what is yielded serves it.

    Raises BadInput for a body or a clock factor that is not known, Busy where ``registered_at`` names an
    emulated arm that is alive.
    """
    if not 0.0 < settings.cell.time_scale <= FASTEST_CLOCK:
        raise BadInput(f"cell.time_scale = {settings.cell.time_scale:g}; expected more than 0, at most 50")
    robot = load_robot(settings.robot)
    if robot is None:
        raise BadInput('robot = "none": an emulated arm needs a robot file; set robot to one')
    made, cell = _body(settings, body, joints_deg)
    line = _line(listen)
    questions = Questions(_socket_path(line))
    try:
        arm = Emulation(
            line,
            questions,
            Controller(made, robot.limits_deg, faults, powered),
            time_scale=settings.cell.time_scale,
            seed=settings.cell.seed,
            lifeline=lifeline,
            cell=cell,
        )
        where = Emulated(line.address, str(questions.path), settings.cell.time_scale, os.getpid())
        with _registered(registered_at, where):
            yield where, arm
    finally:
        questions.close()


def running(registered_at: Path) -> Emulated | None:
    """Return the emulated arm that a file names, if it is alive."""
    try:
        with registered_at.open("rb") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError:
                return Emulated(**json.loads(file.read()))
    except FileNotFoundError:
        pass
    return None


def _body(settings: Settings, name: str, joints_deg: tuple[float, ...]) -> tuple[Body, Any]:
    if name == "ideal":
        return KinematicBody(joints_deg), None
    if name != "twin":
        raise BadInput(f"body {name!r}: not known; expected {one_of(BODIES)}")
    from lib.cell import Cell

    robot = load_robot(settings.robot)
    cell = Cell(robot, settings.cell, settings.cell.seed)
    return cell, cell


def _line(listen: str | None) -> Line:
    if listen is None:
        return Terminal()
    host, _, port = listen.rpartition(":")
    if not port.isdigit():
        raise BadInput(f"listen {listen!r}; expected host:port, like 127.0.0.1:9000")
    return Server(host or "127.0.0.1", int(port))


def _socket_path(line: Line) -> Path:
    name = line.address.removeprefix("/dev/").replace("/", "").replace(":", "-")
    return Path(tempfile.gettempdir()) / f"nightpick-arm-{name}-{os.getpid()}.sock"


@contextmanager
def _registered(path: Path | None, where: Emulated) -> Iterator[None]:
    if path is None:
        yield
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a+b") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Busy(f"{path}: an emulated arm of this data folder runs already; use that one") from None
        file.truncate(0)
        file.write(json.dumps(where.as_json()).encode())
        file.flush()
        try:
            yield
        finally:
            file.truncate(0)
