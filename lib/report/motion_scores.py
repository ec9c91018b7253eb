"""How the scores of a motion variant are written, wherever they stand in a table."""

from __future__ import annotations

from dataclasses import dataclass

from lib.report.motion_facts import VariantFacts


@dataclass(frozen=True)
class ScoreColumn:
    """One score in a table."""

    name: str
    score: str
    """Its name among the medians."""
    scale: float
    """From its unit to the column's."""
    format: str


SCORE_COLUMNS = (
    ScoreColumn("cycle [s]", "cycle_s", 1.0, "{:.1f}"),
    ScoreColumn("spectral arc length", "spectral_arc_length", 1.0, "{:.3f}"),
    ScoreColumn("log dimensionless jerk", "log_dimensionless_jerk", 1.0, "{:.2f}"),
    ScoreColumn("peak jerk [deg/s³]", "peak_jerk_deg_s3", 1.0, "{:,.0f}"),
    ScoreColumn("tracking rms [mm]", "tracking_rms_m", 1e3, "{:.2f}"),
    ScoreColumn("settling [s]", "settling_s", 1.0, "{:.2f}"),
    ScoreColumn("path ratio", "path_ratio", 1.0, "{:.3f}"),
    ScoreColumn("slip [mm]", "slip_m", 1e3, "{:.1f}"),
    ScoreColumn("let go at [mm]", "release_height_m", 1e3, "{:.1f}"),
    ScoreColumn("clearance [mm]", "clearance_m", 1e3, "{:.1f}"),
    ScoreColumn("joint speed, of limit [%]", "joint_speed_share", 1e2, "{:.0f}"),
)


def score_texts(variant: VariantFacts) -> list[str]:
    """Return a variant's scores as they stand in the columns, ``-`` where there are none."""
    return [
        column.format.format(column.scale * variant.medians[column.score]) if variant.medians else "-"
        for column in SCORE_COLUMNS
    ]
