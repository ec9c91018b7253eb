"""How the rows of an answer are shown: a table to a person, CSV in a pipe, JSON to a machine.

CSV and JSON carry every number as it is stored; the table rounds to ten digits and says so when it
leaves rows out. Times are in UTC and say it.
"""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from decimal import Decimal
from itertools import islice
from typing import Any

from flows.commands.verb import print_json
from lib.errors import BadInput
from lib.runlog import Answer
from lib.visible import visible

ROWS_ON_A_TERMINAL = 1_000
ROWS_IN_ONE_DOCUMENT = 200_000
NUMBERS = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "FLOAT", "DOUBLE", "DECIMAL")


def print_answer(answer: Answer, as_json: bool, title: str | None = None) -> None:
    """Print the rows in the form that suits where they go; ``title`` stands above a table only."""
    if as_json:
        print_json([_as_object(answer, row) for row in _within_one_document(answer)])
    elif sys.stdout.isatty():
        _print_table(answer, title)
    else:
        _print_csv(answer)


def _within_one_document(answer: Answer) -> Iterator[tuple[Any, ...]]:
    """Give the rows of a JSON document, which is whole in memory before it is printed; raises BadInput."""
    for number, row in enumerate(answer.rows):
        if number == ROWS_IN_ONE_DOCUMENT:
            raise BadInput(
                f"sql: more than {ROWS_IN_ONE_DOCUMENT:,} rows for one JSON document; add LIMIT, or take CSV:"
                " in a pipe, without --json, it has no end"
            )
        yield row


def _as_object(answer: Answer, row: tuple[Any, ...]) -> dict[str, object]:
    cells = zip(answer.columns, answer.types, row, strict=True)
    return {name: _as_json(cell, kind) for name, kind, cell in cells}


def _as_json(cell: Any, kind: str = "") -> object:
    if kind == "JSON" and cell is not None:
        return json.loads(cell)
    if isinstance(cell, dict):
        return {str(key): _as_json(item) for key, item in cell.items()}
    if isinstance(cell, list | tuple):
        return [_as_json(item) for item in cell]
    return _scalar(cell)


def _scalar(cell: Any) -> object:
    if isinstance(cell, Decimal):
        return float(cell)
    if isinstance(cell, bytes):
        return cell.hex()
    if isinstance(cell, datetime):
        return (cell.astimezone(UTC) if cell.tzinfo else cell).isoformat()
    return cell if cell is None or isinstance(cell, bool | int | float | str) else str(cell)


def _print_csv(answer: Answer) -> None:
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(answer.columns)
    for row in answer.rows:
        writer.writerow([_as_csv(cell) for cell in row])


def _as_csv(cell: Any) -> object:
    """Return a cell for the CSV writer, which prints a number's every digit and None as nothing."""
    if isinstance(cell, bool):
        return str(cell).lower()
    if isinstance(cell, datetime | bytes | dict | list | tuple):
        value = _as_json(cell)
        return value if isinstance(value, str) else json.dumps(value)
    return cell


def _print_table(answer: Answer, title: str | None) -> None:
    from rich.console import Console
    from rich.measure import Measurement
    from rich.table import Table

    rows = [[_as_text(cell) for cell in row] for row in islice(answer.rows, ROWS_ON_A_TERMINAL)]
    table = Table(box=None, header_style="bold", pad_edge=False)
    for name, kind in zip(answer.columns, answer.types, strict=True):
        table.add_column(name, justify="right" if kind.startswith(NUMBERS) else "left", no_wrap=True)
    for row in rows:
        table.add_row(*row)
    console = Console(highlight=False, markup=False, emoji=False)
    if title:
        console.print(title, style="bold")
    wanted = Measurement.get(console, console.options.update(max_width=100_000), table).maximum
    if wanted <= console.width:
        console.print(table)
    else:  # too wide to be read as a table: a row becomes a block, its columns lines
        width = max(map(len, answer.columns))
        for number, row in enumerate(rows, start=1):
            console.print(f"row {number}", style="bold")
            for name, text in zip(answer.columns, row, strict=True):
                console.print(f"  {name:<{width}}  {text}")
    left_out = next(answer.rows, None) is not None
    said = f"the first {len(rows):,} rows; a pipe gets all of them" if left_out else _counted(len(rows))
    console.print(f"({said})")


def _as_text(cell: Any) -> str:
    if cell is None:
        return ""
    if isinstance(cell, datetime):
        return f"{cell.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC" if cell.tzinfo else f"{cell:%Y-%m-%d %H:%M:%S}"
    if isinstance(cell, float):
        return f"{cell:.10g}"
    return visible(str(_as_csv(cell)))


def _counted(count: int) -> str:
    return {0: "no rows", 1: "1 row"}.get(count, f"{count:,} rows")
