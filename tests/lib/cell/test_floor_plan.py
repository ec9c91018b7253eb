"""The cell's layout admits the published poses and covers what stands in it."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from lib.cell import Box, layout
from lib.robot import Robot, link_capsules, load_robot, shape_of
from lib.settings_cell import Cell

PUBLISHED = {
    "place": (36.215, 57, 20, -12, -86, -30),
    "pick": (-35, 70, 25, 0, -85, -30),
    "cup": (40, 82, -36, 0, -50, 0),
    "lift": (40, 50, -20, 0, -42, 0),
    "above": (-55, 50, -25, 0, -38, 0),
    "lowered": (-44, 75, -20, 0, -55, 0),
    "home": (0, 0, 0, 0, 0, 0),
}


def mecharm270() -> Robot:
    robot = load_robot("mecharm270")
    assert robot is not None
    return robot


def clearance_m(ends_m: np.ndarray, radius_m: float, box: Box) -> float:
    """Distance between a capsule and a box, by points every half millimetre along the axis."""
    steps = max(2, int(np.linalg.norm(ends_m[1] - ends_m[0]) / 0.0005))
    points = ends_m[0] + np.linspace(0, 1, steps)[:, None] * (ends_m[1] - ends_m[0])
    outside = np.maximum(np.maximum(np.array(box.low_m) - points, points - np.array(box.high_m)), 0.0)
    return float(np.linalg.norm(outside, axis=1).min() - radius_m)


@pytest.mark.parametrize("name", PUBLISHED)
def test_every_published_pose_is_free_of_the_table_and_of_every_keep_out_box(name: str) -> None:
    cell = layout(Cell())
    body = link_capsules(mecharm270(), [PUBLISHED[name]])
    assert (body.ends_m[0, :, :, 1] - body.radii_m[:, None]).min() > cell.table_margin_m
    for ends_m, radius_m, link in zip(body.ends_m[0], body.radii_m, body.links, strict=True):
        for box in cell.keep_out:
            if link not in box.spares:
                assert clearance_m(ends_m, radius_m, box) > 0.002, (link, box.name)


def test_the_box_is_a_tray_of_four_walls_around_a_padded_floor() -> None:
    cell = layout(Cell())
    lows, highs = (np.array([getattr(wall, side) for wall in cell.walls]) for side in ("low_m", "high_m"))
    assert lows.min(axis=0) == pytest.approx([-0.240, 0.0, 0.120])
    assert highs.max(axis=0) == pytest.approx([-0.100, 0.055, 0.260])
    assert cell.floor.high_m == pytest.approx((-0.104, 0.040, 0.256))
    assert (*cell.place_x_m, *cell.place_z_m) == pytest.approx((-0.236, -0.104, 0.124, 0.256))
    # Walls and floor fill the outline once: no gap, nothing twice.
    areas = [
        (box.high_m[0] - box.low_m[0]) * (box.high_m[2] - box.low_m[2]) for box in (*cell.walls, cell.floor)
    ]
    assert sum(areas) == pytest.approx(0.140**2)


def test_the_column_covers_the_robots_base_and_little_more() -> None:
    column, shape = layout(Cell()).column, shape_of(mecharm270())
    assert shape.base.radii_m.max() <= Cell().column_radius_m
    shoulder = link_capsules(mecharm270(), np.zeros((1, 6)))
    tops = [
        end_m[:, 1].max() + radius_m
        for end_m, radius_m, link in zip(shoulder.ends_m[0], shoulder.radii_m, shoulder.links, strict=True)
        if link == "link1"
    ]
    assert max(tops) <= column[0].high_m[1]
    for angle in np.linspace(0, 2 * np.pi, 721):
        reach = [
            min(
                box.high_m[axis] / abs(direction) if direction else np.inf
                for axis, direction in ((0, np.cos(angle)), (2, np.sin(angle)))
            )
            for box in column
        ]
        assert 1.0 - 1e-12 < max(reach) / Cell().column_radius_m < 1.23


def test_the_posts_are_out_of_the_arms_reach() -> None:
    # Shoulder to tip: 100 + 108 + 60 + 99 mm and the small offsets.
    for post, corner in product(layout(Cell()).posts, range(4)):
        x = (post.low_m, post.high_m)[corner % 2][0]
        z = (post.low_m, post.high_m)[corner // 2][2]
        assert np.hypot(x, z) > 0.40
        assert post.high_m[1] >= 0.45


def test_the_layout_follows_the_settings() -> None:
    moved = layout(replace(Cell(), stand_centre_m=(0.2, 0.1), stand_height_m=0.05, table_margin_m=0.01))
    assert moved.stand.low_m == pytest.approx((0.17, 0.0, 0.07))
    assert moved.stand.high_m == pytest.approx((0.23, 0.05, 0.13))
    assert moved.table_margin_m == 0.01
