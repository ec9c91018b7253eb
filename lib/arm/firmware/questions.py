"""A socket beside the line for what no serial port carries: faults, truth, the cell's pictures.

A question is one line of JSON with a key ``ask``; an answer is one line of JSON, in which ``bytes`` is
how many raw bytes follow it. Questions that the firmware does not know go to the cell.
"""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from pathlib import Path
from typing import Any, TypeVar

from lib.errors import BadInput, NightpickError

Found = TypeVar("Found")

Answer = tuple[dict[str, Any], bytes]
Answering = Callable[[Mapping[str, Any]], "Answer | Future[Answer]"]


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
        self._pending: dict[socket.socket, Future[Answer]] = {}

    @property
    def clients(self) -> list[socket.socket]:
        """Return who is connected and waits for no answer."""
        return [client for client in self._waiting if client not in self._pending]

    def accept(self) -> None:
        """Let one in."""
        try:
            client, _ = self.listening.accept()
        except BlockingIOError:
            return
        client.settimeout(5.0)
        self._waiting[client] = b""

    def serve(self, client: socket.socket, answer: Answering) -> None:
        """Take what a client that can be read from has asked; an answer that takes time is sent later."""
        try:
            data = client.recv(65536)
            if not data:
                raise ConnectionError("the client has gone")
            self._waiting[client] += data
            self._answer_waiting(client, answer)
        except OSError:
            self._drop(client)

    def finish(self, answer: Answering) -> None:
        """Send the answers that have become ready."""
        for client in [client for client, pending in self._pending.items() if pending.done()]:
            pending = self._pending.pop(client)
            try:
                self._send(client, _result(pending.result))
                self._answer_waiting(client, answer)
            except OSError:
                self._drop(client)

    def _answer_waiting(self, client: socket.socket, answer: Answering) -> None:
        while client not in self._pending and b"\n" in self._waiting[client]:
            line, _, self._waiting[client] = self._waiting[client].partition(b"\n")
            found = _answered(line, answer)
            if isinstance(found, Future):
                self._pending[client] = found
            else:
                self._send(client, found)

    def _send(self, client: socket.socket, found: Answer) -> None:
        header, raw = found
        client.sendall(json.dumps({**header, "bytes": len(raw)}).encode() + b"\n" + raw)

    def _drop(self, client: socket.socket) -> None:
        self._waiting.pop(client, None)
        self._pending.pop(client, None)
        client.close()

    def close(self) -> None:
        """Close all and take the socket's file away."""
        for client in (*self._waiting, self.listening):
            client.close()
        self.path.unlink(missing_ok=True)


def _answered(line: bytes, answer: Answering) -> Answer | Future[Answer]:
    def asked() -> Answer | Future[Answer]:
        question = json.loads(line)
        if not isinstance(question, dict) or not isinstance(question.get("ask"), str):
            raise BadInput('expected one JSON object with "ask"')
        return answer(question)

    return _result(asked)


def _result(compute: Callable[[], Found]) -> Found | Answer:
    try:
        return compute()
    except NightpickError as error:
        return {"error": str(error)}, b""
    except (ValueError, TypeError, KeyError, RuntimeError) as error:
        return {"error": f"{type(error).__name__}: {error}"}, b""
