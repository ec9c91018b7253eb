"""The emulated arm's end of the line: a pseudo-terminal, or a TCP port as the arm's socket server has one."""

from __future__ import annotations

import contextlib
import os
import socket
import tty
from typing import Protocol


class Line(Protocol):
    """Where requests come from and replies go to."""

    address: str
    """What to tell pymycobot: the terminal's path, or host:port."""

    def fileno(self) -> int:
        """Return what to wait for."""

    def read(self) -> bytes:
        """Return what has come; empty where nothing has."""

    def write(self, data: bytes) -> None:
        """Send bytes; nobody there is not an error."""

    def unplug(self) -> None:
        """Be pulled out: whoever holds the other end sees it go."""


class Terminal:
    """A pseudo-terminal. The slave stays open here: the arm does not notice who comes and goes."""

    def __init__(self) -> None:
        self._master, self._slave = os.openpty()
        tty.setraw(self._master)
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        self.address = os.ttyname(self._slave)

    def fileno(self) -> int:
        """Return the master's descriptor."""
        return self._master

    def read(self) -> bytes:
        """Return what has come."""
        try:
            return os.read(self._master, 4096)
        except OSError:
            return b""

    def write(self, data: bytes) -> None:
        """Send bytes; what nobody reads is lost when the terminal's buffer is full."""
        with contextlib.suppress(OSError):
            os.write(self._master, data)

    def unplug(self) -> None:
        """Hang up."""
        os.close(self._slave)
        os.close(self._master)


class Server:
    """A TCP server for one client at a time; the newest wins, as on the arm."""

    def __init__(self, host: str, port: int) -> None:
        self._listening = socket.create_server((host, port))
        self._listening.setblocking(False)
        host, port = self._listening.getsockname()[:2]
        self.address = f"{host}:{port}"
        self._client: socket.socket | None = None

    def fileno(self) -> int:
        """Return the listening socket's descriptor."""
        return self._listening.fileno()

    @property
    def client_fileno(self) -> int | None:
        """Return the connected client's descriptor."""
        return self._client.fileno() if self._client else None

    def read(self) -> bytes:
        """Accept who knocks; return what the client has sent."""
        with contextlib.suppress(BlockingIOError):
            client, _ = self._listening.accept()
            client.setblocking(False)
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._drop()
            self._client = client
        if self._client is None:
            return b""
        try:
            data = self._client.recv(4096)
        except BlockingIOError:
            return b""
        except OSError:
            data = b""
        if not data:
            self._drop()
        return data

    def write(self, data: bytes) -> None:
        """Send bytes to the client, if there is one."""
        if self._client is not None:
            with contextlib.suppress(OSError):
                self._client.sendall(data)

    def unplug(self) -> None:
        """Close everything."""
        self._drop()
        self._listening.close()

    def _drop(self) -> None:
        if self._client is not None:
            self._client.close()
            self._client = None
