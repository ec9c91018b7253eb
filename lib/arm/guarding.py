"""The driver's side of the guardian: start it, see that it lives, let it go in order."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from pathlib import Path

from lib.arm import guardian
from lib.errors import Refused


class Guarding:
    """One guardian, holding the arm's device open and with it the lock."""

    def __init__(self, descriptor: int, works_for: int | None) -> None:
        """Start it; raises Refused where it does not come up."""
        script = Path(guardian.__file__)
        watched = [] if works_for is None else [str(works_for)]
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-S", str(script), str(descriptor), *watched],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            pass_fds=[descriptor],
            start_new_session=True,  # a Ctrl-C in the terminal is not for it
        )
        assert self._process.stdout is not None
        if self._process.stdout.readline() != b"watching\n":
            self._process.kill()
            self._process.wait()
            raise Refused(
                "the arm's guardian does not start, so the arm may not move; is its flow still alive?"
            )

    @property
    def pid(self) -> int:
        """Its process."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether it still watches."""
        return self._process.poll() is None

    def let_go(self) -> None:
        """End it without a stop: the driver ends in order."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with contextlib.suppress(OSError):
            self._process.stdin.write(guardian.IN_ORDER)
            self._process.stdin.flush()
        with contextlib.suppress(OSError):
            self._process.stdin.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout=5.0)
        if self.alive:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()
