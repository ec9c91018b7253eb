"""Pieces of Markdown as the Prefect UI shows it: its tables do not wrap, and fonts may lack emoji."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

OK, NO, NOT_APPLICABLE = "✓", "✗", "n/a"


def table(head: Sequence[str], rows: Iterable[Sequence[object]], right: Sequence[int] = ()) -> str:
    """Return a table; columns whose number is in ``right`` are aligned right, as numbers are."""
    ruler = ["---:" if n in right else "---" for n in range(len(head))]
    lines = [head, ruler, *([_cell(value) for value in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def bullets(lines: Iterable[str]) -> str:
    """Return a list, a line each."""
    return "\n".join(f"- {line}" for line in lines)


def mark(ok: bool | None) -> str:
    """Return the mark of a verdict; None is "not applicable"."""
    return {True: OK, False: NO, None: NOT_APPLICABLE}[ok]


def millimetres(distance_m: float | None) -> str:
    """Return a distance [m] in mm with the digits that mean something; None is out of reach."""
    if distance_m is None:
        return "out of reach"
    if 0 < abs(distance_m) < 1e-5:
        return f"{distance_m * 1e3:.4f} mm"
    return f"{distance_m * 1e3:.2f} mm"


def _cell(value: object) -> str:
    return str(value).replace("|", "\\|").replace("\n", " ")
