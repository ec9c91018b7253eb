"""A run's pictures: what the cameras saw, small, with crosses where things were found."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import cv2
import numpy as np

from lib.place.sight import Picture

FOLDER = "images"
_WIDTH_PX = 800
_QUALITY = 80
_CROSS_PX = 12
# Preferred from the left: the camera that looks down shows block and box at once.
_BEST = ("above", "left", "right")


class Album:
    """The pictures of one run."""

    def __init__(self, data_dir: Path, run_stem: str) -> None:
        self.folder = data_dir / FOLDER / run_stem
        self.files: list[Path] = []

    def keep(
        self, name: str, pictures: Mapping[str, Picture], marks_px: Mapping[str, list[tuple[float, float]]]
    ) -> None:
        """Keep one picture of a look, with crosses at pixels (x, y) of each camera's picture."""
        camera = next((c for c in (*_BEST, *pictures) if c in pictures), None)
        if camera is None:
            return
        picture = pictures[camera]
        scale = _WIDTH_PX / picture.shape[1]
        size = (_WIDTH_PX, round(picture.shape[0] * scale))
        small = cv2.cvtColor(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), cv2.COLOR_GRAY2BGR)
        for x, y in marks_px.get(camera, []):
            if np.isfinite([x, y]).all():
                at = (round(x * scale), round(y * scale))
                cv2.drawMarker(small, at, (0, 0, 255), cv2.MARKER_CROSS, _CROSS_PX, 1, cv2.LINE_AA)
        self.folder.mkdir(parents=True, exist_ok=True)
        file = self.folder / f"{len(self.files) + 1}_{name}_{camera}.jpg"
        if cv2.imwrite(str(file), small, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY]):
            self.files.append(file)
