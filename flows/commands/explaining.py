"""An explanation as `lookup --explain` gives it: from the lookup's own pass to JSON, text and figure."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from lib.lookup import Culprit, FunnelEntry, LookupResult, Request, Table, culprits, funnel


@dataclass(frozen=True, eq=False)
class Explanation:
    """Why a question got its answer, and what another would get."""

    result: LookupResult
    rows: int
    entries: tuple[FunnelEntry, ...]
    culprits: tuple[Culprit, ...]
    figure: Path | None

    def as_json(self) -> dict[str, object]:
        """Return what `nightpick lookup --explain --json` adds to the answer."""
        return {
            "funnel": [entry.as_json() for entry in self.entries],
            "culprits": [culprit.as_json() for culprit in self.culprits],
        }

    def text(self) -> str:
        """Return the same for a person."""
        from flows.commands.explain_text import explanation_text

        told = "\n" + explanation_text(self.entries, self.rows, self.culprits, self.result)
        return told if self.figure is None else f"{told}\n\nfigure: {self.figure}"


def explanation(table: Table, request: Request, result: LookupResult, figure: Path | None) -> Explanation:
    """Explain an answer and draw it into ``figure``; raises BadInput where that cannot be written."""
    entries = funnel(table, request)
    if figure is not None:
        from lib.report.figures import write_explanation

        write_explanation(figure, request, result, len(table), entries)
    return Explanation(result, len(table), entries, culprits(table, request), figure)
