"""How every figure looks: one palette, thin axes, text that the page's own font draws."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Literal

import matplotlib as mpl
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

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
# A panel of a page: as wide as a telephone, where its text is then as large as it is here.
PANEL_WIDTH_IN = 4.3

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


def key(
    colour: str, label: str, shape: str = "o", *, line: Literal["-", ""] = "-", alpha: float = 1.0
) -> Line2D:
    """Return an entry of a legend: a mark on a line; ``line`` may be "" for a mark alone."""
    return Line2D(
        [], [], color=colour, label=label, marker=shape, markersize=4.5, linestyle=line, alpha=alpha
    )


def legend_below(figure: Figure, keys: Sequence[Line2D]) -> None:
    """Put a legend below a panel of a page."""
    figure.legend(
        handles=list(keys), loc="outside lower left", ncols=3, frameon=False, fontsize=8, handlelength=1.4,
        columnspacing=1.3, handletextpad=0.5, borderaxespad=0.1,
    )  # fmt: skip


def as_svg(figure: Figure) -> str:
    """Return the figure as an ``<svg>`` element to stand inside a page."""
    text = io.StringIO()
    figure.savefig(text, format="svg", transparent=True, metadata={"Date": None})
    svg = text.getvalue()
    return svg[svg.index("<svg") :]
