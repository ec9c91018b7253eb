"""A motion study's ranking as the report the Prefect UI shows."""

from __future__ import annotations

from lib.report.motion_facts import MotionFacts, VariantFacts
from lib.report.motion_scores import SCORE_COLUMNS, score_texts


def motion_headline(facts: MotionFacts) -> str:
    """Say in one line how a study came out."""
    if facts.best is None:
        return f"{facts.study_id}: no variant passed the gates in every repeat"
    best = next(variant for variant in facts.variants if variant.name == facts.best)
    assert best.rank is not None, "the best was ranked"
    tied = f", tied with {', '.join(best.rank.tied_with)}" if best.rank.tied_with else ""
    return f"{facts.study_id}: {facts.best} is best{tied}"


def motion_markdown(facts: MotionFacts) -> str:
    """Return the ranking with every score, and what was infeasible with the rule."""
    lines = [
        f"## {motion_headline(facts)}",
        "",
        f"{facts.repeats} repeats of each; = marks variants that others cannot be told from.",
        "",
    ]
    names = [column.name for column in SCORE_COLUMNS]
    lines += [
        f"| place | variant | median rank (95 %) | passed | front | {' | '.join(names)} |",
        f"| --- | --- | --- | --- | --- | {' | '.join('---:' for _ in names)} |",
        *(_row(variant) for variant in facts.ranked),
    ]
    infeasible = [variant for variant in facts.variants if variant.infeasible is not None]
    if infeasible:
        lines += ["", "### Infeasible", ""]
        lines += [f"- **{variant.name}**: {variant.infeasible}" for variant in infeasible]
    return "\n".join(lines) + "\n"


def _row(variant: VariantFacts) -> str:
    rank = variant.rank
    assert rank is not None, "ranked variants have a rank"
    interval = f"{rank.median_rank:g} ({rank.low_rank:g} to {rank.high_rank:g})"
    passed = f"{'✓' if variant.passed else '✗'} {rank.passed} of {rank.repeats}"
    front = "yes" if rank.on_front else ""
    cells = [variant.place, variant.name, interval, passed, front, *score_texts(variant)]
    return f"| {' | '.join(cells)} |"
