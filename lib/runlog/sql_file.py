"""The SQL texts of the product: one statement a file, each saying what it is for in its header comment."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import sql

_ROOT = Path(sql.__path__[0])


@dataclass(frozen=True)
class SqlFile:
    """One statement with the name and the purpose it goes by.

    ``name`` is the file's stem; a leading number (``0002_effects``) gives the order in its folder.
    ``purpose`` is the first paragraph of the header comment, on one line.
    """

    name: str
    purpose: str
    text: str

    @property
    def number(self) -> int:
        """The leading number of a migration's file name."""
        return int(self.name.split("_", 1)[0])


def sql_text(name: str) -> str:
    """Return the statement kept in ``sql/<name>.sql``, such as ``sql_text("queries/slowest_tasks")``.

    Raises FileNotFoundError: names are written in code, so a wrong one is a defect.
    """
    return (_ROOT / f"{name}.sql").read_text(encoding="utf-8")


def sql_files(folder: str) -> list[SqlFile]:
    """Return every statement of one folder, such as ``schema/table`` or ``checks``, in name order.

    For numbered migrations name order is number order: the numbers have four digits.
    """
    paths = sorted((_ROOT / folder).glob("*.sql"))
    return [_read(path) for path in paths]


def _read(path: Path) -> SqlFile:
    text = path.read_text(encoding="utf-8")
    return SqlFile(path.stem, _purpose(text), text)


def _purpose(text: str) -> str:
    """Take the header comment up to its first empty line: ``-- What this answers.``."""
    words: list[str] = []
    for line in text.splitlines():
        if not line.startswith("--"):
            break
        comment = line.removeprefix("--").strip()
        if not comment:
            break
        words.append(comment)
    return " ".join(words)
