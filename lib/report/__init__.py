"""What people look at in the morning: figures, the page, and the reports in the Prefect UI."""

from lib.report.batch_line import outcome_line
from lib.report.batch_markdown import batch_markdown, batch_progress_headline
from lib.report.doctor_markdown import doctor_markdown
from lib.report.markdown import plain
from lib.report.merge_markdown import blocked_before_markdown, effect_markdown, merge_headline, merge_markdown
from lib.report.night_markdown import night_markdown
from lib.report.night_page import write_night_page
from lib.report.nights_asked import nights_asked
from lib.report.scan_markdown import refusal_markdown, scan_markdown
from lib.report.worst_probe import explain_worst_probe

__all__ = [
    "batch_markdown",
    "batch_progress_headline",
    "blocked_before_markdown",
    "doctor_markdown",
    "effect_markdown",
    "explain_worst_probe",
    "merge_headline",
    "merge_markdown",
    "night_markdown",
    "nights_asked",
    "outcome_line",
    "plain",
    "refusal_markdown",
    "scan_markdown",
    "write_night_page",
]
