"""Whose night it is on this machine: one an arm of a data folder, known before anything is started."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from lib.runlog import holding_arm
from lib.settings import Settings

_HELD: set[tuple[Path, str]] = set()


def arm_name(settings: Settings) -> str:
    """Return what the arm is called: its robot file's name."""
    return Path(settings.robot).stem


@contextmanager
def holding_the_arm(settings: Settings) -> Iterator[None]:
    """Hold the arm for a block; raises Busy where another night holds it.

    Whoever starts a night holds it from before its server is started until that has ended; the flow
    asks again, for it may be run by a worker, and finds that its own process has it.
    """
    arm = (settings.data_dir, arm_name(settings))
    if arm in _HELD:
        yield
        return
    with holding_arm(*arm):
        _HELD.add(arm)
        try:
            yield
        finally:
            _HELD.remove(arm)
