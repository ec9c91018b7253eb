"""What a person should look at or do after a batch."""

from __future__ import annotations

from lib.report.batch_facts import BatchFacts, Row, kind, wilson
from lib.report.batch_words import count, percent
from lib.report.what_to_do import Todo

_NAMED = 5
# Rules that more rows of the table would meet.
_WANT_ROWS = ("out of reach", "no_row_within_tolerance")


def batch_todo(facts: BatchFacts) -> list[Todo]:
    """Return what the batch leaves to do, what may be unsafe first."""
    return [
        *_homing(facts),
        *_going_on(facts),
        *_runs(
            facts, "no", "beside the box", "Take the blocks out from beside the box before the next night."
        ),
        *_runs(
            facts, "unknown", "nobody saw the end of", "Look where the block is, and whether the box is full."
        ),
        *_runs(facts, "aborted", "aborted", "Look at the arm before the next night.", "nightpick arm status"),
        *_not_moved(facts),
        *_refusals(facts),
        *_reopened(facts),
        *_fell(facts),
    ]


def _homing(facts: BatchFacts) -> list[Todo]:
    last = facts.homings[-1] if facts.homings else None
    if last is None or last["state"] in ("confident", "unfinished"):
        return []
    why = last["error"] or "The cameras do not tell every joint surely"
    return [
        Todo(
            f"Homing is {last['state']}",
            f"{why}. Clean lenses and markers, then home again.",
            "nightpick home",
        )
    ]


def _going_on(facts: BatchFacts) -> list[Todo]:
    open_ones = [run for run in facts.runs if run["state"] == "unfinished"]
    if not open_ones:
        return []
    why = f"{_named(open_ones)}. The next start settles what nobody saw the end of."
    return [Todo(f"{count(len(open_ones), 'run')} without an end", why)]


def _runs(facts: BatchFacts, what: str, words: str, todo: str, command: str | None = None) -> list[Todo]:
    found = [run for run in facts.ended if kind(run) == what]
    if not found:
        return []
    reasons = sorted({run["reason"] for run in found if run["reason"]})
    because = f": {'; '.join(reasons[:2])}" if reasons else ""
    return [
        Todo(f"{_sentence(words)}: {count(len(found), 'run')}", f"{_named(found)}{because}. {todo}", command)
    ]


def _not_moved(facts: BatchFacts) -> list[Todo]:
    found = [run for run in facts.runs if (facts.moves.get(run["run_stem"]) or {}).get("not_moved")]
    if not found:
        return []
    why = f"{_named(found)}: the cameras saw no motion where the arm reported one. Look at its joints."
    return [Todo("Reported but not moved", why, "nightpick home")]


def _refusals(facts: BatchFacts) -> list[Todo]:
    from lib.place import NO_ROWS_HELP  # brings the arm with it, which a page without a batch does not need

    items = []
    for row in facts.refusals:
        if row["what"] != "run":
            continue
        latest = row["latest"] or "no reason was recorded"
        wants_rows = row["rule"] in _WANT_ROWS and NO_ROWS_HELP not in latest
        command = "nightpick table plan-scan data/requests/more.csv" if wants_rows else None
        why = f"{_sentence(latest)}."
        items.append(Todo(f"{count(row['refusals'], 'run')} refused: {row['rule']}", why, command))
    return items


def _reopened(facts: BatchFacts) -> list[Todo]:
    found = [cell for cell in facts.memory if cell["reopened"]]
    if not found:
        return []
    names = ", ".join(cell["memory_cell"] for cell in found)
    why = f"{names}: {found[0]['reopened_because']}. Look whether a camera or the box was moved."
    return [Todo("A memory started anew", why, "nightpick memory show")]


def _fell(facts: BatchFacts) -> list[Todo]:
    """Say it where success fell by more than chance does: the two intervals do not meet."""
    now, before = facts.tonight, facts.yesterday
    if now is None or before is None:
        return []
    high, low = wilson(now["placed"], now["runs"])[1], wilson(before["placed"], before["runs"])[0]
    if high >= low:
        return []
    shares = [percent(night["placed"] / night["runs"]) for night in (before, now)]
    why = f"From {shares[0]} to {shares[1]}, more than chance. See what else changed."
    return [Todo("Success fell", why, "nightpick ask night-changes")]


def _named(runs: list[Row]) -> str:
    names = [f"run {run['run_number']}" for run in runs[:_NAMED]]
    more = f" and {len(runs) - _NAMED} more" if len(runs) > _NAMED else ""
    return _sentence(", ".join(names) + more)


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]
