"""What stands behind everything: the table top with its grain and tape, the floor beyond."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from lib.cell.camera.eye import CELL_PX, Array, Eye
from lib.cell.floor_plan import Layout
from lib.settings_cell import Cell as CellSettings

Picture = NDArray[np.uint8]

_PX_PER_M = 1000
_WOOD = np.array([176.0, 200.0, 214.0])  # blue, green, red of bleached beech
_TAPE = (196, 150, 92)
_TAPE_M = 0.003
_FLOOR_NEAR, _FLOOR_FAR = np.array([122.0, 120.0, 118.0]), np.array([186.0, 184.0, 180.0])
_FLOOR_FAR_M = 6.0


def backdrop(eye: Eye, table: Picture, table_m: tuple[float, float]) -> Picture:
    """Return the empty table as the camera sees it, (height, width, 3) in blue, green, red.

    ``table`` is what ``table_top`` painted, ``table_m`` its size along the world's x and y.
    """
    width, height = eye.size_px
    rays = eye.cell_rays
    directions = np.dstack([rays, np.ones(rays.shape[:2])]) @ eye.rotation
    reach = -eye.place_m[2] / np.minimum(directions[..., 2], -1e-3)
    place = eye.place_m[:2] + directions[..., :2] * reach[..., None]
    half = np.array(table_m) / 2
    light = 1.02 - 0.22 * np.clip(np.linalg.norm(place - (0.15, 0.0), axis=-1), 0.0, 1.0)
    far = np.clip(reach / _FLOOR_FAR_M, 0.0, 1.0)
    fine = _stretched(np.dstack([place, light, far]).astype(np.float32), (width, height))
    lookup = (fine[..., :2] + half.astype(np.float32)) * _PX_PER_M - np.float32(0.5)
    top = cv2.remap(table, lookup, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    floor = _FLOOR_NEAR + (_FLOOR_FAR - _FLOOR_NEAR) * fine[..., 3:]
    on_table = (np.abs(fine[..., :2]) <= half).all(axis=-1, keepdims=True)
    picture: Picture = np.where(on_table, top * fine[..., 2:3], floor).clip(0, 255).astype(np.uint8)
    return picture


def table_top(cell: CellSettings, drawn: Layout, axes: Array) -> Picture:
    """Paint the table from above, rows along the world's y, columns along x, one millimetre a pixel."""
    columns, rows = round(cell.table_outer_m[1] * _PX_PER_M), round(cell.table_outer_m[0] * _PX_PER_M)
    random = np.random.default_rng(7)  # the same wood in every cell
    grain = random.standard_normal((rows, max(columns // 8, 1)), dtype=np.float32)
    stripes = cv2.resize(
        cv2.GaussianBlur(grain, (0, 0), 1.6), (columns, rows), interpolation=cv2.INTER_LINEAR
    )
    fine = cv2.GaussianBlur(random.standard_normal((rows, columns), dtype=np.float32), (0, 0), 1.0)
    top = np.clip(_WOOD + (9.0 * stripes + 4.0 * fine)[..., None], 0, 255).astype(np.uint8)
    corners = [(drawn.pick_x_m[i], drawn.pick_z_m[j]) for i, j in ((0, 0), (1, 0), (1, 1), (0, 1))]
    outline = np.array([(axes.T @ [x, 0.0, z])[:2] for x, z in corners])
    points = np.round(outline * _PX_PER_M + np.array([columns, rows]) / 2).astype(np.int32)
    cv2.polylines(top, [points], True, _TAPE, round(_TAPE_M * _PX_PER_M), cv2.LINE_AA)
    return top


def _stretched(coarse: NDArray[np.float32], size_px: tuple[int, int]) -> NDArray[np.float32]:
    """Return the values in an eye's cells at every pixel of its picture."""
    rows, columns = coarse.shape[:2]
    whole = cv2.resize(coarse, (columns * CELL_PX, rows * CELL_PX), interpolation=cv2.INTER_LINEAR)
    picture = whole[CELL_PX : CELL_PX + size_px[1], CELL_PX : CELL_PX + size_px[0]]
    return np.asarray(picture, dtype=np.float32)
