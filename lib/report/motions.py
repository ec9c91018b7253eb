"""The room's reports of a motion study: its facts, the figure, the page that plays it, the ranking as text.

Beside the front door of the other reports, for these need the physics that a morning page does not.
"""

from dataclasses import dataclass
from pathlib import Path

from lib.report.motion_facts import MotionFacts, VariantFacts, motion_facts
from lib.report.motion_figure import write_motion_figure
from lib.report.motion_markdown import motion_headline, motion_markdown
from lib.report.motion_page import motion_page, write_motion_page
from lib.report.motion_ranking_figure import write_ranking_figure

__all__ = [
    "MotionFacts",
    "MotionFiles",
    "VariantFacts",
    "motion_facts",
    "motion_headline",
    "motion_markdown",
    "motion_page",
    "write_motion_figure",
    "write_motion_page",
    "write_motion_reports",
]


@dataclass(frozen=True)
class MotionFiles:
    """Where a study's reports are."""

    figure: Path
    """All variants as small multiples."""
    ranking: Path
    """The ranking alone, small enough for the Prefect UI."""
    page: Path
    """The variants side by side, playing."""


def write_motion_reports(folder: Path, facts: MotionFacts) -> MotionFiles:
    """Write the figures and the page into a study's folder and return where they are."""
    figure, ranking = folder / "motions.png", folder / "ranking.png"
    write_motion_figure(figure, facts)
    write_ranking_figure(ranking, facts)
    return MotionFiles(figure, ranking, write_motion_page(folder / "motions.html", facts))
