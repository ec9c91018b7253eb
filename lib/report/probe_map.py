"""Where the table reaches: one square a probe over x and z, its colour the distance of the selected row.

Drawn as SVG by hand: it scales to a telephone, prints, and tells a probe's figures where the mouse is.
The colours are bands that mean the same on every map, and fine enough where rows are near: a linear
scale up to the guard of 30 mm showed a PICK area, mostly within 0.3 mm, as one pale square.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from statistics import median

from lib.visible import visible

# Upper end of each band [mm] and its colour; near is pale, far is dark: what is worth a look stands out.
BANDS = (
    (0.1, "#fcfdd3"),
    (0.3, "#ecf7b1"),
    (1.0, "#c7e9b4"),
    (3.0, "#7fcdbb"),
    (10.0, "#41b6c4"),
    (20.0, "#2480bd"),
    (30.0, "#253c94"),
    (float("inf"), "#081d58"),
)
_WIDTH, _LEFT, _RIGHT, _TOP, _BELOW = 380, 46, 10, 6, 36
_TICK_MM = 20


@dataclass(frozen=True)
class ProbeCell:
    """One probe as the map draws it."""

    x_m: float
    z_m: float
    before_mm: float | None
    """Residual before [mm]; None where nothing was in reach."""
    after_mm: float | None
    verdict: str
    bound_by: str | None = None
    """What keeps a probe that did not improve from a nearer row."""


def probe_map(name: str, cells: Sequence[ProbeCell], *, before: bool, framed: bool) -> str:
    """Draw probes, which lie on a grid, as they are after a merge, or as they were before, as an SVG element.

    ``framed``: a probe that improved has a green frame, one that got worse a red one, dashed.
    """
    xs = sorted({round(1e3 * cell.x_m, 3) for cell in cells})
    zs = sorted({round(1e3 * cell.z_m, 3) for cell in cells}, reverse=True)
    side = (_WIDTH - _LEFT - _RIGHT) / len(xs)
    height = _TOP + side * len(zs) + _BELOW
    parts = [
        f'<svg viewBox="0 0 {_WIDTH} {height:.0f}" role="img" aria-label="{escape(name)}" '
        'font-size="12" fill="currentColor">'
    ]
    for cell in cells:
        x = _LEFT + side * xs.index(round(1e3 * cell.x_m, 3))
        y = _TOP + side * zs.index(round(1e3 * cell.z_m, 3))
        frame = _frame(cell, x, y, side) if framed else ""
        parts.append(_square(cell, x, y, side, _distance_mm(cell, before), frame))
    parts += _axes(xs, zs, side, height)
    return "".join([*parts, "</svg>"])


def reach_sentence(cells: Sequence[ProbeCell], *, before: bool) -> str:
    """Say in a line what a map shows: how many are in reach, how near the middle and the farthest are."""
    found = sorted(mm for cell in cells if (mm := _distance_mm(cell, before)) is not None)
    if not found:
        return f"None of {len(cells)} probes in reach"
    reach = f"{len(found)} of {len(cells)}" if len(found) < len(cells) else f"All {len(cells)}"
    return f"{reach} probes in reach, half within {_mm(median(found))}, the farthest {_mm(found[-1])}"


def is_worth_a_map(cells: Sequence[ProbeCell]) -> bool:
    """Tell whether a map would show more than one colour."""
    return len({_band(_distance_mm(cell, False)) for cell in cells}) > 1


def legend() -> list[tuple[str, str]]:
    """Return (colour, meaning) of every band."""
    names = [f"to {upper:g} mm" for upper, _ in BANDS[:-1]]
    return list(zip([colour for _, colour in BANDS], [*names, "farther"], strict=True))


def _square(cell: ProbeCell, x: float, y: float, side: float, distance_mm: float | None, frame: str) -> str:
    inner = f'x="{x + 0.5:.1f}" y="{y + 0.5:.1f}" width="{side - 1:.1f}" height="{side - 1:.1f}" rx="2"'
    tip = f"<title>{escape(visible(_told(cell)))}</title>"
    if distance_mm is None:
        arm = 0.2 * side
        cross = f"M{x + 2 * arm:.1f} {y + 2 * arm:.1f}l{arm:.1f} {arm:.1f}m0 {-arm:.1f}l{-arm:.1f} {arm:.1f}"
        return f'<g>{tip}<rect {inner} fill="#f1f3f5"/><path d="{cross}" stroke="#8a97a3"/>{frame}</g>'
    return f'<g>{tip}<rect {inner} fill="{_colour(distance_mm)}"/>{frame}</g>'


def _frame(cell: ProbeCell, x: float, y: float, side: float) -> str:
    line = {
        "improved": 'stroke="#1b7f3b"',
        "worse": 'stroke="#c23b3b" stroke-dasharray="4 2"',
    }.get(cell.verdict)
    if line is None:
        return ""
    size = f'width="{side - 4:.1f}" height="{side - 4:.1f}" rx="1" fill="none"'
    place = f'x="{x + 2:.1f}" y="{y + 2:.1f}" {size}'
    return f'<rect {place} stroke="#fff" stroke-width="4"/><rect {place} {line} stroke-width="2.5"/>'


def _axes(xs: Sequence[float], zs: Sequence[float], side: float, height: float) -> list[str]:
    bottom = _TOP + side * len(zs)
    parts = []
    for k, value in enumerate(xs):
        if round(value) % _TICK_MM == 0:
            at = _LEFT + side * (k + 0.5)
            parts.append(f'<text x="{at:.1f}" y="{bottom + 15:.1f}" text-anchor="middle">{value:g}</text>')
    for k, value in enumerate(zs):
        if round(value) % _TICK_MM == 0:
            at = _TOP + side * (k + 0.5)
            parts.append(f'<text x="{_LEFT - 5}" y="{at + 4:.1f}" text-anchor="end">{value:g}</text>')
    middle_x, middle_z = _LEFT + side * len(xs) / 2, (_TOP + bottom) / 2
    return [
        *parts,
        f'<text x="{middle_x:.1f}" y="{height - 4:.0f}" text-anchor="middle">x [mm]</text>',
        f'<text transform="translate(11 {middle_z:.1f}) rotate(-90)" text-anchor="middle">z [mm]</text>',
    ]


def _told(cell: ProbeCell) -> str:
    told = f"x {1e3 * cell.x_m:g}, z {1e3 * cell.z_m:g} mm: {_mm(cell.after_mm)}"
    if cell.before_mm != cell.after_mm:
        told += f", before {_mm(cell.before_mm)}"
    return f"{told}; bound by {cell.bound_by}" if cell.bound_by else told


def _distance_mm(cell: ProbeCell, before: bool) -> float | None:
    return cell.before_mm if before else cell.after_mm


def _band(distance_mm: float | None) -> int:
    if distance_mm is None:
        return -1
    return next(k for k, (upper, _) in enumerate(BANDS) if distance_mm <= upper)


def _colour(distance_mm: float) -> str:
    return BANDS[_band(distance_mm)][1]


def _mm(distance_mm: float | None) -> str:
    if distance_mm is None:
        return "out of reach"
    return f"{distance_mm:.2f} mm" if distance_mm < 1 else f"{distance_mm:.1f} mm"
