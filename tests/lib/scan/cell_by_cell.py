"""An independent, slow and plain reader of scan files, to hold the real one against.

It shares no code with it: bytes to text by the byte order mark, text to lines by hand, lines to
cells with split, cells to doubles through decimal.Decimal.
"""

from __future__ import annotations

from decimal import Decimal

NAMES = ["ee_x", "ee_y", "ee_z", "j0", "j1", "j2", "j3", "j4", "j5"]
DIGITS = set("0123456789")


def good_rows(data: bytes) -> dict[int, list[float]]:
    """Return line number -> nine doubles for every line that is a whole row of numbers.

    Only for a file with a usable header; lines of anything else are not in the answer.
    """
    lines = _lines(_text(data))
    header = next(k for k, line in enumerate(lines) if line.strip(" \t"))
    delimiter = _delimiter(lines[header])
    names = [cell.strip(' \t\ufeff"').lower() for cell in _cells(lines[header], delimiter)]
    assert all(names.count(name) == 1 for name in NAMES), f"a doubled column: {names}"
    further = [name for name in names if name[:1] in ("j", "q") and name[1:].isdigit() and name not in NAMES]
    assert not further, f"a seventh joint: {further}"
    places = [names.index(name) for name in NAMES]
    rows: dict[int, list[str]] = {}
    for k, line in enumerate(lines[header + 1 :], start=header + 2):
        cells = _cells(line, delimiter)
        if len(cells) == len(names):
            rows[k] = [_bare(cells[place]) for place in places]
    mark = _mark(delimiter, list(rows.values()))
    if len(lines) in rows and len(names) - 1 in places and lines[-1].rstrip(" \t").endswith(mark):
        del rows[len(lines)]  # the last line has no end and breaks off in a number
    numbers = {k: [_number(cell, mark) for cell in cells] for k, cells in rows.items()}
    rows_of_numbers = {k: [v for v in row if v is not None] for k, row in numbers.items() if None not in row}
    return {k: row for k, row in rows_of_numbers.items() if _could_be_measured(row)}


def _could_be_measured(row: list[float]) -> bool:
    """No tip is farther than ten metres, no joint turns more than a hundred times."""
    return all(-10 <= v <= 10 for v in row[:3]) and all(-36_000 <= v <= 36_000 for v in row[3:])


def last_written_line(data: bytes) -> int:
    """Return the number of the last line that is not blank."""
    return max(k for k, line in enumerate(_lines(_text(data)), start=1) if line.strip(" \t"))


def _text(data: bytes) -> str:
    for mark, encoding in (
        (b"\xff\xfe\x00\x00", "utf-32-le"),
        (b"\x00\x00\xfe\xff", "utf-32-be"),
        (b"\xef\xbb\xbf", "utf-8"),
        (b"\xff\xfe", "utf-16-le"),
        (b"\xfe\xff", "utf-16-be"),
    ):
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, errors="replace")
    return data.decode("latin-1")  # every number is ASCII; whatever else there is, is no number


def _lines(text: str) -> list[str]:
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _delimiter(header: str) -> str:
    for delimiter in ("\t", ";", ","):
        if set(NAMES) <= {cell.strip(' \t\ufeff"').lower() for cell in _cells(header, delimiter)}:
            return delimiter
    raise ValueError("no header")


def _cells(line: str, delimiter: str) -> list[str]:
    """Cut a line sign by sign; a quote opens and closes whole cells or nothing in the line."""
    blank = " " if delimiter == "\t" else " \t"
    cells, cell, quoted = [], "", False
    for sign in line:
        if sign == '"':
            quoted = not quoted
        if sign == delimiter and not quoted:
            cells.append(cell)
            cell = ""
        else:
            cell += sign
    cells.append(cell)
    for text in (cell.strip(blank) for cell in cells if '"' in cell):
        if len(text) < 2 or text[0] != '"' or text[-1] != '"' or '"' in text[1:-1].replace('""', ""):
            return line.split(delimiter)
    return cells


def _bare(cell: str) -> str:
    text = cell.strip(" \t")
    if text.count('"') == 2 and text[0] == text[-1] == '"':
        return text[1:-1].strip(" \t")
    return text


def _mark(delimiter: str, rows: list[list[str]]) -> str:
    """Return the decimal mark: where the delimiter leaves it open, the first marked cell's last one."""
    marked = (cell for row in rows for cell in row if "." in cell or "," in cell)
    first = next(marked, ".")
    return max(".,", key=first.rfind)


def _number(cell: str, mark: str) -> float | None:
    rest = cell[1:] if cell[:1] in ("+", "-") else cell
    mantissa, e, exponent = rest.partition("e" if "e" in rest else "E")
    exponent_digits = exponent[1:] if exponent[:1] in ("+", "-") else exponent
    whole, _, decimals = mantissa.partition(mark)
    parts = [whole + decimals, *([exponent_digits] if e else [])]
    if not all(part and set(part) <= DIGITS for part in parts):
        return None
    written = Decimal(cell.replace(",", "."))
    value = float(written)
    lost = abs(value) == float("inf") or (value == 0.0 and not written.is_zero())
    return None if lost else value + 0.0
