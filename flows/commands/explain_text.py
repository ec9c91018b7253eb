"""How a person reads an explanation: the funnel, what relaxing would give, what stays protected."""

from __future__ import annotations

from collections.abc import Sequence

from rich.table import Table as TextTable

from flows.commands.lookup_text import mm
from flows.terminal import wide_text
from lib.lookup import SCORE_WEIGHTS, Culprit, FunnelEntry, LookupResult

_SHOWN = 8
_PROTECTED_SHOWN = 3


def explanation_text(
    entries: Sequence[FunnelEntry], rows: int, found: Sequence[Culprit], result: LookupResult
) -> str:
    """Describe the funnel of a table of ``rows`` rows, then the culprits."""
    helping = _helping(found, result)
    parts = [wide_text(funnel_table(entries, rows)), ""]
    if helping:
        parts.append(wide_text(_culprit_table(helping[:_SHOWN])))
    return "\n".join([*parts, *_remarks([e.filter for e in entries], found, helping)])


def funnel_table(entries: Sequence[FunnelEntry], rows: int) -> TextTable:
    """Draw the funnel: how many rows each filter left, and the nearest of them."""
    table = _table(f"{rows:,} rows, filter by filter (distances in mm)")
    table.add_column("filter", no_wrap=True)
    for heading in ("bound", "rows left", "nearest xz", "its z"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("")
    for entry in entries:
        table.add_row(
            entry.filter,
            entry.bound_text,
            f"{entry.rows:,}",
            mm(entry.best_xz_distance_m),
            mm(entry.best_z_residual_m),
            _remark(entry),
        )
    return table


def _culprit_table(helping: Sequence[Culprit]) -> TextTable:
    table = _table("relaxing would give (distances in mm)")
    table.add_column("relax", no_wrap=True)
    for heading in ("xz", "z", "row"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("pose, deg", no_wrap=True)
    for culprit in helping:
        result = culprit.result
        table.add_row(
            " + ".join(culprit.relax),
            mm(culprit.xz_distance_m),
            mm(result.z_residual_m),
            f"fk_row_{result.fk_row}",
            " ".join(f"{joint:g}" for joint in result.joints_deg or ()),
        )
    return table


def _helping(found: Sequence[Culprit], result: LookupResult) -> list[Culprit]:
    """Keep what gets nearer than the answer, and pairs only where they beat each of their two alone."""
    now_m = result.xz_distance_m if result.sendable else None
    alone = {c.relax[0]: c.xz_distance_m for c in found if len(c.relax) == 1}

    def better(distance_m: float | None, than_m: float | None) -> bool:
        return distance_m is not None and (than_m is None or distance_m < than_m - 1e-6)

    return [
        c
        for c in found
        if better(c.xz_distance_m, now_m)
        and (len(c.relax) == 1 or all(better(c.xz_distance_m, alone[name]) for name in c.relax))
    ]


def _remarks(filters: Sequence[str], found: Sequence[Culprit], helping: Sequence[Culprit]) -> list[str]:
    lines = []
    if not helping:
        lines.append("relaxing one bound, or two, gives no nearer row")
    if len(helping) > _SHOWN:
        lines.append(f"... and {len(helping) - _SHOWN} more in --json")
    unmoved = {c.relax[0] for c in found if len(c.relax) == 1 and not c.changes_row}
    if unmoved:
        in_order = [name for name in (*filters, SCORE_WEIGHTS) if name in unmoved]
        lines.append(f"alone, these change nothing: {', '.join(in_order)}")
    hidden = _protected(found)
    if hidden:
        lines.append("protected, never relaxed:")
        lines += [f"  {says}" for says in hidden[:_PROTECTED_SHOWN]]
    return lines


def _protected(found: Sequence[Culprit]) -> list[str]:
    """Name each row behind a protecting filter once, nearest first, with the fewest bounds to relax."""
    singles = [c for c in found if len(c.relax) == 1]
    named: dict[tuple[str, tuple[float, ...]], tuple[float, str]] = {}
    for culprit in sorted(found, key=lambda c: len(c.relax)):
        for row in culprit.protected:
            everywhere = all(any(p.joints_deg == row.joints_deg for p in c.protected) for c in singles)
            needs = "" if everywhere else f" (with {' + '.join(culprit.relax)} relaxed)"
            key = (row.filter, row.joints_deg)
            named.setdefault(key, (row.xz_distance_m, f"{row.filter}: {row.says}{needs}"))
    return [says for _, says in sorted(named.values())]


def _table(title: str) -> TextTable:
    return TextTable(title=title, title_justify="left", box=None, pad_edge=False)


def _remark(entry: FunnelEntry) -> str:
    remarks = ["protects"] if entry.protects else []
    if entry.inside == 0 and entry.rows:
        remarks.append("none inside")
    return ", ".join(remarks)
