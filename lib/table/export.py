"""Write a version to files that others read: each whole or not at all, each proved after writing."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import duckdb
import numpy as np
from numpy.typing import NDArray

from lib.disk import disk_refused
from lib.errors import BadInput, Damaged
from lib.runlog import fk_file
from lib.scan import COLUMNS, content_md5, read_back
from lib.table.version import read_version

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Exported:
    """One written file, or why there is none."""

    path: str
    version: int
    rows: int
    bytes: int | None
    file_md5: str | None
    content_md5: str | None
    error: str | None

    def as_json(self) -> dict[str, object]:
        """Return what `table export --json` prints of it."""
        return dict(vars(self))


def export(data_dir: Path, paths: Sequence[Path], version: int | None = None) -> list[Exported]:
    """Write one version (default: the current one) to every path; the suffix chooses the format.

    A path that fails does not keep the others from being written: its ``error`` says why. Raises
    BadInput for a suffix that is no format and Damaged for a version that is not what was published,
    before anything is written.
    """
    for path in paths:
        if path.suffix not in _WRITERS:
            raise BadInput(f"{path}: no format goes by {path.suffix!r}; expected {', '.join(_WRITERS)}")
    with fk_file.open_read(data_dir) as connection:
        number = version if version is not None else fk_file.current_version(connection)
        if number is None:
            raise BadInput("no table version is current; `nightpick table history` lists them")
        expected = read_version(connection, number)
        fk_rows, points = fk_file.read_points(connection, number)
        if (found_md5 := content_md5(points)) != expected.content_md5:
            raise Damaged(
                f"{fk_file.path(data_dir)}: version {number} reads as {found_md5}, published was "
                f"{expected.content_md5}: the table is damaged, nothing was written; `nightpick table "
                "verify` tells where"
            )
        exported = []
        for path in paths:
            try:
                exported.append(_write(path, number, fk_rows, points, expected.content_md5))
            except (OSError, BadInput, duckdb.Error) as error:
                exported.append(
                    Exported(str(path), number, len(points), None, None, None, _reason(path, error))
                )
        return exported


def _write(
    path: Path, version: int, fk_rows: NDArray[np.int64], points: Array, expected_md5: str
) -> Exported:
    _check_writable(path)
    beside = path.with_name(f".{path.stem}.{os.getpid()}.part{path.suffix}")
    try:
        _WRITERS[path.suffix](beside, fk_rows, points)
        with beside.open("rb+") as file:
            os.fsync(file.fileno())
            file_md5 = hashlib.file_digest(file, "md5").hexdigest()
        found_md5 = content_md5(_READERS[path.suffix](beside))
        if found_md5 != expected_md5:
            raise BadInput(
                f"{path}: read back as {found_md5}, written from {expected_md5}: the disk does not keep "
                "what it is given; nothing was put there"
            )
        size_bytes = beside.stat().st_size
        beside.replace(path)
    finally:
        with suppress(OSError):  # a disk that takes nothing gives nothing up either
            beside.unlink(missing_ok=True)
    return Exported(str(path), version, len(points), size_bytes, file_md5, found_md5, None)


def _check_writable(path: Path) -> None:
    """Refuse what was made read-only, also where a privileged user could write it all the same."""
    if not path.parent.is_dir():
        raise BadInput(f"{path.parent}: no such folder; make it first")
    for place in (path.parent, path):
        if place.exists() and not place.stat().st_mode & 0o222:
            raise BadInput(f"{place}: is read-only, nothing was written there; choose another place")


def _reason(path: Path, error: Exception) -> str:
    if isinstance(error, BadInput):
        return str(error)
    told = disk_refused(error, f"{path}: not written")
    said = error.strerror if isinstance(error, OSError) and error.strerror else str(error).splitlines()[0]
    return str(told) if told else f"{path}: not written: {said}"


def _write_csv(path: Path, _: NDArray[np.int64], points: Array) -> None:
    _copy(path, points, {}, "FORMAT csv, HEADER, DELIMITER ','")


def _write_parquet(path: Path, fk_rows: NDArray[np.int64], points: Array) -> None:
    _copy(path, points, {"fk_row": fk_rows}, "FORMAT parquet, COMPRESSION zstd")


def _copy(path: Path, points: Array, further: dict[str, NDArray[np.int64]], options: str) -> None:
    with duckdb.connect() as connection:
        columns = {name: np.ascontiguousarray(points[:, k]) for k, name in enumerate(COLUMNS)}
        connection.register("point", {**columns, **further})
        connection.execute(f"COPY (SELECT * FROM point) TO {fk_file.quoted(str(path))} ({options})")


def _write_npz(path: Path, fk_rows: NDArray[np.int64], points: Array) -> None:
    np.savez(path, fk_row=fk_rows, ee_m=points[:, 0:3], joints_deg=points[:, 3:9])


def _read_npz(path: Path) -> Array:
    with np.load(path, allow_pickle=False) as kept:
        return np.hstack([kept["ee_m"], kept["joints_deg"]])


_WRITERS: dict[str, Callable[[Path, NDArray[np.int64], Array], None]] = {
    ".csv": _write_csv,
    ".parquet": _write_parquet,
    ".npz": _write_npz,
}
_READERS: dict[str, Callable[[Path], Array]] = {
    ".csv": read_back,
    ".parquet": read_back,
    ".npz": _read_npz,
}
