"""Which relations of the run log a statement may read, so that the files of the others stay shut.

By the words in it, followed through the views: too many names cost a little time, too few cannot be,
for a statement has no other way to a relation than its name (read_only.py lets no text be run as SQL).
"""

from __future__ import annotations

import re
from functools import cache

from lib.runlog.schema import declared
from lib.runlog.sql_file import sql_files

_WORD = re.compile(r"\w+")
_SOURCE = re.compile(r"\b(?:FROM|JOIN)\s+(?:\w+\.)*(\w+)")


def mentioned(text: str) -> frozenset[str]:
    """Return the recorded relations whose names stand in a statement or in the views it names."""
    behind = _behind_views()
    found: set[str] = set()
    waiting = _words(text)
    while waiting:
        word = waiting.pop()
        if word not in found and (word in behind or word in declared()):
            found.add(word)
            waiting |= behind.get(word, frozenset())
    return frozenset(found & declared().keys())


@cache
def _behind_views() -> dict[str, frozenset[str]]:
    """Return what each view reads from: our own statements, so what follows FROM and JOIN is all."""
    return {file.name: frozenset(_SOURCE.findall(file.text)) for file in sql_files("views")}


def _words(text: str) -> set[str]:
    return {word.lower() for word in _WORD.findall(text)}
