"""A socket beside the line for what no serial port carries: faults, truth, the cell's pictures.

A question is one line of JSON with a key ``ask``; an answer is one line of JSON, in which ``bytes`` is
how many raw bytes follow it. Questions that the firmware does not know go to the cell.
"""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from lib.errors import NightpickError

Answer = tuple[dict[str, Any], bytes]


class Questions:
    """A Unix socket; each client asks one question after the other."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.unlink(missing_ok=True)
        self.listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        old = os.umask(0o177)
        try:
            self.listening.bind(str(path))
        finally:
            os.umask(old)
        self.listening.listen()
        self.listening.setblocking(False)
        self._waiting: dict[socket.socket, bytes] = {}

    @property
    def clients(self) -> list[socket.socket]:
        """Return who is connected."""
        return list(self._waiting)

    def accept(self) -> None:
        """Let one in."""
        try:
            client, _ = self.listening.accept()
        except BlockingIOError:
            return
        client.settimeout(5.0)
        self._waiting[client] = b""

    def serve(self, client: socket.socket, answer: Callable[[Mapping[str, Any]], Answer]) -> None:
        """Answer what a client that can be read from has asked."""
        try:
            data = client.recv(65536)
            if not data:
                raise ConnectionError("the client has gone")
            *lines, self._waiting[client] = (self._waiting[client] + data).split(b"\n")
            for line in lines:
                header, raw = _answered(line, answer)
                client.sendall(json.dumps({**header, "bytes": len(raw)}).encode() + b"\n" + raw)
        except OSError:
            del self._waiting[client]
            client.close()

    def close(self) -> None:
        """Close all and take the socket's file away."""
        for client in (*self._waiting, self.listening):
            client.close()
        self.path.unlink(missing_ok=True)


def _answered(line: bytes, answer: Callable[[Mapping[str, Any]], Answer]) -> Answer:
    try:
        question = json.loads(line)
        if not isinstance(question, dict) or not isinstance(question.get("ask"), str):
            return {"error": 'expected one JSON object with "ask"'}, b""
        return answer(question)
    except NightpickError as error:
        return {"error": str(error)}, b""
    except (ValueError, TypeError, KeyError, RuntimeError) as error:
        return {"error": f"{type(error).__name__}: {error}"}, b""


def ask(path: Path | str, question: str, **more: Any) -> dict[str, Any]:
    """Ask the firmware one question without raw bytes in the answer; raises NightpickError on an error."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as client:
        client.settimeout(30.0)
        client.connect(str(path))
        client.sendall(json.dumps({"ask": question, **more}).encode() + b"\n")
        line = client.makefile("rb").readline()
    answer: dict[str, Any] = json.loads(line)
    if "error" in answer:
        raise NightpickError(f"emulated arm: {answer['error']}")
    return answer
