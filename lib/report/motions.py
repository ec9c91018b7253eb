"""The room's reports of a motion study: its facts, the figure, the page that plays it, the ranking as text.

Beside the front door of the other reports, for these need the physics that a morning page does not.
"""

from pathlib import Path

from lib.report.motion_facts import MotionFacts, VariantFacts, motion_facts
from lib.report.motion_figure import write_motion_figure
from lib.report.motion_markdown import motion_headline, motion_markdown
from lib.report.motion_page import motion_page, write_motion_page

__all__ = [
    "MotionFacts",
    "VariantFacts",
    "motion_facts",
    "motion_headline",
    "motion_markdown",
    "motion_page",
    "write_motion_figure",
    "write_motion_page",
    "write_motion_reports",
]


def write_motion_reports(folder: Path, facts: MotionFacts) -> tuple[Path, Path]:
    """Write the figure and the page into a study's folder and return where they are."""
    figure = folder / "motions.png"
    write_motion_figure(figure, facts)
    return figure, write_motion_page(folder / "motions.html", facts)
