"""How a scan is refused: every problem with its place, the first ten shown, all counted."""

from __future__ import annotations

from collections.abc import Sequence

from lib.errors import BadInput, Problem
from lib.visible import visible

SHOWN_PROBLEMS = 10
SHOWN_CHARACTERS = 60


class ScanRefused(BadInput):
    """A file that is not taken; nothing was kept.

    ``problems`` are the first ten, ``problem_count`` is how many there are. ``file`` is the scan that
    was offered, ``md5`` its bytes', ``expected_rows`` what its request asks for; None: not known yet.
    """

    def __init__(self, file: str, problems: Sequence[Problem], problem_count: int, advice: str) -> None:
        self.file = file
        self.problems = tuple(problems[:SHOWN_PROBLEMS])
        self.problem_count = problem_count
        self.advice = advice
        self.md5: str | None = None
        self.expected_rows: int | None = None
        more = f", and {problem_count - 1:,} more" if problem_count > 1 else ""
        super().__init__(f"{shown(file, limit=300)}: {self.problems[0]}{more}; {advice}")


class Unreadable(Exception):
    """A problem that ends the reading at once; `read_scan` adds the file's name."""

    def __init__(self, problems: Problem | Sequence[Problem], advice: str) -> None:
        self.problems = (problems,) if isinstance(problems, Problem) else tuple(problems)
        self.advice = advice
        super().__init__(str(self.problems[0]))


def shown(text: str, limit: int = SHOWN_CHARACTERS) -> str:
    """Return what a message may show of a file's text: one line, printable, not long."""
    text = text if len(text) <= limit else text[: limit + 1]
    text = visible(text)
    return text if len(text) <= limit else f"{text[: limit - 3]}..."
