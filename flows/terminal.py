"""Where a person waits: a spinner that says what is going on, on a terminal only, never in a pipe."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def status(what: str) -> Iterator[Callable[[str], None]]:
    """Show what is being done; the yielded function says which step it is at."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console

    with Console(stderr=True).status(what) as spinner:
        yield lambda step: spinner.update(f"{what}: {step}")
