"""How bright a surface is: daylight from above and a lamp at the front left."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

TO_LAMP = np.array([0.30, 0.42, 0.857])
"""Unit vector towards the lamp, in the world's axes."""
_SKY, _LAMP, _AMBIENT = 0.26, 0.44, 0.34


def lambert(normals: Array) -> Array:
    """Return brightness (...,) of matt surfaces with unit normals (..., 3): Lambert's law, lamp and sky."""
    lamp = np.maximum(normals @ TO_LAMP, 0.0)
    sky = 0.5 + 0.5 * normals[..., 2]
    return np.asarray(_AMBIENT + _LAMP * lamp + _SKY * sky)


def shine(normals: Array, directions: Array) -> Array:
    """Return the lamp's gloss (n,), seen along unit directions (n, 3) (Blinn 1977)."""
    half = TO_LAMP - directions
    half /= np.linalg.norm(half, axis=1, keepdims=True)
    return np.maximum(np.einsum("ij,ij->i", normals, half), 0.0) ** 24
