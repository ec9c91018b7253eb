"""Cutting a line into its cells, of which any may stand in quotes with a separator inside."""

from __future__ import annotations

import re

QUOTE = '"'


def cells_of(line: str, delimiter: str) -> list[str]:
    """Cut a line at its delimiters, but for those inside of a cell's quotes; the quotes stay.

    A quote that does not open or close a cell means nothing: the line is then cut at every delimiter.
    """
    if QUOTE not in line:
        return line.split(delimiter)
    cells, start = [], 0
    while match := _CELL[delimiter].match(line, start):
        cells.append(match["cell"])
        if not match["end"]:
            return cells
        start = match.end()
    return line.split(delimiter)


def out_of_quotes(cell: str) -> str:
    """Return a cell's text without the spaces and the pair of quotes around it."""
    text = cell.strip(" \t")
    if len(text) > 1 and text[0] == text[-1] == QUOTE and QUOTE not in text[1:-1]:
        return text[1:-1].strip(" \t")
    return text


def _cell_until(delimiter: str) -> re.Pattern[str]:
    around = "[ \t]*" if delimiter != "\t" else " *"
    return re.compile(rf'(?P<cell>{around}"(?:[^"]|"")*"{around}|[^"{delimiter}]*)(?P<end>{delimiter}|\Z)')


_CELL = {delimiter: _cell_until(delimiter) for delimiter in ("\t", ";", ",")}
