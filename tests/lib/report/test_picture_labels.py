"""Labels stand beside what they name, none over another and none outside the picture."""

from __future__ import annotations

import numpy as np

from lib.report.picture_labels import Label, put_labels, text_size

RED = (0, 0, 255)


def square(x: float, y: float, side: float = 20.0) -> np.ndarray:
    return np.array([[x, y], [x + side, y], [x + side, y + side], [x, y + side]])


def red_edges(picture: np.ndarray) -> int:
    return int((picture == RED).all(axis=2).sum())


def alone(label: Label) -> int:
    picture = np.zeros((300, 400, 3), dtype=np.uint8)
    put_labels(picture, [label], 15)
    return red_edges(picture)


def test_a_label_at_the_rim_is_whole() -> None:
    inside, rim = (
        alone(Label("46  5.14", square(180, 140), RED)),
        alone(Label("46  5.14", square(378, 2), RED)),
    )
    width, height = text_size("46  5.14", 15)
    edge_px = 2 * (width + height)
    assert rim >= edge_px
    assert abs(inside - rim) < 40  # all but the lines to what they name


def test_labels_of_a_crowd_do_not_lie_over_each_other() -> None:
    crowd = [Label("55  0.31", square(180 + 6 * k, 140 + 4 * k, 15), RED) for k in range(5)]
    picture = np.zeros((300, 400, 3), dtype=np.uint8)
    put_labels(picture, crowd, 15)
    white = (picture.min(axis=2) > 200).sum()
    single = np.zeros((300, 400, 3), dtype=np.uint8)
    put_labels(single, crowd[:1], 15)
    assert white > 4.8 * (single.min(axis=2) > 200).sum()  # no letter is hidden
