"""No PICK target may get farther from the nearest row than it was."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from lib.settings import Settings
from lib.table.audits.audit import Audit, Figure

Array = NDArray[np.float64]
GRID_STEP_M = 0.002
REACH_M = 0.030


def pick_regression(before: Array, after: Array, settings: Settings) -> Audit:
    """Compare nearest xz distances in the PICK band over a 2 mm grid of the PICK area.

    ``before`` and ``after`` are rows (n, 9) read back from the staged file.
    """
    probes = area_grid(settings, GRID_STEP_M)
    band = settings.lookup.pick.ee_y_band_m
    old_m, new_m = _nearest(before, probes, band), _nearest(after, probes, band)
    limit_m = settings.merge.pick_worse_limit_m
    farther_m = np.zeros(len(probes))  # out of reach before and after is no change
    known = np.isfinite(old_m) | np.isfinite(new_m)
    farther_m[known] = new_m[known] - old_m[known]
    worse = farther_m > limit_m
    figures: dict[str, Figure] = {
        "targets": len(probes),
        "worse": int(worse.sum()),
        "improved": int((farther_m < -limit_m).sum()),
        "median_before_m": _finite(np.median(old_m)),
        "median_after_m": _finite(np.median(new_m)),
        "limit_m": limit_m,
    }
    if not worse.any():
        return Audit("pick_regression", True, f"none of {len(probes):,} PICK targets got farther", figures)
    k = int(np.argmax(farther_m))
    return Audit(
        "pick_regression",
        False,
        f"{int(worse.sum()):,} of {len(probes):,} PICK targets got farther by over {limit_m * 1e6:g} um, "
        f"most at x {probes[k, 0]:.3f}, z {probes[k, 1]:.3f}: rows of the table are gone",
        figures,
    )


def area_grid(settings: Settings, step_m: float) -> Array:
    """Return the PICK area's grid points (n, 2) as (x, z) [m], both edges included."""
    xs, zs = (
        np.linspace(low, high, round((high - low) / step_m) + 1)
        for low, high in (settings.cell.pick_area_x_m, settings.cell.pick_area_z_m)
    )
    return np.column_stack([np.repeat(xs, len(zs)), np.tile(zs, len(xs))])


def _nearest(points: Array, probes: Array, band: tuple[float, float]) -> Array:
    """Return each probe's distance to the nearest row in the band, infinite where there is none."""
    rows = np.flatnonzero((points[:, 1] >= band[0]) & (points[:, 1] <= band[1]))
    inside = np.column_stack([points[:, 0][rows], points[:, 2][rows]])
    # Most of the band is far from the area: beyond its reach only where nothing within is nearer.
    low, high = probes.min(axis=0) - REACH_M, probes.max(axis=0) + REACH_M
    distances_m = _distances(inside[np.all((inside >= low) & (inside <= high), axis=1)], probes)
    far = distances_m > REACH_M
    if far.any():
        distances_m[far] = _distances(inside, probes[far])
    return distances_m


def _distances(places: Array, probes: Array) -> Array:
    if not len(places):
        return np.full(len(probes), np.inf)
    distances_m, _ = cKDTree(places).query(probes)
    return np.asarray(distances_m, dtype=np.float64)


def _finite(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None
