"""The doctor's findings in Markdown."""

from __future__ import annotations

from collections.abc import Sequence

from lib.doctor import Finding
from lib.report.markdown import bullets, mark, plain


def doctor_markdown(findings: Sequence[Finding]) -> str:
    """Return the findings as a list, what is wrong first."""
    wrong = sum(not finding.ok for finding in findings)
    headline = f"{wrong} of {len(findings)} checks say no" if wrong else "Everything is in place"
    return f"## {headline}\n\n{bullets(map(_line, sorted(findings, key=lambda f: f.ok)))}\n"


def _line(finding: Finding) -> str:
    todo = f"; {finding.todo}" if not finding.ok and finding.todo else ""
    return f"{mark(finding.ok)} **{finding.name}**: {plain(finding.found + todo)}"
