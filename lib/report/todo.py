"""What a person should look at or do after a night: each thing once, with the command that does it."""

from __future__ import annotations

import json
from pathlib import Path

from lib.report.batch_todo import batch_todo
from lib.report.night_facts import MergeFacts, NightFacts, Row
from lib.report.what_to_do import Todo
from lib.scan import SHORT_DIGITS
from lib.table import Failed, accept_command


def todo_items(facts: NightFacts) -> list[Todo]:
    """Return what needs a person: the night itself, what lies about in the cell, then file by file."""
    items = []
    if facts.night["error"]:
        items.append(Todo("The night ended early", f"{facts.night['error']}."))
    if facts.night["batch_end"]:
        items.append(Todo("The batch ended early", f"{_sentence(facts.night['batch_end'])}."))
    items += batch_todo(facts.batch)
    items += [_refused(scan) for scan in facts.refused]
    items += [_blocked(merge) for merge in facts.blocked]
    told = {row["task_run_id"] for row in (*facts.refused, *(m.merge for m in facts.blocked))}
    # A night that was cut off tried again: the last word counts.
    last = {task["run_name"] or task["task"]: task for task in facts.tasks}
    for name, task in last.items():
        if task["error"] and task["task_run_id"] not in told:
            items.append(Todo(f"{name} failed", f"{task['error']}."))
    if facts.current is None:
        why = "Put a scan into the inbox and run a night, or take one in by hand."
        items.append(Todo("There is no table yet", why, "nightpick scan ingest FILE"))
    return items


def reason(scan: Row) -> str:
    """Return why a scan was refused: the first problem with its place, and how many more there are."""
    problems = scan["problems"]
    problems = json.loads(problems) if isinstance(problems, str) else problems or []
    if not problems:
        return ""
    first = problems[0]
    place = ", ".join(f"{name} {first[name]}" for name in ("line", "column") if first.get(name) is not None)
    more = f" (and {scan['problem_count'] - 1:,} more)" if (scan["problem_count"] or 0) > 1 else ""
    return f"{place + ': ' if place else ''}{first['rule']}{more}"


def _refused(scan: Row) -> Todo:
    file = Path(scan["file"])
    todo = f"Mend it, or take it out of {file.parent}: every night tries again."
    return Todo(f"{file.name} was refused", f"{reason(scan) or 'It cannot be read'}. {todo}")


def _blocked(facts: MergeFacts) -> Todo:
    failed = [a for a in facts.audits if a["ok"] is False and a["accepted_because"] is None]
    md5 = facts.merge["scan_md5"]
    command = accept_command(md5, [Failed(a["name"], json.loads(a["figures"])) for a in failed])
    why = ". ".join(f"{a['name']}: {a['message']}" for a in failed)
    leave = f"leave it out: nightpick scan set-aside {md5[:SHORT_DIGITS]} --reason TEXT"
    todo = f"Scan again, {leave}; or accept it:" if command else f"Scan again, or {leave}"
    return Todo(f"{facts.merge['scan_file']} is kept but not merged", f"{why}. {todo}", command)


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]
