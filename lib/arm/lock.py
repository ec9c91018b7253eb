"""One process an arm: a lock on the device itself, which no crash can leave behind."""

from __future__ import annotations

import fcntl
import os
import tempfile
from pathlib import Path

from lib.errors import Busy, Refused


class ArmLock:
    """The lock, and a descriptor of the device; a guardian that inherits it keeps the lock while it lives."""

    def __init__(self, path: Path, name: str) -> None:
        """Take the lock; raises Busy where another process holds it, Refused where there is no device."""
        try:
            self.descriptor = os.open(path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK | os.O_CLOEXEC)
        except OSError as error:
            raise Refused(
                f"{path}: {error.strerror}; plug the arm in and switch it on, or set arm.port"
            ) from error
        try:
            fcntl.flock(self.descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(self.descriptor)
            holder = holder_of(path)
            who = f" by process {holder}{_command(holder)}" if holder else ""
            raise Busy(f"{name} is held{who}; wait for it, or stop it with `nightpick arm stop`") from None
        except OSError as error:
            os.close(self.descriptor)
            raise Refused(f"{path}: cannot be locked: {error.strerror}; expected a serial port") from error

    def release(self) -> None:
        """Let go."""
        os.close(self.descriptor)


def lock_file(host: str, port: int) -> Path:
    """Return the file that stands for an arm behind a TCP server, made if need be."""
    name = "".join(letter if letter.isalnum() or letter in "-." else "_" for letter in host)
    path = Path(tempfile.gettempdir()) / f"nightpick-arm-{name}-{port}.lock"
    path.touch(mode=0o666, exist_ok=True)
    return path


def holder_of(path: Path) -> int | None:
    """Return the process that took the lock on a device, as Linux tells; None where nobody can say."""
    try:
        about = path.stat()
        device = f"{os.major(about.st_dev):02x}:{os.minor(about.st_dev):02x}:{about.st_ino}"
        for line in Path("/proc/locks").read_text(encoding="ascii").splitlines():
            fields = line.split()
            if "FLOCK" in fields and device in fields:
                pid = int(fields[fields.index("FLOCK") + 3])
                return pid if pid > 0 else None
    except (OSError, ValueError):
        pass
    return None


def _command(pid: int) -> str:
    try:
        words = Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode().strip()
    except (OSError, UnicodeDecodeError):
        return ""
    return f" ({words[:80]})" if words else ""
