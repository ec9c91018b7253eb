"""How the person at the keyboard runs nightpick, for the commands that are suggested to them."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path


def called_as(name: str = "nightpick") -> str:
    """Return ``nightpick`` where the shell finds it, else the path that called it, as `make night` does."""
    called = Path(sys.argv[0])
    return str(called) if called.name == name and shutil.which(name) is None else name
