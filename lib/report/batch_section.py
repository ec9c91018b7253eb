"""What the page says of the batch: its headline, tiles, figures, yesterday beside today, what was refused."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from markupsafe import Markup

from lib.report.batch_facts import BatchFacts, Row, wilson
from lib.report.batch_runs_figure import runs_figure
from lib.report.batch_words import NOT_SEEN, UNKNOWN, count, mm, percent, seconds, signed
from lib.report.corrections_figure import corrections_figure
from lib.report.error_figure import PARTS, error_figure
from lib.report.local_time import clock
from lib.report.nights_figure import night_names, nights_figure
from lib.report.placement_map import placement_map
from lib.report.success_figure import success_figure
from lib.settings import Settings


def batch_headline(facts: BatchFacts) -> str | None:
    """Return the batch in one sentence; None where nothing ran."""
    night = facts.tonight
    if night is None:
        return None
    said = f"{night['placed']} of {count(night['runs'], 'run')} placed"
    if night["median_mm"] is not None:
        said += f", half of them within {mm(night['median_mm'])} of the box's centre"
    trouble = [
        f"{night[name]} {words}"
        for name, words in (
            ("missed", "beside the box"),
            ("refused", "refused"),
            ("aborted", "aborted"),
            ("not_known", "not known"),
        )
        if night[name]
    ]
    return f"{said}, {', '.join(trouble)}" if trouble else said


def batch_tiles(facts: BatchFacts) -> list[dict[str, str]]:
    """Return the batch's figures for the top of the page."""
    night = facts.tonight
    if night is None:
        return []
    low, high = wilson(night["placed"], night["runs"])
    share = night["placed"] / night["runs"]
    tone = "good" if share >= 0.95 else "bad" if share < 0.8 else ""
    return [
        {
            "value": percent(share),
            "label": f"of {count(night['runs'], 'run')} placed, likely {percent(low)} to {percent(high)}",
            "tone": tone,
        },
        {
            "value": mm(night["median_mm"], "-"),
            "label": f"from the centre, median{_change(facts)}",
            "tone": "",
        },
        {"value": mm(night["p95_mm"], "-"), "label": "95 of 100 placed are nearer", "tone": ""},
    ]


def batch_section(facts: BatchFacts, settings: Settings) -> dict[str, Any]:
    """Return what the template shows of the batch."""
    return {
        "runs": len(facts.runs),
        "going_on": len(facts.runs) - len(facts.ended),
        "figures": _figures(facts, settings),
        "comparison": comparison(facts),
        "today": "tonight",
        "before": night_names([facts.yesterday])[0] if facts.yesterday else None,
        "corrections": _corrections(facts.memory),
        "refusals": [_refusal(row) for row in facts.refusals],
    }


def _change(facts: BatchFacts) -> str:
    before, now = facts.yesterday, facts.tonight
    if not before or not now or before["median_mm"] is None or now["median_mm"] is None:
        return ""
    return f", {mm(before['median_mm'])} the night before"


def _figures(facts: BatchFacts, settings: Settings) -> list[dict[str, Any]]:
    ended = facts.ended
    cell = settings.cell
    inner_mm = (
        1e3 * (cell.box_outer_m[0] - 2 * cell.box_wall_m),
        1e3 * (cell.box_outer_m[1] - 2 * cell.box_wall_m),
    )
    drawn: list[tuple[str, str | None, str]] = []
    if ended:
        not_seen = sum(run["in_box_dist_mm"] is None for run in ended)
        drawn = [
            (
                "Run by run",
                runs_figure(ended, 1e3 * settings.place.servo.tolerance_m),
                f"Each block's distance from the box's centre. {count(not_seen, 'run')} without one."
                if not_seen
                else "Each block's distance from the box's centre.",
            ),
            (
                "Cell by cell",
                success_figure(facts.cells, facts.cells_before),
                "Refused, aborted and unknown runs count as no success.",
            ),
            (
                "Where the blocks came to lie",
                placement_map(ended, inner_mm, 1e3 * cell.block_size_m),
                "Block less box centre. The cross: the middle of those in the box; dashed square: a block.",
            ),
        ]
    if len(facts.nights) > 1:
        drawn += [
            ("Night after night", nights_figure(facts.nights), _nights_caption(facts)),
            ("Where the error comes from", error_figure(facts.nights), _error_caption(facts)),
        ]
    if facts.memory:
        drawn.append(
            (
                "What the cells learned",
                corrections_figure(facts.memory),
                "Where blocks come to lie less the tip of the pose used.",
            )
        )
    return [
        {"title": title, "svg": Markup(svg), "caption": caption}
        for title, svg, caption in drawn
        if svg is not None
    ]


def _nights_caption(facts: BatchFacts) -> str:
    imported = any(night["arm"] == "imported" for night in facts.nights)
    return f"The last {len(facts.nights)} nights with runs{', imported ones too' if imported else ''}."


def _error_caption(facts: BatchFacts) -> str:
    night = facts.tonight
    known = [f"{words} {mm(night[part])}" for part, words, *_ in PARTS if night and night[part] is not None]
    return f"Tonight: {', '.join(known)}." if known else "Tonight: unknown."


def comparison(facts: BatchFacts) -> list[tuple[str, str, str]]:
    """Return label, tonight, the night before; what a night did not measure is said so."""
    tonight, before = facts.tonight, facts.yesterday
    if tonight is None:
        return []
    lines: Sequence[tuple[str, Callable[[Row], str]]] = (
        ("runs", lambda n: f"{n['runs']:,}"),
        ("placed", _placed),
        ("median distance", lambda n: mm(n["median_mm"], NOT_SEEN)),
        ("95th percentile", lambda n: mm(n["p95_mm"], NOT_SEEN)),
        ("farthest", lambda n: mm(n["farthest_mm"], NOT_SEEN)),
        ("beside the box", lambda n: f"{n['missed']}"),
        ("refused", lambda n: f"{n['refused']}"),
        ("aborted or not known", lambda n: f"{n['aborted'] + n['not_known']}"),
        ("looks a run, median", lambda n: UNKNOWN if n["looks"] is None else f"{n['looks']:g}"),
        ("time a run, median", lambda n: seconds(n["run_s"])),
        *((f"error by {words}", lambda n, part=part: mm(n[part])) for part, words, *_ in PARTS),
        ("reported but not moved", lambda n: UNKNOWN if n["not_moved"] is None else f"{n['not_moved']}"),
        ("table version", lambda n: UNKNOWN if n["table_version"] is None else f"{n['table_version']}"),
        ("homing", _homed),
        ("warmest servo", lambda n: UNKNOWN if n["warmest_c"] is None else f"{n['warmest_c']:.0f} °C"),
        ("lowest voltage", lambda n: UNKNOWN if n["lowest_v"] is None else f"{n['lowest_v']:.1f} V"),
        ("motion", lambda n: n["variant"] or "published"),
    )
    return [(label, tell(tonight), tell(before) if before else "") for label, tell in lines]


def _placed(night: Row) -> str:
    low, high = wilson(night["placed"], night["runs"])
    return f"{night['placed']} ({percent(low)} to {percent(high)})"


def _homed(night: Row) -> str:
    if night["homing_state"] is None:
        return UNKNOWN
    residual = night["homing_residual_px"]
    return night["homing_state"] + ("" if residual is None else f", {residual:.2f} px")


def _corrections(memory: Sequence[Row]) -> list[str]:
    """Say of each cell what the figure cannot: how often it was asked, and what was set aside."""
    said = []
    for cell in memory:
        parts = [f"{cell['memory_cell']}: {count(cell['placements'], 'placement')}"]
        if cell["outliers"]:
            parts.append(f"{count(cell['outliers'], 'outlier')} not used")
        if cell["not_sure"]:
            parts.append(f"{count(cell['not_sure'], 'sight')} too unsure to be used")
        if cell["reopened"]:
            parts.append(cell["reopened_because"])
        height = signed(cell["bias_y_mm"], 1)
        parts.append(
            f"x {signed(cell['bias_x_mm'], 1)}, height {height}, z {signed(cell['bias_z_mm'], 1)} mm"
        )
        said.append("; ".join(parts))
    return said


def _refusal(row: Row) -> dict[str, Any]:
    return {
        "rule": row["rule"],
        "what": count(row["refusals"], row["what"]),
        "latest": row["latest"] or "no reason recorded",
        "at": clock(row["last_utc"]),
    }
