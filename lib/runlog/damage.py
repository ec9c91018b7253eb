"""Which Parquet files of the data folder cannot be read: asked one by one, once something failed."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import duckdb

from lib.runlog.fk_file import quoted
from lib.runlog.one_file import one_file

_MARK = b"PAR1"


@dataclass(frozen=True)
class DamagedFile:
    """A file that is gone or not what was written, so that its rows are in no answer."""

    path: Path
    said: str

    def __str__(self) -> str:
        """Say where, what, and what to do."""
        kept = self.path.parent.name == "scans"
        what = "lines set aside of a kept scan" if kept else f"closed records of {self.path.parent.name}"
        # Without its manifest a closed part does not exist.
        manifest = self.path.parent.parent / f"{self.path.stem}.json"
        forego = "" if kept else f", or move {manifest} away to do without them"
        return f"{self.path}: {what} cannot be read: {self.said}; put back a copy{forego}"


def damaged_files(files: Iterable[Path]) -> list[DamagedFile]:
    """Read Parquet files, every value of them, and return those that cannot be."""
    found = []
    with duckdb.connect() as con:
        for file in files:
            try:
                con.execute(
                    f"SELECT max(hash(row)) FROM read_parquet({quoted(one_file(file))}) AS row"
                ).fetchall()
            except duckdb.OutOfMemoryException:
                raise
            except duckdb.Error as error:
                said = "it is gone" if not file.exists() else str(error).splitlines()[0]
                found.append(DamagedFile(file, said.replace(str(file), file.name)))
    return found


def has_both_ends(file: Path) -> bool:
    """Tell whether a Parquet file is there and begins and ends as one, without reading what is between."""
    try:
        with file.open("rb") as content:
            begins = content.read(len(_MARK))
            content.seek(-len(_MARK), os.SEEK_END)
            return begins == content.read() == _MARK
    except OSError:  # gone, or shorter than its mark
        return False
