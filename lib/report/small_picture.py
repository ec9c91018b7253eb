"""A camera's picture small enough to stand inside a page."""

from __future__ import annotations

import base64
from pathlib import Path

import cv2
import numpy as np

SUFFIXES = (".jpg", ".jpeg", ".png")
WIDTH_PX = 480
_QUALITY = 78
# A page that opens on a telephone has no room for a film.
MOST_A_RUN = 4


def pictures_of(folder: Path) -> list[Path]:
    """Return the pictures kept in a run's folder in the order of their names, the last few of many."""
    if not folder.is_dir():
        return []
    kept = sorted(p for p in folder.iterdir() if p.suffix.lower() in SUFFIXES and p.is_file())
    return kept[-MOST_A_RUN:]


def as_data_address(picture: Path) -> str | None:
    """Return a picture, made small, as a ``data:`` address; None where it cannot be read as one."""
    try:
        content = np.fromfile(picture, np.uint8)
    except OSError:
        return None
    image = cv2.imdecode(content, cv2.IMREAD_COLOR) if content.size else None
    if image is None:
        return None
    scale = min(1.0, WIDTH_PX / image.shape[1])
    if scale < 1:
        image = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    done, encoded = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
    return f"data:image/jpeg;base64,{base64.b64encode(encoded.tobytes()).decode()}" if done else None
