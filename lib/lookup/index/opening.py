"""Open a version's rows by the index; where it is absent, old or damaged, build it again from the table.

The index is a copy that can be thrown away: what is read from it has proven to be what was written,
and what was written had proven to be what the table's own content md5s say. Where its folder cannot be
written, it is built in memory each time.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from lib.errors import BadInput
from lib.lookup.blocks import Part
from lib.lookup.index.catalogue import Catalogue, Identity, read_catalogue, write_catalogue
from lib.lookup.index.segment import Segment
from lib.lookup.index.segment_file import Damaged, SegmentFile, write_segment
from lib.lookup.index.span import Span, VersionLine, ancestry, spans
from lib.lookup.index.tidying import tidy

if TYPE_CHECKING:
    import duckdb


def index_folder(data_dir: Path) -> Path:
    """Return where the index of a data folder is, or will be."""
    return data_dir / "index"


def open_parts(data_dir: Path, version: int | None) -> tuple[int, list[Part]]:
    """Return a version's number, the current one's unless named, and its rows, part by part.

    The database is opened only where the index does not answer. Raises BadInput where there is no
    table yet, no such version, or the table file is damaged.
    """
    known = read_catalogue(index_folder(data_dir), data_dir)
    if known is not None:
        number = known.current if version is None else version
        chain = [] if number is None else ancestry(known.lines, number)
        parts: list[Part] = []
        for span in spans(chain):
            part = _filed(data_dir, span)
            if part is None:
                break
            parts.append(part)
        else:
            if number is not None and chain:
                return number, parts
    return _from_table(data_dir, version, {})


def renew(data_dir: Path, ready: Mapping[int, Segment] | None = None) -> None:
    """Bring the index up to a table that was just published; the caller holds the merge lock.

    ``ready`` holds segments made already, each of the rows that one version added. Segments that
    neither the current version nor its parent needs are removed.
    """
    current, _ = _from_table(data_dir, None, ready or {})
    known = read_catalogue(index_folder(data_dir), data_dir)
    if known is not None:
        chain = ancestry(known.lines, current)
        used = {span.file_name for line in (chain, chain[:-1]) for span in spans(line)}
        tidy(index_folder(data_dir), used)


class _FiledPart:
    """A segment in its file; where the file proves damaged, the same rows from the table."""

    def __init__(self, data_dir: Path, file: SegmentFile) -> None:
        self.rows = file.rows
        self.zones = file.zones
        self._data_dir = data_dir
        self._file = file
        self._rebuilt: Segment | None = None

    def read_block(self, block: int) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Return a block's columns (9, m) and row numbers (m,).

        Rows read before keep their positions: a segment built again is the same, value by value.
        """
        if self._rebuilt is None:
            try:
                return self._file.read_block(block)
            except (Damaged, OSError):
                self._rebuilt = self._rebuild()
        return self._rebuilt.read_block(block)

    def _rebuild(self) -> Segment:
        from lib.runlog import fk_file

        span = self._file.span
        with fk_file.open_read(self._data_dir) as con:
            known = {line.version: line for line in _lines(con)}
            if any(known.get(line.version) != line for line in (*span.below, *span.versions)):
                raise BadInput(
                    f"{self._file.path}: damaged, and {fk_file.path(self._data_dir)} is no longer the table "
                    "that it was made from; ask again"
                )
            return _built(con, self._data_dir, span)


def _filed(data_dir: Path, span: Span) -> _FiledPart | None:
    try:
        return _FiledPart(data_dir, SegmentFile(index_folder(data_dir) / span.file_name, span))
    except (OSError, Damaged):
        return None


def _from_table(data_dir: Path, version: int | None, ready: Mapping[int, Segment]) -> tuple[int, list[Part]]:
    from lib.runlog import fk_file

    # Looked at before it is opened: should another be published meanwhile, this one only seems old.
    identity = Identity.of(fk_file.path(data_dir))
    with fk_file.open_read(data_dir) as con:
        current = fk_file.current_version(con)
        number = current if version is None else version
        if number is None:
            raise BadInput(
                f"no table version yet in {fk_file.path(data_dir)}; ingest a scan with `nightpick scan "
                "ingest FILE`, then `nightpick table merge`"
            )
        fk_file.ancestors(con, number)
        lines = _lines(con)
        parts: list[Part] = []
        for span in spans(ancestry(lines, number)):
            part: Part | None = _filed(data_dir, span)
            if part is None:
                made = ready.get(span.versions[0].version) if len(span.versions) == 1 else None
                part = _built(con, data_dir, span) if made is None else _kept(data_dir, span, made)
                # Its file, where it has one now, takes less memory: most of it is never asked for.
                part = _filed(data_dir, span) or part
            parts.append(part)
    if identity is not None:
        with suppress(OSError):
            index_folder(data_dir).mkdir(exist_ok=True)
            catalogue = Catalogue(fk_file.FILE_NAME, identity, current, tuple(lines))
            write_catalogue(index_folder(data_dir), catalogue)
    return number, parts


def _lines(con: duckdb.DuckDBPyConnection) -> list[VersionLine]:
    from lib.runlog import fk_file

    return [VersionLine(*line) for line in fk_file.version_lines(con)]


def _built(con: duckdb.DuckDBPyConnection, data_dir: Path, span: Span) -> Segment:
    from lib.lookup.index.building import build

    segment, proven = build(con, data_dir, span)
    # Of a table file that is damaged the lookup answers as it is, but keeps nothing.
    return _kept(data_dir, span, segment) if proven else segment


def _kept(data_dir: Path, span: Span, segment: Segment) -> Segment:
    with suppress(OSError):
        index_folder(data_dir).mkdir(exist_ok=True)
        write_segment(index_folder(data_dir) / span.file_name, span, segment)
    return segment
