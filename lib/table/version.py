"""A table version: a watermark on an append-only table, with the proof of what is below it."""

from __future__ import annotations

from dataclasses import dataclass, fields
from datetime import UTC, datetime
from typing import TypedDict

import duckdb

from lib.errors import BadInput
from lib.scan import reading_key
from lib.table.chain_fit import ChainFit


class FitColumns(TypedDict):
    """The columns of fk_version that keep a chain fit."""

    fit_rows: int | None
    fit_tip_x_m: float | None
    fit_tip_y_m: float | None
    fit_tip_z_m: float | None
    fit_sum_squares_m2: float | None
    fit_worst_m: float | None
    fit_axes: str | None


@dataclass(frozen=True)
class Version:
    """One row of fk_version; the fields are its columns."""

    version: int
    parent: int | None
    rows: int
    """Rows of the version: its own and its ancestors'."""
    first_row: int
    """Number of the first row it added."""
    scanned: int
    added: int
    duplicates: int
    scan_md5: str
    scan_file: str
    angle_unit: str
    length_unit: str
    content_md5: str
    """Hash of its rows in order of their numbers."""
    block_digests: bytes
    """md5 of every 65,536 rows, one after the other: they tell which block was damaged."""
    created_at: datetime
    robot: str | None
    robot_md5: str | None
    fit_rows: int | None
    fit_tip_x_m: float | None
    fit_tip_y_m: float | None
    fit_tip_z_m: float | None
    fit_sum_squares_m2: float | None
    fit_worst_m: float | None
    fit_axes: str | None
    scan_reading: int = 1
    """Which reading of the scan's file it holds."""

    @property
    def scan_key(self) -> str:
        """What the files of its scan are called in the store."""
        return reading_key(self.scan_md5, self.scan_reading)

    @property
    def fit(self) -> ChainFit | None:
        """The chain fit kept with the version, or None where it has none."""
        if self.fit_rows is None or self.fit_axes is None:
            return None
        assert self.fit_tip_x_m is not None and self.fit_tip_y_m is not None and self.fit_tip_z_m is not None
        assert self.fit_sum_squares_m2 is not None and self.fit_worst_m is not None
        tip_m = (self.fit_tip_x_m, self.fit_tip_y_m, self.fit_tip_z_m)
        return ChainFit(self.fit_rows, tip_m, self.fit_sum_squares_m2, self.fit_worst_m, self.fit_axes)

    def as_json(self) -> dict[str, object]:
        """Return what `table history` prints of it."""
        document: dict[str, object] = {
            name: getattr(self, name)
            for name in (
                "version", "parent", "rows", "first_row", "scanned", "added", "duplicates",
                "scan_md5", "scan_file", "scan_reading", "angle_unit", "length_unit", "content_md5", "robot",
            )
        }  # fmt: skip
        document["created_at"] = self.created_at.astimezone(UTC).isoformat()
        fit = self.fit
        document["chain_fit"] = (
            None
            if fit is None
            else {
                "rows": fit.rows,
                "tip_m": list(fit.tip_m),
                "rms_m": fit.rms_m,
                "worst_m": fit.worst_m,
                "axes": fit.axes,
            }
        )
        return document


def read_versions(connection: duckdb.DuckDBPyConnection) -> list[Version]:
    """Read every version, oldest first; what an older table file does not tell has its default."""
    answer = connection.execute("SELECT * FROM fk_version ORDER BY version")
    names = [column[0] for column in answer.description or []]
    return [Version(**dict(zip(names, row, strict=True))) for row in answer.fetchall()]


def read_version(connection: duckdb.DuckDBPyConnection, number: int) -> Version:
    """Read one version; raises BadInput naming those there are."""
    versions = {v.version: v for v in read_versions(connection)}
    if number not in versions:
        known = ", ".join(map(str, versions)) or "none"
        raise BadInput(
            f"no table version {number}; there are: {known} (`nightpick table history` lists them)"
        )
    return versions[number]


def insert_version(connection: duckdb.DuckDBPyConnection, version: Version) -> None:
    """Write one version's row."""
    names = [f.name for f in fields(Version)]
    marks = ", ".join("?" for _ in names)
    connection.execute(
        f"INSERT INTO fk_version ({', '.join(names)}) VALUES ({marks})",
        [getattr(version, name) for name in names],
    )


def replace_version(connection: duckdb.DuckDBPyConnection, version: Version) -> None:
    """Write a version's row anew."""
    connection.execute("DELETE FROM fk_version WHERE version = ?", [version.version])
    insert_version(connection, version)


def fit_columns(fit: ChainFit | None) -> FitColumns:
    """Return a chain fit as the columns of fk_version that keep it; all null without one."""
    if fit is None or not fit.rows:
        return FitColumns(
            fit_rows=None,
            fit_tip_x_m=None,
            fit_tip_y_m=None,
            fit_tip_z_m=None,
            fit_sum_squares_m2=None,
            fit_worst_m=None,
            fit_axes=None,
        )
    return FitColumns(
        fit_rows=fit.rows,
        fit_tip_x_m=fit.tip_m[0],
        fit_tip_y_m=fit.tip_m[1],
        fit_tip_z_m=fit.tip_m[2],
        fit_sum_squares_m2=fit.sum_squares_m2,
        fit_worst_m=fit.worst_m,
        fit_axes=fit.axes,
    )


def set_current(connection: duckdb.DuckDBPyConnection, number: int | None) -> None:
    """Point the table at one version, or at none."""
    connection.execute("DELETE FROM fk_current")
    connection.execute("INSERT INTO fk_current VALUES (?)", [number])
