"""Motion variants as tables: a study's ranking, and what is known of each variant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.table import Table

from lib.motion import LastRank, PlannedVariant, Ranked, Variant


def ranking_table(ranked: Sequence[Ranked]) -> Table:
    """Return a study's places with the scores they come from."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("place")
    table.add_column("variant")
    for name in (
        "median rank",
        "95 %",
        "passed",
        "cycle s",
        "arc length",
        "peak jerk",
        "tracking mm",
        "slip mm",
    ):
        table.add_column(name, justify="right")
    table.add_column("front")
    for row in ranked:
        medians = row.medians
        scores = (
            [
                f"{medians['cycle_s']:.1f}",
                f"{medians['spectral_arc_length']:.3f}",
                f"{medians['peak_jerk_deg_s3']:,.0f}",
                f"{1e3 * medians['tracking_rms_m']:.2f}",
                f"{1e3 * medians['slip_m']:.1f}",
            ]
            if medians
            else ["-"] * 5
        )
        table.add_row(
            f"{row.place}{'=' if row.tied_with else ''}" if row.passed else "-",
            row.name,
            f"{row.median_rank:g}",
            f"{row.low_rank:g} to {row.high_rank:g}",
            f"{row.passed}/{row.repeats}",
            *scores,
            "yes" if row.on_front else "",
            style=None if row.passed == row.repeats else "red",
        )
    return table


def infeasible_text(planned: PlannedVariant) -> str:
    """Return why a variant was not played."""
    return f"infeasible: {planned.variant.name} ({planned.feasibility.rule}): {planned.feasibility.says}"


def list_table(known: Sequence[Variant], ranks: Mapping[str, LastRank], chosen: Variant | None) -> Table:
    """Return the variants of the settings, how each came out last, and which one the batch moves by."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("variant")
    for name in ("s a move", "place", "passed", "cycle s", "arc length"):
        table.add_column(name, justify="right")
    table.add_column("")
    for variant in known:
        rank = ranks.get(variant.name)
        batch = "the batch's" if chosen is not None and chosen.name == variant.name else ""
        if rank is None:
            row = ["not played", "", "", ""]
        elif rank.place is None:
            row, batch = ["infeasible", "", "", ""], rank.infeasible_because or ""
        else:
            cycle = "-" if rank.cycle_s is None else f"{rank.cycle_s:.1f}"
            arc = "-" if rank.spectral_arc_length is None else f"{rank.spectral_arc_length:.3f}"
            row = [str(rank.place) if rank.passed else "-", f"{rank.passed}/{rank.repeats}", cycle, arc]
        table.add_row(variant.name, f"{variant.move_s:g}", *row, batch)
    return table
