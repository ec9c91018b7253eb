"""The doctor's findings in Markdown."""

from __future__ import annotations

from collections.abc import Sequence

from lib.doctor import Finding
from lib.report.markdown import mark, table


def doctor_markdown(findings: Sequence[Finding]) -> str:
    """Return the findings as a table, what is wrong first."""
    wrong = sum(not finding.ok for finding in findings)
    headline = f"{wrong} of {len(findings)} checks say no" if wrong else "Everything is in place"
    rows = [
        (mark(f.ok), f.name, f.found, "" if f.ok else f.todo) for f in sorted(findings, key=lambda f: f.ok)
    ]
    return f"## {headline}\n\n{table(('', 'check', 'found', 'what to do'), rows)}\n"
