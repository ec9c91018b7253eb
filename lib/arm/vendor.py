"""Opening pymycobot, unmodified: quietly, with its input buffer within reach."""

from __future__ import annotations

import contextlib
import logging
import socket
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from lib.errors import Refused

CONNECT_S = 5.0


class Buffer(Protocol):
    """The input side of the line, below the library."""

    def take(self) -> bytes:
        """Return and drop what has come and nobody asked for."""


@dataclass(frozen=True)
class Opened:
    """The library's object for one arm, and its line."""

    api: Any
    """A ``MechArm270`` or a ``MechArmSocket``."""
    buffer: Buffer
    descriptor: int
    """What a stop can be written to when the library cannot be asked."""
    serial: bool
    """Whether it is a serial port, not a socket."""

    def close(self) -> None:
        """Close the line; an unplugged one is closed already."""
        with contextlib.suppress(OSError):
            self.api.close()


class _SerialBuffer:
    def __init__(self, port: Any) -> None:
        self._port = port

    def take(self) -> bytes:
        return bytes(self._port.read(self._port.in_waiting))


class _SocketBuffer:
    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection

    def take(self) -> bytes:
        taken = b""
        self._connection.setblocking(False)
        try:
            while data := self._connection.recv(4096):
                taken += data
            raise ConnectionError("the arm's server has closed the connection")
        except BlockingIOError:
            return taken
        finally:
            self._connection.setblocking(True)


def load_pymycobot() -> None:
    """Import what ``open_serial`` uses; it takes half a second that somebody else may use as well."""
    with _quietly():
        import pymycobot.mecharm270  # noqa: F401


def open_serial(port: str, baud: int) -> Opened:
    """Open the arm on a serial port; raises Refused where that cannot be done."""
    with _quietly():
        from pymycobot.mecharm270 import MechArm270

        try:
            api = MechArm270(port, baud)
        except (OSError, ValueError) as error:
            raise Refused(f"{port}: cannot be opened: {error}; plug the arm in, or set arm.port") from error
    return Opened(api, _SerialBuffer(api._serial_port), api._serial_port.fileno(), serial=True)


def open_socket(host: str, port: int) -> Opened:
    """Open the arm by its TCP server; raises Refused where that cannot be done."""
    with _quietly():
        from pymycobot.mecharmsocket import MechArmSocket

        socket.setdefaulttimeout(CONNECT_S)
        try:
            api = MechArmSocket(host, port)
        except OSError as error:
            raise Refused(
                f"{host}:{port}: no connection: {error}; start the arm's server, or set arm.host"
            ) from error
        finally:
            socket.setdefaulttimeout(None)
    return Opened(api, _SocketBuffer(api.sock), api.sock.fileno(), serial=False)


@contextlib.contextmanager
def _quietly() -> Iterator[None]:
    """Keep the library from giving the root logger a handler, and its own records from a terminal."""
    root, placeholder = logging.getLogger(), logging.NullHandler()
    own = logging.getLogger("pymycobot")
    own.propagate = False
    if not own.handlers:
        own.addHandler(logging.NullHandler())
    root.addHandler(placeholder)
    level = root.level
    try:
        yield
    finally:
        root.removeHandler(placeholder)
        root.setLevel(level)
