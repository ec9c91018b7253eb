"""The original's selection, written here again with plain masks, to compare ours with."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lib.lookup import PickRequest, PlaceRequest


@dataclass(frozen=True)
class Selected:
    """What the original would answer: method and, where it has one, the row."""

    method: str
    row: int | None
    distance_m: float | None
    inside: tuple[int, ...]
    """Rows inside each filter in turn, of those that the one before let through."""
    tied: bool = False
    """Whether another row has the same key."""


def select(points: np.ndarray, request: PlaceRequest | PickRequest) -> Selected:
    """Filter by masks over the whole table, then take the smallest key among the safe rows."""
    bounds, ee, joints = request.bounds, points[:, :3], points[:, 3:]
    kept, inside = np.ones(len(points), dtype=bool), []
    for name, mask in _hard_masks(ee, joints, request).items():
        if name not in request.without:
            kept = kept & mask
            inside.append(int(kept.sum()))
    band = np.flatnonzero(kept)
    key, method = (ee[band, 0] - request.x_m) ** 2 + (ee[band, 2] - request.z_m) ** 2, "fk_nearest"
    if isinstance(request, PlaceRequest):
        level = np.ones(len(band), dtype=bool)
        if "ee_y_target" not in request.without:
            level = np.abs(ee[band, 1] - _height_target(request)) <= request.bounds.ee_y_tol_m
            inside.append(int(level.sum()))
        method = "fk_nearest_ee_y_tol_empty"
        if level.any():
            band, method = band[level], "fk_j4_priority"
            key = _score(ee[band], joints[band], request)
    safe = (joints[band, 4] >= bounds.j4_safe_deg[0]) & (joints[band, 4] <= bounds.j4_safe_deg[1])
    inside.append(int(safe.sum()))
    if not len(band):
        return Selected("no_candidates", None, None, tuple(inside))
    key = np.where(safe, key, np.inf) if safe.any() else key
    best = int(np.argmin(key))
    row = int(band[best])
    distance_m = float(np.sqrt((ee[:, 0] - request.x_m) ** 2 + (ee[:, 2] - request.z_m) ** 2)[row])
    if distance_m > bounds.guard_m:
        return Selected("out_of_range", None, None, tuple(inside))
    suffix = "_j4safe_pref" if safe.any() else "_j4safe_absent"
    return Selected(method + suffix, row, distance_m, tuple(inside), int((key == key[best]).sum()) > 1)


def _hard_masks(
    ee: np.ndarray, joints: np.ndarray, request: PlaceRequest | PickRequest
) -> dict[str, np.ndarray]:
    bounds = request.bounds
    masks = {"ee_y_band": (ee[:, 1] >= bounds.ee_y_band_m[0]) & (ee[:, 1] <= bounds.ee_y_band_m[1])}
    j0_ref = bounds.j0_ref_deg
    if isinstance(request, PlaceRequest):
        masks["ee_y_floor"] = ee[:, 1] >= request.bounds.ee_y_floor_m
        if j0_ref is None and bounds.ref_joints is not None:
            j0_ref = bounds.ref_joints[0]
    if j0_ref is not None:
        low, high = j0_ref - bounds.j0_tol_deg, j0_ref + bounds.j0_tol_deg
        masks["j0_lock"] = (joints[:, 0] >= low) & (joints[:, 0] <= high)
    if isinstance(request, PlaceRequest):
        masks["j1_min"] = joints[:, 1] >= request.bounds.j1_min_deg
    if bounds.ref_joints is not None:
        near = np.ones(len(joints), dtype=bool)
        for k in range(6):
            near &= np.abs(joints[:, k] - bounds.ref_joints[k]) <= bounds.ref_tol_deg
        masks["ref_joints"] = near
    return masks


def _height_target(request: PlaceRequest) -> float:
    if request.bounds.ee_y_target_m is not None:
        return request.bounds.ee_y_target_m
    return 0.5 * (request.bounds.ee_y_band_m[0] + request.bounds.ee_y_band_m[1])


def _score(ee: np.ndarray, joints: np.ndarray, request: PlaceRequest) -> np.ndarray:
    xz_dist = np.sqrt((ee[:, 0] - request.x_m) ** 2 + (ee[:, 2] - request.z_m) ** 2)
    dj1, dj2, dj4 = (np.abs(joints[:, k] - request.bounds.ref_joints[k]) for k in (1, 2, 4))  # type: ignore[index]
    bounds = request.bounds
    score: np.ndarray = (
        xz_dist + bounds.w_j1_m_per_deg * dj1 + bounds.w_j2_m_per_deg * dj2 + bounds.w_j4_m_per_deg * dj4
    )
    return score
