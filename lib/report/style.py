"""How every figure looks: one palette, thin axes, text that the page's own font draws."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import matplotlib as mpl
from matplotlib.figure import Figure

INK = "#1f2933"
MUTED = "#7b8794"
GRID = "#e4e7eb"
BLUE = "#2f6f9f"
GREEN = "#2e8b57"
AMBER = "#d9822b"
RED = "#c23b3b"
# Of distances, near is pale and far is dark: what is worth a look stands out from the page.
COLOURS = "YlGnBu"
WORST_SHOWN_MM = 30.0

_STYLE: dict[Any, Any] = {
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.size": 9,
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": MUTED,
    "axes.linewidth": 0.6,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 10,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "xtick.color": MUTED,
    "ytick.color": MUTED,
    "xtick.labelsize": 8,
    "ytick.labelsize": 8,
    "svg.hashsalt": "nightpick",
    "text.parse_math": False,  # a file may be called a$b$.csv
}


@contextmanager
def house_figure(width_in: float, height_in: float) -> Iterator[Figure]:
    """Give an empty figure in the product's style, sized in inches."""
    with mpl.rc_context(_STYLE):
        yield Figure(figsize=(width_in, height_in), layout="constrained")


def as_svg(figure: Figure) -> str:
    """Return the figure as an ``<svg>`` element to stand inside a page."""
    text = io.StringIO()
    figure.savefig(text, format="svg", transparent=True, metadata={"Date": None})
    svg = text.getvalue()
    return svg[svg.index("<svg") :]
