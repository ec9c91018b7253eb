"""Which relations a statement may read, so that the others need not be opened.

By the words in it, followed through the views: too many names cost a little time, too few cannot be,
for a statement has no other way to a relation than its name (read_only.py lets no text be run as SQL).
"""

from __future__ import annotations

import re
from functools import cache

from lib.runlog.sql_file import sql_files

_WORD = re.compile(r"\w+")
_SOURCE = re.compile(r"\b(?:FROM|JOIN)\s+(?:\w+\.)*(\w+)")
# Words of questions about the relations themselves: those are asked of all.
_OF_THE_CATALOGUE = re.compile(r"(duckdb|pragma|information|pg|sqlite)_\w+|show|describe")


def mentioned(text: str) -> frozenset[str] | None:
    """Return the names of views and recorded relations that a statement may read; None: of all."""
    behind = _behind_views()
    found: set[str] = set()
    waiting = {word.lower() for word in _WORD.findall(text)}
    if any(_OF_THE_CATALOGUE.fullmatch(word) for word in waiting):
        return None
    while waiting:
        word = waiting.pop()
        if word not in found and (word in behind or word in _recorded()):
            found.add(word)
            waiting |= behind.get(word, frozenset())
    return frozenset(found) or None


@cache
def _recorded() -> frozenset[str]:
    """Return what the schema's files declare, by their names: no database need be opened for that."""
    return frozenset(file.name.split("_", 1)[1] for file in sql_files("schema/runlog"))


@cache
def _behind_views() -> dict[str, frozenset[str]]:
    """Return what each view reads from: our own statements, so what follows FROM and JOIN is all."""
    return {file.name: frozenset(_SOURCE.findall(file.text)) for file in sql_files("views")}
