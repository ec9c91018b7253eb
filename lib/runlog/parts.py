"""Closed parts of the run log: what their manifests say, and which of them count.

A part is the rows of some logs, or of smaller parts, one Parquet file a relation. Its manifest is
renamed into place last: before that the part does not exist, from then on it stands for everything
it names, wherever that still lies about. So no row is ever missing and none counts twice.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from lib.errors import Damaged
from lib.runlog.folder import closed_folder, flush_to_disk, regular_files


@dataclass(frozen=True)
class Part:
    """One closed part."""

    name: str
    level: int
    """0 for closed logs; n + 1 for parts of level n put together."""
    rows: Mapping[str, int]
    """Relation to number of rows; a relation without rows has no file."""
    logs: tuple[str, ...]
    """Stems of the logs whose rows are in this part and which may still lie in the open folder."""
    replaces: tuple[str, ...]
    """Names of the parts whose rows are in this one."""


def parquet_path(data_dir: Path, relation: str, part: str) -> Path:
    """Return where a part keeps the rows of one relation."""
    return closed_folder(data_dir) / relation / f"{part}.parquet"


def manifest_path(data_dir: Path, part: str) -> Path:
    """Return where a part's manifest is."""
    return closed_folder(data_dir) / f"{part}.json"


def all_parts(data_dir: Path) -> list[Part]:
    """Read every manifest, also of parts that others replaced."""
    parts = []
    for path in regular_files(closed_folder(data_dir), ".json"):
        try:
            document = json.loads(path.read_text(encoding="utf-8"))
            parts.append(
                Part(
                    path.stem,
                    int(document["level"]),
                    dict(document["rows"]),
                    tuple(document["logs"]),
                    tuple(document["replaces"]),
                )
            )
        except FileNotFoundError:
            continue  # replaced long ago and removed while we looked
        except (ValueError, KeyError, TypeError) as error:
            raise Damaged(
                f"{path}: not readable as the manifest of a closed part of the run log: {error}; "
                "put back a copy of this file"
            ) from error
    return parts


def live_parts(data_dir: Path) -> list[Part]:
    """Return the parts that count: those no other part replaces."""
    parts = all_parts(data_dir)
    replaced = {name for part in parts for name in part.replaces}
    return [part for part in parts if part.name not in replaced]


def commit(data_dir: Path, part: Part) -> None:
    """Make a part exist, its Parquet files being whole and on disk: one rename."""
    path = manifest_path(data_dir, part.name)
    beside = path.with_name(f".{path.name}")
    document = {key: value for key, value in asdict(part).items() if key != "name"}
    beside.write_text(json.dumps(document), encoding="utf-8")
    flush_to_disk(beside)
    beside.replace(path)
    flush_to_disk(path.parent)
