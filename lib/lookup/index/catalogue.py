"""What the index knows of the table file without opening it: data/index/current.json.

It holds for exactly the file that it names, by size, time and inode: published by rename, a table file
never changes. A lookup that finds it in force asks nothing of the database.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from hashlib import md5
from pathlib import Path

from lib.lookup.index.span import FORMAT, VersionLine
from lib.lookup.index.unfinished import unfinished

FILE_NAME = "current.json"


@dataclass(frozen=True)
class Identity:
    """A file as the file system tells it from any other."""

    size_bytes: int
    modified_ns: int
    inode: int

    @classmethod
    def of(cls, path: Path) -> Identity | None:
        """Look at a file; None where there is none."""
        try:
            found = path.stat()
        except OSError:
            return None
        return cls(found.st_size, found.st_mtime_ns, found.st_ino)


@dataclass(frozen=True)
class Catalogue:
    """The versions of one table file."""

    table: str
    """Name of the table file in the data folder."""
    identity: Identity
    current: int | None
    """Version in use."""
    lines: tuple[VersionLine, ...]


def read_catalogue(folder: Path, data_dir: Path) -> Catalogue | None:
    """Read what is known of the table file as it is now; None where that is nothing, or damaged."""
    try:
        document = json.loads((folder / FILE_NAME).read_bytes())
        told = document["catalogue"]
        if document["md5"] != _proof(told) or told["format"] != FORMAT:
            return None
        known = Catalogue(
            told["table"],
            Identity(**told["identity"]),
            told["current"],
            tuple(VersionLine(*line) for line in told["lines"]),
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return known if Identity.of(data_dir / known.table) == known.identity else None


def write_catalogue(folder: Path, catalogue: Catalogue) -> None:
    """Replace what is known in one step; raises OSError where that fails."""
    told = {
        "format": FORMAT,
        "table": catalogue.table,
        "identity": asdict(catalogue.identity),
        "current": catalogue.current,
        "lines": [list(asdict(line).values()) for line in catalogue.lines],
    }
    document = json.dumps({"md5": _proof(told), "catalogue": told})
    with unfinished(folder / FILE_NAME) as file:
        file.write(document.encode())


def _proof(told: object) -> str:
    return md5(json.dumps(told, sort_keys=True).encode(), usedforsecurity=False).hexdigest()
