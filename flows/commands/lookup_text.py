"""How a person reads a lookup: the pose, how far off it is, whether the arm may be sent there, and why."""

from __future__ import annotations

from collections.abc import Sequence

from rich.table import Table as TextTable

from lib.lookup import OUT_OF_RANGE, FunnelEntry, LookupResult, Request


def answer_text(request: Request, result: LookupResult) -> str:
    """Describe an answer in a few lines; distances in mm, angles in degrees."""
    version = "" if result.table_version is None else f", table version {result.table_version}"
    title = f"{request.mode.upper()} x {request.x_m:+.4f} m, z {request.z_m:+.4f} m{version}"
    if result.joints_deg is None or result.point_m is None:
        return f"{title}\n  {result.method}: {_nothing_found(request, result)}"
    x_m, y_m, z_m = result.point_m
    lines = [
        ("row", f"fk_row_{result.fk_row}  {result.method}"),
        ("pose", " ".join(f"{joint:9.3f}" for joint in result.joints_deg) + "  deg"),
        ("tip", f"x {x_m:+.4f}  y {y_m:+.4f}  z {z_m:+.4f}  m"),
        (
            "off by",
            f"x {_mm(result.x_residual_m)}  z {_mm(result.z_residual_m)}  xz {_mm(result.xz_distance_m)}  mm",
        ),
        ("score", f"{_mm(result.score)}  mm"),
    ]
    if result.max_dj_deg is not None:
        lines.append(("moves", f"at most {result.max_dj_deg:.3f} deg a joint from the reference pose"))
    why_not = result.why_not_sendable
    lines.append(("sendable", "yes" if why_not is None else f"no: {why_not}"))
    return "\n".join([title, *(f"  {name:<9} {text}" for name, text in lines)])


def funnel_table(entries: Sequence[FunnelEntry], rows: int) -> TextTable:
    """Draw the funnel: how many rows each filter left, and the nearest of them."""
    table = TextTable(
        title=f"{rows:,} rows, filter by filter (distances in mm)", title_justify="left", box=None
    )
    table.add_column("filter", no_wrap=True)
    for heading in ("bound", "rows left", "nearest xz", "its z"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("")
    for entry in entries:
        table.add_row(
            entry.filter,
            _bound(entry),
            f"{entry.rows:,}",
            _mm(entry.best_xz_distance_m),
            _mm(entry.best_z_residual_m),
            _remark(entry),
        )
    return table


def _nothing_found(request: Request, result: LookupResult) -> str:
    if result.method == OUT_OF_RANGE and result.beyond_guard is not None:
        fk_row, distance_m = result.beyond_guard
        return (
            f"the selected row, fk_row_{fk_row}, is {_mm(distance_m)} mm away, farther than the guard of "
            f"{_mm(request.bounds.guard_m)} mm"
        )
    return f"{result.why_not_sendable}; --explain shows which filter took the last"


def _bound(entry: FunnelEntry) -> str:
    low, high = entry.bound
    if high is None:
        return f">= {low:g} {entry.unit}"
    if entry.filter == "ref_joints":
        return f"+-{high:g} {entry.unit}"
    return f"[{low:g}, {high:g}] {entry.unit}"


def _remark(entry: FunnelEntry) -> str:
    remarks = ["protects"] if entry.protects else []
    if entry.inside == 0 and entry.rows:
        remarks.append("none inside")
    return ", ".join(remarks)


def _mm(value_m: float | None) -> str:
    return "-" if value_m is None else f"{value_m * 1e3:.1f}"
