"""How a person reads a sweep: one line a node, what varied on the left, the answer on the right."""

from __future__ import annotations

from collections.abc import Sequence

from rich.table import Table as TextTable

from flows.commands.lookup_text import mm
from flows.terminal import wide_text
from lib.lookup import SweepPoint


def print_sweep(points: Sequence[SweepPoint]) -> None:
    """Print the nodes as a table, distances in mm, the nearest marked."""
    table = TextTable(box=None, pad_edge=False, header_style="bold")
    for name, _ in points[0].varied:
        table.add_column(name, justify="right", no_wrap=True)
    for heading in ("x mm", "z mm", "xz mm", "row"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("pose, deg")
    table.add_column("method")
    best = _nearest(points)
    for point in points:
        result = point.result
        table.add_row(
            *(f"{value:g}" for _, value in point.varied),
            mm(result.x_residual_m),
            mm(result.z_residual_m),
            mm(result.xz_distance_m),
            "-" if result.fk_row is None else str(result.fk_row),
            " ".join(f"{joint:g}" for joint in result.joints_deg or ()),
            result.method if result.sendable or not result.found else f"{result.method}, not sendable",
            style="green" if result.xz_distance_m is not None and result.xz_distance_m == best else None,
        )
    print(wide_text(table))


def _nearest(points: Sequence[SweepPoint]) -> float | None:
    reached = [p.result.xz_distance_m for p in points if p.result.sendable]
    return min((d for d in reached if d is not None), default=None)
