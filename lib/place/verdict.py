r"""Whether the block lies in the box: yes, no or unknown, with the confidence.

The camera gives a position with a deviation, so the answer is a probability: the share of a normal
distribution that lies inside the box's inner rectangle, one factor an axis,

    P = prod_i [ Phi((h_i - m_i) / s_i) - Phi((-h_i - m_i) / s_i) ].
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

Answer = Literal["yes", "no", "unknown"]

# Below this neither answer is given: a coin nearly upright is not a measurement.
LEAST_CONFIDENCE = 0.9


@dataclass(frozen=True)
class Verdict:
    """What the camera says of a placement."""

    place: Answer
    confidence: float | None
    """Probability of the answer, 0.5 to 1; None where nothing was seen."""
    in_box_dist_mm: float | None
    """How far the block lies from the box's centre [mm]; None where one of them was not seen."""
    reason: str


def verdict(
    offset_m: tuple[float, float] | None, sigma_m: float, inner_half_m: tuple[float, float]
) -> Verdict:
    """Judge a placement by where the block lies in the box's own axes.

    ``offset_m``: block minus box centre along the box's two sides [m]; None where block or box was not
    seen. ``sigma_m``: deviation of each [m]. ``inner_half_m``: half of the inner size [m].
    Raises ValueError for a deviation that is not positive.
    """
    if offset_m is None:
        return Verdict("unknown", None, None, "block or box was not seen")
    if not sigma_m > 0:
        raise ValueError(f"the deviation of a measurement is positive, found {sigma_m}")
    inside = math.prod(
        _phi((half - at) / sigma_m) - _phi((-half - at) / sigma_m)
        for at, half in zip(offset_m, inner_half_m, strict=True)
    )
    distance_mm = math.hypot(*offset_m) * 1e3
    seen = f"{distance_mm:.1f} mm from the box's centre"
    if inside >= LEAST_CONFIDENCE:
        return Verdict("yes", inside, distance_mm, f"in the box, {seen}")
    if inside <= 1 - LEAST_CONFIDENCE:
        return Verdict("no", 1 - inside, distance_mm, f"beside the box, {seen}")
    return Verdict("unknown", max(inside, 1 - inside), distance_mm, f"on the edge of the box, {seen}")


def _phi(x: float) -> float:
    return 0.5 * math.erfc(-x / math.sqrt(2))
