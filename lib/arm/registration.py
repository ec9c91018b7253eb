"""One emulated arm a data folder: the file by which the others find it, locked while it lives."""

from __future__ import annotations

import fcntl
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from lib.errors import Busy


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


def registration(data_dir: Path) -> Path:
    """Return the file by which a data folder's emulated arm is found."""
    return data_dir / "arm" / "emulated.json"


def running(registered_at: Path) -> Emulated | None:
    """Return the emulated arm that a file names, if it is alive."""
    try:
        with registered_at.open("rb") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError:
                return Emulated(**json.loads(file.read()))
    except (FileNotFoundError, NotADirectoryError):
        pass
    return None


@contextmanager
def registered(path: Path | None, where: Emulated) -> Iterator[None]:
    """Be the emulated arm of a file for a block, None for none; raises Busy where another is."""
    if path is None:
        yield
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a+", encoding="utf-8") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Busy(f"{path}: an emulated arm of this data folder runs already; use that one") from None
        file.truncate(0)
        json.dump(where.as_json(), file)
        file.flush()
        try:
            yield
        finally:
            file.truncate(0)
