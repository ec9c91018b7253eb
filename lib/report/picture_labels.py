"""Labels on a photo: small signs beside what they name, none over another, none outside the picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Colour = tuple[int, int, int]
Array = NDArray[np.float64]

PAPER: Colour = (255, 255, 255)
_SIGN: Colour = (41, 31, 24)
_PAD_PX = 4
_AROUND = 16
_RINGS = 5


@dataclass(frozen=True)
class Label:
    """What is to be said of a place."""

    text: str
    corners_px: Array
    """What it names, of shape (n, 2); kept free as far as there is room."""
    colour: Colour
    """Of its edge and of the line to what it names."""


def text_size(text: str, size: int, weight: int = 500) -> tuple[int, int]:
    """Return width and height of a text [px]."""
    _, _, width, height = cv2.getTextSize((4000, 4000), text, (0, 0), _font(), size, weight)
    return int(width), int(height)


def put_text(
    picture: Any, text: str, left: int, bottom: int, size: int, colour: Colour, weight: int = 500
) -> None:
    """Write a text on a picture, its base line at ``bottom``."""
    cv2.putText(picture, text, (left, bottom), colour, _font(), size, weight)


def put_labels(picture: Any, labels: Sequence[Label], size: int) -> None:
    """Write labels on a picture, each as near to what it names as the others leave room for."""
    height, width = picture.shape[:2]
    named = [_box(label.corners_px) for label in labels]
    taken: list[Array] = []
    for own, label in enumerate(labels):
        sign = np.array(text_size(label.text, size), dtype=np.float64) + 2 * _PAD_PX
        middle = (named[own][:2] + named[own][2:]) / 2
        places = _places(named[own], sign, (width, height))
        others = [box for k, box in enumerate(named) if k != own]
        costs = [10 * _overlap(box, taken) + _overlap(box, others) + 5 * _overlap(box, [named[own]])
                 + 0.5 * sign.prod() * ring for box, ring in places]  # fmt: skip
        box = places[int(np.argmin(costs))][0]
        taken.append(box)
        _put(picture, label, box, middle, size)


def _put(picture: Any, label: Label, box: Array, middle: Array, size: int) -> None:
    left, top, right, bottom = box.round().astype(int).tolist()
    near = np.clip(middle, box[:2], box[2:]).round().astype(int)
    edge = label.corners_px[np.argmin(np.linalg.norm(label.corners_px - near, axis=1))].round().astype(int)
    cv2.line(picture, near.tolist(), edge.tolist(), label.colour, 1, cv2.LINE_AA)
    cv2.rectangle(picture, (left, top), (right, bottom), _SIGN, -1)
    cv2.rectangle(picture, (left, top), (right, bottom), label.colour, 1)
    put_text(picture, label.text, left + _PAD_PX, bottom - _PAD_PX, size, PAPER)


def _places(box: Array, sign: Array, room: tuple[int, int]) -> list[tuple[Array, int]]:
    """Return places for a sign around a box, the nearer first, each with the number of its ring."""
    middle, half = (box[:2] + box[2:]) / 2, (box[2:] - box[:2]) / 2
    places = []
    for ring in range(_RINGS):
        for k in range(_AROUND):
            turn = 2 * np.pi * k / _AROUND
            way = np.array([np.cos(turn), np.sin(turn)])
            reach = half + sign / 2 + 3 + 0.9 * ring * sign[1]
            # To the rim of the box that the sign's middle may not enter.
            at = middle + way * np.min(reach / np.maximum(np.abs(way), 1e-9))
            at = np.clip(at, sign / 2 + 1, np.array(room) - sign / 2 - 1)
            places.append((np.concatenate([at - sign / 2, at + sign / 2]), ring))
    return places


def _overlap(box: Array, others: Sequence[Array]) -> float:
    """Return the area [px^2] a box shares with others."""
    if not others:
        return 0.0
    o = np.array(others)
    wide = np.minimum(box[2], o[:, 2]) - np.maximum(box[0], o[:, 0])
    high = np.minimum(box[3], o[:, 3]) - np.maximum(box[1], o[:, 1])
    return float((np.maximum(wide, 0) * np.maximum(high, 0)).sum())


def _box(corners_px: Array) -> Array:
    return np.concatenate([corners_px.min(axis=0), corners_px.max(axis=0)])


_FONT: list[Any] = []


def _font() -> Any:
    if not _FONT:
        _FONT.append(cv2.FontFace("sans"))
    return _FONT[0]
