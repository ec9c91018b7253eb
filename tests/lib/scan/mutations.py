"""What can happen to a scan file on its way, drawn by a seed: some keeps its meaning, some does not."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from tests.lib.scan.scan_files import encoded

JUNK = (
    "NaN",
    "",
    "Infinity",
    "-Infinito",
    "1.#IND",
    "1e999",
    "abc",
    "0x10",
    "1_0",
    "--1",
    "1.2.3",
    "1e-400",
    "1e20",
    "-40000.5",
    ".",
    "-.e5",
    "5.",
    ".5",
    "-.5E+1",
    "ok;",
)


@dataclass(frozen=True)
class File:
    """A scan file in the making: its cells and how they will be written."""

    table: list[list[str]]
    delimiter: str = ","
    decimal_mark: str = "."
    line_end: str = "\n"
    encoding: str = "utf-8"
    at_the_end: str = ""
    without_last_line_end: bool = False
    loose: str = ""
    quoted_columns: frozenset[int] = frozenset()
    bytes_changes: list[Callable[[bytes], bytes]] = field(default_factory=list)

    def data(self) -> bytes:
        """Write it."""
        quoted = [[self._quoted(k, cell) for k, cell in enumerate(row)] for row in self.table]
        table = [[self.loose + cell if k else cell for k, cell in enumerate(row)] for row in quoted]
        data = encoded(table, self.delimiter, self.decimal_mark, self.line_end, self.encoding)
        wide = "utf-16-be" if self.encoding == "utf-16-be" else self.encoding.removesuffix("-sig")
        if self.without_last_line_end:
            data = data[: -len(self.line_end.encode(wide))]
        data += self.at_the_end.replace("\n", self.line_end).encode(wide)
        for change in self.bytes_changes:
            data = change(data)
        return data

    def _quoted(self, column: int, cell: str) -> str:
        return f'"{cell}"' if column in self.quoted_columns else cell


Mutation = Callable[[File, random.Random], File]


def column_order(file: File, rng: random.Random) -> File:
    order = rng.sample(range(len(file.table[0])), len(file.table[0]))
    return replace(file, table=[[row[k] for k in order] for row in file.table])


def case(file: File, rng: random.Random) -> File:
    header = [rng.choice([str.upper, str.title, str.swapcase])(name) for name in file.table[0]]
    return replace(file, table=[header, *file.table[1:]])


def line_ends(file: File, rng: random.Random) -> File:
    return replace(file, line_end=rng.choice(["\r\n", "\r", "\n"]))


def delimiter_with_its_locale(file: File, rng: random.Random) -> File:
    delimiter, mark = rng.choice([(";", ","), (";", "."), ("\t", ","), ("\t", "."), (",", ".")])
    return replace(file, delimiter=delimiter, decimal_mark=mark)


def byte_order_mark(file: File, rng: random.Random) -> File:
    return replace(file, encoding=rng.choice(["utf-8-sig", "utf-16-le", "utf-16-be"]))


def no_last_line_end(file: File, rng: random.Random) -> File:
    return replace(file, without_last_line_end=True, at_the_end="")


def blank_lines_at_the_end(file: File, rng: random.Random) -> File:
    return replace(
        file, at_the_end=rng.choice(["\n", "\n\n\n", "  \n", " \n \n"]), without_last_line_end=False
    )


def spaces_after_delimiters(file: File, rng: random.Random) -> File:
    return replace(file, loose=" " * rng.randint(1, 3))


def further_columns(file: File, rng: random.Random) -> File:
    cell = rng.choice(["7", "12.07.2026", "a note", "", "NaN", "'"])
    names = ["time", *file.table[0], "note"]
    return replace(file, table=[names, *([cell, *row, "ok"] for row in file.table[1:])])


def quoted_cells(file: File, rng: random.Random) -> File:
    """Quote all columns, as some programs do, or some; all quoted may have commas in both roles."""
    width = len(file.table[0]) + 2  # further_columns may come later
    columns = frozenset(range(width)) if rng.random() < 0.7 else frozenset(rng.sample(range(width), 3))
    both = len(columns) == width and file.delimiter == "," and rng.random() < 0.5
    return replace(file, quoted_columns=columns, decimal_mark="," if both else file.decimal_mark)


def bare_marks(file: File, rng: random.Random) -> File:
    """Write numbers as some programs do: ``.5``, ``-.5``, ``5.``, ``+0.5``; the last row may be cut off."""

    def written(cell: str) -> str:
        sign, digits = ("-", cell[1:]) if cell.startswith("-") else (rng.choice(["", "+"]), cell)
        if digits.startswith("0.") and "e" not in digits:
            return sign + digits[1:]
        return sign + (digits.removesuffix("0") if digits.endswith(".0") else digits)

    header, *rows, last = file.table
    return replace(file, table=[header, *([written(cell) for cell in row] for row in rows), last])


KEEPING: tuple[Mutation, ...] = (
    column_order,
    case,
    line_ends,
    delimiter_with_its_locale,
    byte_order_mark,
    no_last_line_end,
    blank_lines_at_the_end,
    spaces_after_delimiters,
    further_columns,
    bare_marks,
    quoted_cells,
)


def _bytes(change: Callable[[bytes, random.Random], bytes]) -> Mutation:
    def mutation(file: File, rng: random.Random) -> File:
        seed = rng.random()
        return replace(
            file, bytes_changes=[*file.bytes_changes, lambda data: change(data, random.Random(seed))]
        )

    return mutation


def _rows(change: Callable[[list[list[str]], random.Random], None]) -> Mutation:
    def mutation(file: File, rng: random.Random) -> File:
        table = [list(row) for row in file.table]
        change(table, rng)
        return replace(file, table=table)

    return mutation


@_bytes
def flip_a_byte(data: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(len(data))
    return data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1 :]


@_bytes
def lose_bytes(data: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(len(data))
    return data[:at] + data[at + rng.choice([1, 1, 2, 7, 60]) :]


@_bytes
def double_bytes(data: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(len(data))
    return data[: at + rng.choice([1, 2, 30])] + data[at:]


@_bytes
def cut_off(data: bytes, rng: random.Random) -> bytes:
    return data[: rng.randrange(1, len(data))]


@_bytes
def put_in(data: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(len(data))
    piece = rng.choice(
        [b"\0", b"\r", b"\n", b",", b";", b".", b'"', b" ", b"\t", b"e", b"-", b"\xff", b"\xef\xbb\xbf", b"#"]
    )
    return data[:at] + piece + data[at:]


@_bytes
def change_the_encoding(data: bytes, rng: random.Random) -> bytes:
    text = data.decode("latin-1")
    return text.encode(
        rng.choice(["utf-16-le", "utf-16-be", "utf-32", "utf-8-sig", "cp037"]), errors="replace"
    )


@_bytes
def mix_delimiters(data: bytes, rng: random.Random) -> bytes:
    lines = data.split(b"\n")
    at = rng.randrange(len(lines))
    lines[at] = lines[at].replace(*rng.choice([(b",", b";"), (b";", b","), (b",", b"\t"), (b"\t", b";")]))
    return b"\n".join(lines)


@_bytes
def mix_locales(data: bytes, rng: random.Random) -> bytes:
    lines = data.split(b"\n")
    at = rng.randrange(len(lines))
    lines[at] = lines[at].replace(*rng.choice([(b",", b"."), (b".", b",")]), rng.choice([1, 2, 99]))
    return b"\n".join(lines)


@_rows
def join_lines(table: list[list[str]], rng: random.Random) -> None:
    at = rng.randrange(len(table) - 1)
    keep = rng.randint(1, len(table[at]))
    table[at : at + 2] = [table[at][:keep] + table[at + 1][-rng.randint(1, len(table[at + 1])) :]]


@_rows
def cut_a_line(table: list[list[str]], rng: random.Random) -> None:
    at = rng.randrange(len(table))
    table[at] = table[at][: rng.randint(1, len(table[at]))]
    table[at][-1] = table[at][-1][: rng.randint(0, len(table[at][-1]))]


@_rows
def drop_a_cell(table: list[list[str]], rng: random.Random) -> None:
    del rng.choice(table)[0]


@_rows
def spoil_a_cell(table: list[list[str]], rng: random.Random) -> None:
    row = rng.choice(table[1:])
    row[rng.randrange(len(row))] = rng.choice(JUNK)


@_rows
def swap_names(table: list[list[str]], rng: random.Random) -> None:
    a, b = rng.randrange(len(table[0])), rng.randrange(len(table[0]))
    table[0][a], table[0][b] = table[0][b], table[0][a]


@_rows
def rename_a_column(table: list[list[str]], rng: random.Random) -> None:
    table[0][rng.randrange(len(table[0]))] = rng.choice(["j6", "q1", "j0", "x", "", "ee_x", "J5"])


@_rows
def second_header(table: list[list[str]], rng: random.Random) -> None:
    header = list(table[0])
    if rng.random() < 0.3:
        rng.shuffle(header)
    table.insert(rng.randint(2, len(table)), header)


@_rows
def blank_line(table: list[list[str]], rng: random.Random) -> None:
    table.insert(rng.randint(0, len(table)), [""])


@_rows
def swap_lines(table: list[list[str]], rng: random.Random) -> None:
    a, b = rng.randrange(len(table)), rng.randrange(len(table))
    table[a], table[b] = table[b], table[a]


BREAKING: tuple[Mutation, ...] = (
    flip_a_byte, lose_bytes, double_bytes, cut_off, put_in, change_the_encoding, mix_delimiters, mix_locales,
    join_lines, cut_a_line, drop_a_cell, spoil_a_cell, swap_names, rename_a_column, second_header, blank_line,
    swap_lines,
)  # fmt: skip
