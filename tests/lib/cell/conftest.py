"""What the tests of the cell share: the robot, the published poses, a way to move."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from lib.cell import Body
from lib.robot import Robot, load_robot

CUP = (40.0, 82, -36, 0, -50, 0)
LIFT = (40.0, 50, -20, 0, -42, 0)
ABOVE = (-55.0, 50, -25, 0, -38, 0)
LOWERED = (-44.0, 75, -20, 0, -55, 0)

Move = Callable[..., None]


@pytest.fixture(scope="session")
def robot() -> Robot:
    robot = load_robot("mecharm270")
    assert robot is not None
    return robot


def move(
    body: Body, start: tuple[float, ...], end: tuple[float, ...], duration_s: float, grip: float
) -> None:
    """Drive along the quintic minimum-jerk profile, fifty set points a second."""
    count = round(duration_s * 50)
    for t in np.linspace(0.0, 1.0, count):
        share = 10 * t**3 - 15 * t**4 + 6 * t**5
        body.drive(np.array(start) + share * (np.array(end) - np.array(start)), grip, 0.02)
