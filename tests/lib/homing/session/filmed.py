"""Pictures of the simulated cell, taken once for all tests that look at them."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np

from lib.cell import Cell, no_errors
from lib.robot import load_robot
from lib.settings import Settings

JOINTS_DEG = (25.0, 30.0, -15.0, 20.0, -45.0, 40.0)


@cache
def filmed(
    pixel_noise_px: float = 0.0, joints_deg: tuple[float, ...] = JOINTS_DEG
) -> tuple[dict, np.ndarray]:
    """Return camera to picture, and the true joint angles [deg]."""
    robot = load_robot("mecharm270")
    assert robot is not None
    errors = replace(
        no_errors(), pixel_noise_px=pixel_noise_px, camera_place_m=0.001, camera_turn_deg=0.1,
        twin_shift_m=(0.003, 0.005),
    )  # fmt: skip
    cell = Cell(robot, replace(Settings().cell, scene="empty"), seed=3, errors=errors, joints_deg=joints_deg)
    return {name: cell.frame(name) for name in cell.film.eyes}, cell.joints_deg()


def photos(folder: Path, **kwargs: object) -> np.ndarray:
    """Write the pictures as photos and return the true joint angles [deg]."""
    pictures, joints_deg = filmed(**kwargs)
    folder.mkdir(parents=True, exist_ok=True)
    for name, picture in pictures.items():
        cv2.imwrite(str(folder / f"{name}.png"), picture)
    return joints_deg
