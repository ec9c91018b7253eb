"""Rank what a motion study played; write its figure and the page that plays it."""

from __future__ import annotations

from collections.abc import Sequence

from lib.motion import Outcome, Study, end_study
from lib.report.motions import motion_facts, motion_headline, motion_markdown, write_motion_reports
from lib.settings import Settings
from tasks.artifacts import Image, Link, Markdown
from tasks.evidence import Evidence, evidence_task


@evidence_task("rank motions")
def rank_motions(settings: Settings, study: Study, outcomes: Sequence[Outcome]) -> Evidence[None]:
    """Rank the variants; where none passed the gates in every repeat the task fails with its evidence."""
    result = end_study(settings, study, outcomes)
    facts = motion_facts(settings, result)
    files = write_motion_reports(study.folder, facts)
    headline = motion_headline(facts)
    return Evidence(
        None,
        headline=f"{headline}; the page {files.page}",
        metrics={
            "motion_variants_ranked": (len(result.ranked), "variants"),
            "motion_variants_passed": (sum(r.passed == r.repeats for r in result.ranked), "variants"),
        },
        artifacts=(
            Markdown("motion-ranking", motion_markdown(facts), headline),
            Image("motion-figure", files.ranking, headline),
            Link("motion-page", files.page, "the variants side by side, playing"),
        ),
        refusal=None if facts.best else headline,
    )
