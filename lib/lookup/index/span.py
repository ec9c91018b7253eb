"""Which stretches of a version's ancestry share a segment of the index, and what ties it to the table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import md5
from itertools import accumulate, pairwise

from lib.lookup.blocks import BLOCK_ROWS

# Changes with whatever changes a segment's bytes: the format of the file, the order of the rows.
FORMAT = 2

# A segment stays at least this many times as large as the next: few segments, and each row seldom moves.
_GROWTH = 2


@dataclass(frozen=True)
class VersionLine:
    """What the table says of one version, as far as the index depends on it."""

    version: int
    parent: int | None
    first_row: int
    """Number of the first row it added; the others follow."""
    added: int
    content_md5: str
    """Hash of all its rows, its ancestors' first."""


@dataclass(frozen=True)
class Span:
    """Consecutive versions of one ancestry, oldest first, whose added rows stand in one segment."""

    versions: tuple[VersionLine, ...]
    below: tuple[VersionLine, ...]
    """The versions that these were built on, oldest first."""

    @property
    def rows(self) -> int:
        """How many rows its versions added."""
        return sum(line.added for line in self.versions)

    @cached_property
    def key(self) -> bytes:
        """What the segment must have been made of: these rows under these numbers, in this format.

        A version's content md5 is of all rows from the first on, so that of the last version and that
        of the rows below determine the rows between.
        """
        numbers = " ".join(f"{line.first_row}+{line.added}" for line in self.versions)
        below_md5 = self.below[-1].content_md5 if self.below else ""
        told = f"{FORMAT} {BLOCK_ROWS} {below_md5} {self.versions[-1].content_md5} {numbers}"
        return md5(told.encode(), usedforsecurity=False).digest()

    @property
    def file_name(self) -> str:
        """Name of the segment's file."""
        return f"{self.versions[-1].version}-{self.key.hex()[:12]}.seg"


def ancestry(lines: Iterable[VersionLine], version: int) -> list[VersionLine]:
    """Return a version and its ancestors, oldest first; empty where one of them is not known."""
    known = {line.version: line for line in lines}
    chain: list[VersionLine] = []
    step: int | None = version
    while step is not None:
        if step not in known or len(chain) == len(known):
            return []
        chain.append(known[step])
        step = known[step].parent
    return chain[::-1]


def spans(chain: Sequence[VersionLine]) -> list[Span]:
    """Cut an ancestry, oldest first, into spans, each larger than twice the next.

    A night's scan so gets a segment of its own beside the large one, and is joined with others of its
    size later: after n merges a row was moved log n times and a search meets log n segments.
    """
    groups: list[list[VersionLine]] = []
    for line in chain:
        groups.append([line])
        while len(groups) > 1 and _added(groups[-2]) <= _GROWTH * _added(groups[-1]):
            last = groups.pop()
            groups[-1] += last
    ends = accumulate(map(len, groups), initial=0)
    return [Span(tuple(chain[start:end]), tuple(chain[:start])) for start, end in pairwise(ends)]


def last_rows_from(lines: Sequence[VersionLine], rows: int) -> int:
    """Return the number from which on the last ``rows`` rows that some versions, oldest first, added are.

    Along an ancestry numbers only grow, with gaps where a branch was left. Zero rows begin behind all.
    """
    for line in reversed(lines):
        if rows <= line.added:
            return line.first_row + line.added - rows
        rows -= line.added
    return 0


def _added(group: Sequence[VersionLine]) -> int:
    return sum(line.added for line in group)
