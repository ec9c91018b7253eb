"""What a terminal gets and a pipe does not: a spinner, a bar, colours; what both get: whole tables."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from lib.visible import visible

if TYPE_CHECKING:
    from rich.table import Table


@contextmanager
def status(what: str) -> Iterator[Callable[[str], None]]:
    """Show what is being done; the yielded function says which step it is at."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.text import Text  # no markup: a scan may be called "[a].csv"

    with Console(stderr=True).status(Text(visible(what))) as spinner:
        yield lambda step: spinner.update(Text(visible(f"{what}: {step}")))


@contextmanager
def progress_bar(what: str) -> Iterator[Callable[[int, int], None]]:
    """Show a progress bar on a terminal; the yielded function is told the steps done and in all."""
    if not sys.stderr.isatty():
        yield lambda done, steps: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    name = TextColumn("{task.description}", markup=False)
    columns = (name, BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(visible(what), total=None)
        yield lambda done, steps: bar.update(task, completed=done, total=steps)


def wide_text(table: Table) -> str:
    """Return a table as text as wide as it needs to be: a terminal wraps it, a pipe does not cut it."""
    from rich.console import Console

    console = Console(width=300, force_terminal=sys.stdout.isatty())
    with console.capture() as captured:
        console.print(table)
    return "\n".join(line.rstrip() for line in captured.get().splitlines())
