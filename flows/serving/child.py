"""A child process that never outlives its owner: the Prefect server, the worker."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

GUARDIAN = Path(__file__).with_name("guardian.py")

# The end of a traceback, or what a server says of an address: after it come only good-byes.
_ERROR = re.compile(r"[\w.]*(Error|Exception): \S|ERROR: +\[Errno")


class Child:
    """One command under a guardian (see guardian.py), its output in a log file.

    ``grace_s`` [s] is how long each of SIGINT and SIGTERM may take before the next, harder one.
    """

    def __init__(
        self,
        command: Sequence[str],
        log: Path,
        *,
        environment: Mapping[str, str],
        directory: Path | None = None,
        grace_s: float = 10.0,
    ) -> None:
        log.parent.mkdir(parents=True, exist_ok=True)
        if log.exists():
            log.replace(log.with_name(f"{log.name}.1"))  # the run before this one, for a look back
        self.log = log
        self._grace_s = grace_s
        with log.open("wb") as output:
            self._guardian = subprocess.Popen(
                [sys.executable, "-I", "-S", str(GUARDIAN), str(grace_s), *command],
                stdin=subprocess.PIPE,
                stdout=output,
                stderr=subprocess.STDOUT,
                env=dict(environment),
                cwd=directory,
                start_new_session=True,
            )

    @property
    def pid(self) -> int:
        """The guardian's process id."""
        return self._guardian.pid

    def exit_code(self) -> int | None:
        """Return the command's exit code, None while it runs."""
        return self._guardian.poll()

    def last_line(self) -> str:
        """Return the last error it wrote, else its last line, which mostly says why it ended."""
        lines = self.log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
        errors = [line for line in lines if _ERROR.match(line)]
        return (errors or lines or ["no output"])[-1].strip()

    def stop(self) -> None:
        """Ask the command to end and wait until it is gone; harmless when it already is."""
        self._break_lifeline(b"")

    def kill(self) -> None:
        """End a command that may be killed at any moment; harmless when it is gone already."""
        self._break_lifeline(b"kill\n")

    def _break_lifeline(self, last_word: bytes) -> None:
        assert self._guardian.stdin is not None
        if not self._guardian.stdin.closed:
            with suppress(BrokenPipeError):
                self._guardian.stdin.write(last_word)
                self._guardian.stdin.close()
        try:
            self._guardian.wait(timeout=3 * self._grace_s + 5)
        except subprocess.TimeoutExpired:  # a guardian stuck in the kernel: nothing gentler is left
            self._guardian.kill()
            self._guardian.wait()
