"""Leaving at once: Prefect's threads offer their last words to a server that is gone, for a minute."""

from __future__ import annotations

import os
import sys


class Leaving:
    """How the running process ends."""

    def __init__(self) -> None:
        self._is_at_once = False

    def be_at_once(self) -> None:
        """Let nothing run after the command's own last line: whatever has to be kept is on disk."""
        self._is_at_once = True

    def leave(self, exit_code: int) -> None:
        """End the process here, if that was asked for."""
        if self._is_at_once:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(exit_code)


LEAVING = Leaving()
