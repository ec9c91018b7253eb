"""One pose measured twice must give one place, up to what the twin repeats."""

from __future__ import annotations

import duckdb
import numpy as np

from lib.counted import counted
from lib.runlog.sql_file import sql_text
from lib.table.audits.audit import Audit, Figure


def conflicts(connection: duckdb.DuckDBPyConnection, limit_m: float) -> Audit:
    """Summarise repeats of a pose that differ; a difference above ``limit_m`` [m] fails.

    Needs the staged relations scan_point and parent_repeat.
    """
    found = connection.execute(sql_text("checks/pose_conflict")).fetchnumpy()
    distances_m = np.asarray(found["distance_m"], dtype=float)
    figures: dict[str, Figure] = {
        "near_duplicates": len(distances_m),
        "median_m": float(np.median(distances_m)) if len(distances_m) else None,
        "largest_m": float(distances_m.max()) if len(distances_m) else None,
        "limit_m": limit_m,
    }
    if not len(distances_m):
        return Audit("conflicts", True, "no pose was measured at two places", figures)
    spread = (
        f"{counted(len(distances_m), 'repeat', ('differs', 'differ'))} from the pose's first measurement, "
        f"median {np.median(distances_m) * 1e6:.2f} um, largest {distances_m.max() * 1e6:.2f} um"
    )
    beyond = distances_m > limit_m
    figures["beyond_limit"] = int(beyond.sum())
    if not beyond.any():
        return Audit("conflicts", True, spread, figures)
    worst = np.flatnonzero(beyond)[np.argsort(-distances_m[beyond], kind="stable")][:10]
    return Audit(
        "conflicts",
        False,
        f"{counted(int(beyond.sum()), 'pose', ('was', 'were'))} measured at places more than "
        f"{limit_m * 1e3:g} mm apart; {spread}: the scan and the table do not describe one machine",
        figures,
        tuple(f"scan line {int(found['line'][k])}: {distances_m[k] * 1e3:.3f} mm away" for k in worst),
    )
