"""What stands behind everything: the table top with its grain and tape, the floor beyond."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from lib.cell.camera.eye import Array, Eye
from lib.cell.floor_plan import Layout
from lib.settings_cell import Cell as CellSettings

Picture = NDArray[np.uint8]

_PX_PER_M = 1000
_WOOD = (176.0, 200.0, 214.0)  # blue, green, red of bleached beech
# The way from pixels to the table is computed in the middles of cells and is straight between.
_CELL_PX = 8
_TAPE = (196, 150, 92)
_TAPE_M = 0.003
_FLOOR_FAR_M = 6.0
# The floor's colour from near (0) to far (255).
_FLOOR = np.linspace([122, 120, 118], [186, 184, 180], 256).round().astype(np.uint8)[None]
_FULL_LIGHT = 200.0


def backdrop(eye: Eye, table: Picture, table_m: tuple[float, float]) -> Picture:
    """Return the empty table as the camera sees it, (height, width, 3) in blue, green, red.

    ``table`` is what ``table_top`` painted, ``table_m`` its size along the world's x and y.
    """
    rays = _cell_rays(eye)
    directions = np.dstack([rays, np.ones(rays.shape[:2])]) @ eye.rotation
    reach = -eye.place_m[2] / np.minimum(directions[..., 2], -1e-3)
    place = eye.place_m[:2] + directions[..., :2] * reach[..., None]
    half = np.array(table_m) / 2
    light = 1.02 - 0.22 * np.clip(np.linalg.norm(place - (0.15, 0.0), axis=-1), 0.0, 1.0)
    far = np.clip(reach / _FLOOR_FAR_M, 0.0, 1.0)
    fine = _stretched((place + half) * _PX_PER_M - 0.5, eye.size_px)
    top = cv2.remap(table, fine, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    lit = _stretched(light * _FULL_LIGHT, eye.size_px).astype(np.uint8)
    cv2.multiply(top, cv2.merge([lit, lit, lit]), dst=top, scale=1 / _FULL_LIGHT)
    shades = _stretched(far * 255, eye.size_px).astype(np.uint8)
    picture = cv2.LUT(cv2.merge([shades, shades, shades]), _FLOOR)
    low, high = np.float32(-0.5), (np.array(table_m) * _PX_PER_M - 0.5).astype(np.float32)
    on_table = cv2.inRange(fine, (float(low), float(low)), (float(high[0]), float(high[1])))
    cv2.copyTo(top, on_table, picture)
    return np.asarray(picture, dtype=np.uint8)


def table_top(cell: CellSettings, drawn: Layout, axes: Array) -> Picture:
    """Paint the table from above, rows along the world's y, columns along x, one millimetre a pixel."""
    columns, rows = round(cell.table_outer_m[1] * _PX_PER_M), round(cell.table_outer_m[0] * _PX_PER_M)
    random = np.random.default_rng(7)  # the same wood in every cell
    grain = cv2.GaussianBlur(random.standard_normal((rows, columns // 8 + 1), dtype=np.float32), (0, 0), 1.6)
    specks = random.standard_normal((rows // 2 + 1, columns // 2 + 1), dtype=np.float32)
    grey = 9.0 * cv2.resize(grain, (columns, rows)) + 3.0 * cv2.resize(specks, (columns, rows)) + 128.0
    wood = np.clip(grey, 0, 255).astype(np.uint8)
    top = np.asarray(cv2.merge([cv2.add(wood, tone - 128.0) for tone in _WOOD]), dtype=np.uint8)
    corners = [(drawn.pick_x_m[i], drawn.pick_z_m[j]) for i, j in ((0, 0), (1, 0), (1, 1), (0, 1))]
    outline = np.array([(axes.T @ [x, 0.0, z])[:2] for x, z in corners])
    points = np.round(outline * _PX_PER_M + np.array([columns, rows]) / 2).astype(np.int32)
    cv2.polylines(top, [points], True, _TAPE, round(_TAPE_M * _PX_PER_M), cv2.LINE_AA)
    return top


def _cell_rays(eye: Eye) -> Array:
    """Return the rays through the middles of cells of pixels, of shape (rows, columns, 2).

    The grid begins one cell above and left of the picture and ends one below and right of it, so that
    what lies between two middles can be interpolated all over the picture.
    """
    columns, rows = (-(-side // _CELL_PX) + 2 for side in eye.size_px)
    places = [(np.arange(count) - 0.5) * _CELL_PX - 0.5 for count in (columns, rows)]
    return eye.rays(np.stack(np.meshgrid(*places), axis=-1))


def _stretched(coarse: NDArray[np.float64], size_px: tuple[int, int]) -> NDArray[np.float32]:
    """Return the values in an eye's cells at every pixel of its picture."""
    rows, columns = coarse.shape[:2]
    size = (columns * _CELL_PX, rows * _CELL_PX)
    whole = cv2.resize(coarse.astype(np.float32), size, interpolation=cv2.INTER_LINEAR)
    picture = whole[_CELL_PX : _CELL_PX + size_px[1], _CELL_PX : _CELL_PX + size_px[0]]
    return np.asarray(picture, dtype=np.float32)
