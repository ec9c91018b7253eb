"""Connecting to an arm: emulated, on a serial port, or behind its TCP server; one owner, guarded.

``connect`` is for whoever moves the arm: it locks the device, starts the guardian and makes Ctrl-C and
SIGTERM stop the arm. ``looking`` locks and reads, and moves nothing.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from lib.arm.arm import Arm
from lib.arm.emulated import EmulatedChild
from lib.arm.guarding import Guarding
from lib.arm.link import Link
from lib.arm.lock import ArmLock, lock_file
from lib.arm.path_check import gate_context
from lib.arm.plausible import Plausible
from lib.arm.registration import registration, running
from lib.arm.signals import Interruptions, stopping
from lib.arm.vendor import Opened, load_pymycobot, open_serial, open_socket
from lib.errors import BadInput, Refused, one_of
from lib.robot import Robot
from lib.settings import Settings

if TYPE_CHECKING:
    from lib.runlog import RunLog

KINDS = ("emulated", "serial", "socket")
SLOW_S = 0.45
# On a socket the library asks again after 0.3 s.
SLOW_ON_SOCKET_S = 0.28
PSEUDO_TERMINALS = "/dev/pts/"


@dataclass(frozen=True)
class Place:
    """Where an arm is reached."""

    name: str
    """What messages call it."""
    device: Path
    """What is locked."""
    time_scale: float
    """Clock factor of what is there: 1 for a real arm."""
    process: int | None = None
    """Process of an emulated arm of the data folder."""


@contextmanager
def connect(
    settings: Settings,
    robot: Robot | None = None,
    runlog: RunLog | None = None,
    *,
    works_for: int | None = None,
) -> Iterator[Arm]:
    """Own the arm of the settings for a block, ready to move.

    ``works_for`` is a process without which the arm must not go on, such as a flow's or a worker's.
    Raises Busy where another process has the arm, Refused where it cannot be reached, BadInput where
    the settings do not say which one.
    """
    with ExitStack() as ends:
        place, opened, lock = _opened(settings, ends)
        guarding = Guarding(lock.descriptor if opened.serial else opened.descriptor, works_for)
        ends.callback(guarding.let_go)
        interruptions = Interruptions()
        ends.enter_context(stopping(opened.descriptor, interruptions))
        yield _arm(settings, robot, runlog, place, opened, guarding, interruptions)


@contextmanager
def looking(settings: Settings, robot: Robot | None = None, runlog: RunLog | None = None) -> Iterator[Arm]:
    """Own the arm of the settings for a block to read it, or to stop it; it will not move."""
    with ExitStack() as ends:
        place, opened, _ = _opened(settings, ends)
        yield _arm(settings, robot, runlog, place, opened, None, Interruptions())


def device_of(settings: Settings) -> Path | None:
    """Return the device of the settings' arm; None where it is an emulated one that does not run."""
    if settings.arm.kind == "emulated":
        where = running(registration(settings.data_dir))
        return None if where is None else Path(where.port)
    if settings.arm.kind == "socket":
        return lock_file(*_host(settings))
    return Path(_port(settings))


def running_cell(settings: Settings) -> Path:
    """Return the socket at which the cell of the running emulated arm answers; raises Refused without one."""
    where = running(registration(settings.data_dir))
    if where is None:
        raise Refused(f"{settings.data_dir}: no emulated arm runs there; `nightpick arm emulate` runs one")
    return Path(where.socket)


def cell_behind(settings: Settings) -> Path | None:
    """Return where the simulated cell of the settings' arm answers; None for a real arm.

    An emulated arm of the data folder may also be reached by its port. Raises Refused where the arm is
    emulated and none runs.
    """
    if settings.arm.kind == "emulated":
        return running_cell(settings)
    where = running(registration(settings.data_dir))
    reached = (
        settings.arm.port
        if settings.arm.kind == "serial"
        else f"{settings.arm.host}:{settings.arm.host_port}"
    )
    return Path(where.socket) if where is not None and where.port == reached else None


def _opened(settings: Settings, ends: ExitStack) -> tuple[Place, Opened, ArmLock]:
    if settings.arm.kind not in KINDS:
        raise BadInput(f'arm.kind = "{settings.arm.kind}"; expected {one_of(KINDS)}')
    if settings.arm.kind == "emulated":
        place = _emulated(settings, ends)
    elif settings.arm.kind == "socket":
        host, port = _host(settings)
        place = Place(f"{host}:{port}", lock_file(host, port), 1.0)
    else:
        port_name = _port(settings)
        emulated = os.path.realpath(port_name).startswith(PSEUDO_TERMINALS)
        place = Place(port_name, Path(port_name), settings.cell.time_scale if emulated else 1.0)
    lock = ArmLock(place.device, place.name)
    ends.callback(lock.release)
    if settings.arm.kind == "socket":
        opened = open_socket(*_host(settings))
    else:
        opened = open_serial(str(place.device), settings.arm.baud)
    ends.callback(opened.close)
    return place, opened, lock


def _arm(
    settings: Settings,
    robot: Robot | None,
    runlog: RunLog | None,
    place: Place,
    opened: Opened,
    guarding: Guarding | None,
    interruptions: Interruptions,
) -> Arm:
    context = gate_context(settings, robot)
    plausible = Plausible(context.limits_deg, place.time_scale)
    slow_s = SLOW_S if opened.serial else SLOW_ON_SOCKET_S
    link = Link(opened, place.name, plausible, settings.arm.link_failures, slow_s, interruptions)
    slug = "".join(letter if letter.isalnum() else "_" for letter in place.name).strip("_")
    return Arm(
        name=place.name,
        logged_as=Path(settings.robot).stem,
        link=link,
        descriptor=opened.descriptor,
        context=context,
        settings=settings.arm,
        time_scale=place.time_scale,
        memory=settings.data_dir / "arm" / f"{slug}.json",
        process=place.process,
        guarding=guarding,
        runlog=runlog,
    )


def _emulated(settings: Settings, ends: ExitStack) -> Place:
    where = running(registration(settings.data_dir))
    if where is None:
        child = EmulatedChild(settings, body=settings.arm.body)
        ends.callback(child.close)
        load_pymycobot()  # while the child comes up
        where = child.where
    return Place("the emulated arm", Path(where.port), where.time_scale, where.pid)


def _port(settings: Settings) -> str:
    if settings.arm.port is None:
        raise BadInput('arm.kind = "serial" needs arm.port, like /dev/ttyUSB0 (NIGHTPICK_ARM__PORT)')
    return settings.arm.port


def _host(settings: Settings) -> tuple[str, int]:
    if settings.arm.host is None:
        raise BadInput('arm.kind = "socket" needs arm.host, like 192.168.1.159 (NIGHTPICK_ARM__HOST)')
    return settings.arm.host, settings.arm.host_port
