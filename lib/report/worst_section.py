"""What the page shows of the worst runs: what happened, what the cameras saw, why the lookup chose so."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from lib.report.batch_facts import BatchFacts, Row
from lib.report.batch_words import NOT_SEEN, UNKNOWN, count, outcome
from lib.report.local_time import clock
from lib.report.markdown import millimetres
from lib.report.run_explanation import Explanation, explain_run
from lib.report.small_picture import as_data_address, pictures_of
from lib.settings import Settings


def worst_section(facts: BatchFacts, settings: Settings) -> list[dict[str, Any]]:
    """Return what the template shows, a mapping a run, the worst first."""
    return [_run(run, facts, settings) for run in facts.worst]


def _run(run: Row, facts: BatchFacts, settings: Settings) -> dict[str, Any]:
    lookups = facts.lookups[run["run_stem"]]
    explained = explain_run(settings, run, lookups)
    return {
        "title": f"Run {run['run_number']}" if run["run_number"] is not None else run["run_stem"],
        "stem": run["run_stem"],
        "outcome": outcome(run),
        "tone": "" if run["place"] == "yes" else "no",
        "at": clock(run["started_utc"]) if run["started_utc"] else None,
        "facts": [*_facts(run), *_motions(facts.moves.get(run["run_stem"]))],
        "pictures": _pictures(run, settings.data_dir),
        "lookups": [_lookup(look) for look in lookups],
        "funnel": _funnel(explained),
        "helping": _helping(explained),
        "command": _command(run, lookups),
    }


def _facts(run: Row) -> list[tuple[str, str]]:
    pose = run["pose_id"] or "none"
    told = [("why", run["reason"])] if run["reason"] else []
    if run["rule"]:
        told.append(("rule", run["rule"]))
    if run["place"] is not None:
        sure = UNKNOWN if run["confidence"] is None else f"{run['confidence']:.2f}"
        told += [
            ("verdict", f"{run['place']}, confidence {sure}"),
            ("pose", f"{pose}, {'refined' if run['refined'] else 'as measured'}" if run["pose_id"] else pose),
            ("cell", run["memory_cell"] or UNKNOWN),
            ("looks", UNKNOWN if run["looks"] is None else _looks(run)),
        ]
    return told


def _motions(moves: Row | None) -> list[tuple[str, str]]:
    if moves is None:
        return []
    off = moves["worst_off_deg"]
    said = count(moves["moves"], "motion")
    said += "" if off is None else f", at worst {off:.1f} deg from where it was sent"
    if moves["not_moved"]:
        said += f"; {count(moves['not_moved'], 'time')} reported but not moved"
    return [("motions", said)]


def _looks(run: Row) -> str:
    return count(run["looks"], "look") + (f": {run['servo_reason']}" if run["servo_reason"] else "")


def _pictures(run: Row, data_dir: Path) -> list[dict[str, str]]:
    folder = (data_dir / run["images"]).resolve() if run["images"] else None
    if folder is None or not folder.is_relative_to(data_dir.resolve()):
        return []
    shown = []
    for picture in pictures_of(folder):
        address = as_data_address(picture)
        if address is not None:
            shown.append({"src": address, "says": picture.stem.replace("_", " ").replace("-", " ")})
    return shown


def _lookup(look: Row) -> dict[str, str]:
    asked = [look["aim_x_m"], look["aim_z_m"]]
    return {
        "tag": look["tag"] or UNKNOWN,
        "asked": UNKNOWN if None in asked else f"{1e3 * asked[0]:.1f}, {1e3 * asked[1]:.1f}",
        "row": "none" if look["fk_row"] is None else f"{look['fk_row']}",
        "off": _off(look["xz_distance_m"]),
        "height": NOT_SEEN if look["ee_y_m"] is None else f"{1e3 * look['ee_y_m']:.1f} mm",
        "bound_by": look["binding_filter"] or "nothing",
    }


def _off(distance_m: float | None) -> str:
    return "out of reach" if distance_m is None else f"{1e3 * distance_m:.2f} mm"


def _funnel(explained: Explanation | None) -> list[dict[str, str]]:
    if explained is None:
        return []
    return [
        {
            "filter": entry.filter,
            "bound": entry.bound_text,
            "rows": f"{entry.rows:,}"
            + (" (none inside: gave way)" if not entry.inside and entry.rows else ""),
            "nearest": "none left"
            if entry.best_xz_distance_m is None
            else millimetres(entry.best_xz_distance_m),
        }
        for entry in explained.funnel
    ]


def _helping(explained: Explanation | None) -> str | None:
    """Say what would have brought a nearer row."""
    if explained is None:
        return None
    found: Sequence[str] = [
        f"without {' and '.join(culprit.relax)} a row {millimetres(culprit.xz_distance_m)} off"
        for culprit in explained.culprits
    ]
    return f"There would be {', or '.join(found)}." if found else "Relaxing one bound gives no nearer row."


def _command(run: Row, lookups: Sequence[Row]) -> str | None:
    asked = next((look for look in reversed(lookups) if look["tag"] != "pick"), None)
    if asked is None or asked["aim_x_m"] is None or asked["aim_z_m"] is None:
        return None
    version = asked["table_version"] or run["table_version"]
    of_table = "" if version is None else f" --table {version}"
    height = "" if run["aim_y_m"] is None else f" --ee-y {run['aim_y_m']:.4f}"
    place = f"{asked['aim_x_m']:.4f} {asked['aim_z_m']:.4f}"
    return f"nightpick lookup place {place}{height}{of_table} --explain"
