"""What a task shows in the Prefect UI: five kinds, each under a stable key, so the UI keeps its history.

A picture is Markdown with the picture in it: the UI's own kind for images writes the whole of a data
address below the picture, some hundred thousand characters of it.
"""

from __future__ import annotations

import base64
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from lib.disk import disk, whole_file
from lib.report import plain

# More than this makes the UI slow; the whole is then a file, and the artifact says where.
LARGEST_BYTES = 256 * 1024


@dataclass(frozen=True)
class Figure:
    """A PNG or JPEG file below a text; shown from within the artifact, so it outlives the file."""

    file: Path
    says: str
    """What it shows, in words: its caption, and what is read where it cannot be seen."""


@dataclass(frozen=True)
class Markdown:
    """A text people read, and perhaps a figure below it."""

    key: str
    text: str
    description: str | None = None
    figure: Figure | None = None


@dataclass(frozen=True)
class Rows:
    """A table, one mapping of column to value a row."""

    key: str
    rows: Sequence[Mapping[str, Any]]
    description: str | None = None


@dataclass(frozen=True)
class Progress:
    """How far something is; what goes on moving is live_progress.py's."""

    key: str
    percent: float
    description: str | None = None


@dataclass(frozen=True)
class Link:
    """An address, or a file of this machine."""

    key: str
    address: str | Path
    text: str
    description: str | None = None


@dataclass(frozen=True)
class Image:
    """A PNG or JPEG file, ``says`` what it shows in words."""

    key: str
    file: Path
    says: str
    description: str | None = None


Artifact = Markdown | Rows | Progress | Link | Image


@dataclass(frozen=True)
class Shown:
    """An artifact as Prefect stores it."""

    type: str
    data: str | float
    description: str | None


def shown(artifact: Artifact, whole: Path) -> Shown:
    """Return what Prefect stores of an artifact, at most LARGEST_BYTES.

    What is larger is written to ``whole``, with the suffix of its kind, and shown shortened.
    """
    if artifact.description is not None:  # the UI reads it as Markdown
        artifact = replace(artifact, description=plain(artifact.description))
    if isinstance(artifact, Markdown):
        return Shown("markdown", _text_and_figure(artifact, whole), artifact.description)
    if isinstance(artifact, Rows):
        return _table(artifact, whole)
    if isinstance(artifact, Progress):
        return Shown("progress", min(100.0, max(0.0, artifact.percent)), artifact.description)
    if isinstance(artifact, Link):
        return Shown("markdown", _link(artifact.address, artifact.text), artifact.description)
    picture = _picture(Figure(artifact.file, artifact.says), LARGEST_BYTES)
    return Shown("markdown", picture, artifact.description)


def _text_and_figure(artifact: Markdown, whole: Path) -> str:
    text = _short_text(artifact.text, whole)
    if artifact.figure is None:
        return text
    room = LARGEST_BYTES - len(text.encode())
    return f"{text.rstrip()}\n\n{_picture(artifact.figure, room - 4)}\n"


def _short_text(text: str, whole: Path) -> str:
    content = text.encode()
    if len(content) <= LARGEST_BYTES:
        return text
    file = _write(whole.with_suffix(".md"), content)
    note = (
        f"\n\n*Shortened: this is the beginning of {len(content):,} bytes, all in {_link(file, file.name)}*\n"
    )
    kept = content[: LARGEST_BYTES - len(note.encode())]
    return kept[: kept.rfind(b"\n")].decode() + note


def _table(artifact: Rows, whole: Path) -> Shown:
    rows = [{name: _finite(value) for name, value in row.items()} for row in artifact.rows]
    lines = [json.dumps(row, default=str) for row in rows]
    if sum(len(line) + 2 for line in lines) + 2 <= LARGEST_BYTES:
        return Shown("table", f"[{', '.join(lines)}]", artifact.description)
    file = _write(whole.with_suffix(".json"), f"[{', '.join(lines)}]".encode())
    kept, size = 0, 2
    while size + len(lines[kept]) + 2 <= LARGEST_BYTES:
        size += len(lines[kept]) + 2
        kept += 1
    note = f"The first {kept:,} of {len(lines):,} rows; all of them in {file}"
    description = f"{artifact.description}. {note}" if artifact.description else note
    return Shown("table", f"[{', '.join(lines[:kept])}]", description)


def _picture(figure: Figure, room_bytes: int) -> str:
    """Put a picture into Markdown, or its file's name where it is too large for that."""
    encoded = base64.b64encode(figure.file.read_bytes()).decode()
    kind = "jpeg" if figure.file.suffix.lower() == ".jpg" else "png"
    picture = f"![{plain(figure.says)}](data:image/{kind};base64,{encoded})"
    if len(picture.encode()) <= room_bytes:
        return picture
    return f"{plain(figure.says)}: {_link(figure.file, figure.file.name)}"


def _link(address: str | Path, text: str) -> str:
    # A browser does not open file:// from a page of a server, so a file's path is there to be copied.
    return f"`{address}`" if isinstance(address, Path) else f"[{text}]({address})"


def _finite(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _write(file: Path, content: bytes) -> Path:
    with disk(file.parent):
        file.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(file) as beside:
        beside.write_bytes(content)
    return file
