"""How sure each joint of a homing is: its deviation on the scale of the classes of confidence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from lib.homing import Movement, largest_std
from lib.report.style import AMBER, GREEN, INK, MUTED, RED

COLOURS = {"high": GREEN, "medium": AMBER, "low": RED, "none": MUTED}
_FROM, _TO = 0.004, 11.0
"""Ends of the scale [deg, or mm]."""


def draw_sureness(axis: Any, movements: Sequence[Movement]) -> None:
    """Draw a row a joint: the classes as strips, the deviation as a dot, the value in words."""
    for row, m in enumerate(movements):
        left = _FROM
        for name, largest in largest_std(m.unit).items():
            right = min(largest, _TO)
            axis.barh(row, right - left, left=left, height=0.62, color=COLOURS[name], alpha=0.16, linewidth=0)
            left = right
        if m.value is None or m.std is None:
            axis.text(_FROM * 1.2, row, "not seen", va="center", fontsize=8, color=MUTED, style="italic")
            continue
        at = float(np.clip(m.std, _FROM * 1.1, _TO))
        axis.plot(at, row, "o", color=COLOURS[m.confidence], markeredgecolor="white", markersize=8, zorder=3)
        unit = "°" if m.unit == "deg" else " mm"
        axis.annotate(
            f"{m.value:.2f}{unit} ± {m.std:.2g}", (1.0, row), xycoords=("axes fraction", "data"),
            xytext=(6, 0), textcoords="offset points", va="center", fontsize=8, color=INK,
        )  # fmt: skip
    axis.set_xscale("log")
    axis.set_xlim(_FROM, _TO)
    axis.set_xticks([0.01, 0.1, 1, 10], ["0.01", "0.1", "1", "10"])
    axis.set_yticks(range(len(movements)), [m.name for m in movements], fontweight="bold", color=INK)
    axis.set_ylim(len(movements) - 0.4, -0.6)
    axis.tick_params(axis="y", length=0)
    axis.spines["left"].set_visible(False)
    units = " or ".join(dict.fromkeys(m.unit for m in movements))
    axis.set(title="how sure: high, medium, low", xlabel=f"deviation [{units}]")
