"""What a lookup answers."""

from __future__ import annotations

from dataclasses import dataclass

OUT_OF_RANGE = "out_of_range"
NO_CANDIDATES = "no_candidates"


@dataclass(frozen=True)
class LookupResult:
    """The selected row, or why there is none.

    Where there is none (``out_of_range``, ``no_candidates``) everything about a row is None.
    """

    method: str
    """How the row was selected: table and fallback taken, what the j4 preference did."""
    fk_row: int | None = None
    """Number of the selected row."""
    joints_deg: tuple[float, ...] | None = None
    """Its pose, j0..j5 [deg]."""
    point_m: tuple[float, ...] | None = None
    """Its tool tip, ee_x, ee_y, ee_z in the twin's axes [m]."""
    x_residual_m: float | None = None
    """How far its tip is from the target in x, without sign [m]."""
    z_residual_m: float | None = None
    """How far its tip is from the target in z, without sign [m]."""
    xz_distance_m: float | None = None
    """How far its tip is from the target in the x-z plane [m]."""
    score: float | None = None
    """What it was selected by, the smallest of all candidates [m]."""
    max_dj_deg: float | None = None
    """Its largest joint change against the reference pose [deg]; None without a reference."""
    sendable: bool = False
    """Whether the arm may be sent there: not where no candidate's j4 is in the safe range."""
    table_version: int | None = None
    """Version of the table that answered."""
    beyond_guard: tuple[int, float] | None = None
    """Of ``out_of_range``: the row that a wider guard would have given, and its xz distance [m]."""
    binding_filter: str | None = None
    """What keeps the answer from being nearer; filled by ``with_binding_filters``."""

    @property
    def found(self) -> bool:
        """Whether there is a row."""
        return self.fk_row is not None

    @property
    def why_not_sendable(self) -> str | None:
        """Say in one clause why the arm may not be sent there; None where it may."""
        if self.sendable:
            return None
        if self.method == NO_CANDIDATES:
            return "no row is left after the filters"
        if self.method == OUT_OF_RANGE:
            return "the selected row is farther from the target than the guard"
        return "no candidate has its j4 in the safe range"

    def as_json(self) -> dict[str, object]:
        """Return the document that `nightpick lookup --json` prints."""
        return {
            "fk_row": self.fk_row,
            "pose_id": None if self.fk_row is None else f"fk_row_{self.fk_row}",
            "joints_deg": None if self.joints_deg is None else list(self.joints_deg),
            "point_m": None if self.point_m is None else list(self.point_m),
            "method": self.method,
            "x_residual_m": self.x_residual_m,
            "z_residual_m": self.z_residual_m,
            "xz_distance_m": self.xz_distance_m,
            "score": self.score,
            "ee_y_m_selected": None if self.point_m is None else self.point_m[1],
            "max_dj_deg": self.max_dj_deg,
            "sendable": self.sendable,
            "table_version": self.table_version,
        }
