"""One thing that a person should look at or do."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Todo:
    """One thing to do."""

    what: str
    """What it is about, in a few words."""
    why: str
    """What was found and what to do, in sentences."""
    command: str | None = None
    """What does it, to be copied; None where a command cannot."""
