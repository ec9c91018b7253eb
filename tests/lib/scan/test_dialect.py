"""Encodings, line ends, delimiters and decimal marks, by rule and not by sample."""

from __future__ import annotations

import codecs

import pytest

from lib.scan import COLUMNS, ScanOptions
from lib.scan.dialect import decimal_mark, plain_text
from lib.scan.layout import Layout, layout_of
from lib.scan.refusal import Unreadable

TEXT = "a,b\n1,2\n3,4\n"


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        (TEXT.encode(), "utf-8"),
        (codecs.BOM_UTF8 + TEXT.encode(), "utf-8-sig"),
        (codecs.BOM_UTF16_LE + TEXT.encode("utf-16-le"), "utf-16-le"),
        (codecs.BOM_UTF16_BE + TEXT.encode("utf-16-be"), "utf-16-be"),
        (codecs.BOM_UTF32_LE + TEXT.encode("utf-32-le"), "utf-32-le"),
        (codecs.BOM_UTF32_BE + TEXT.encode("utf-32-be"), "utf-32-be"),
    ],
)
def test_a_byte_order_mark_says_the_encoding(data: bytes, encoding: str) -> None:
    text = plain_text(data)
    assert (text.data, text.encoding) == (TEXT.encode(), encoding)


@pytest.mark.parametrize(("end", "name"), [("\n", "LF"), ("\r\n", "CRLF"), ("\r", "CR")])
@pytest.mark.parametrize("behind", ["", "\n", " \n\t\n", "\n\n  "])
def test_line_ends_and_blank_lines_at_the_end_do_not_matter(end: str, name: str, behind: str) -> None:
    text = plain_text((TEXT + behind).replace("\n", end).encode())
    assert (text.data, text.line_end, text.cut) == (TEXT.encode(), name, False)


def test_mixed_line_ends_are_each_one_line() -> None:
    text = plain_text(b"a\r\nb\rc\nd\r\n")
    assert (text.data, text.line_end) == (b"a\nb\nc\nd\n", "mixed")


def test_a_last_line_without_its_end_is_known() -> None:
    assert plain_text(b"a\n1").cut
    assert plain_text(b"a\n1\t").data == b"a\n1\t"  # a tab may separate an empty last cell


def test_bytes_of_another_encoding_cannot_become_part_of_a_number() -> None:
    text = plain_text(codecs.BOM_UTF16_LE + TEXT.encode("utf-16-le") + b"5")  # torn in a character
    assert text.data == TEXT.encode() + b"\\x35"


def layout(text: str, options: ScanOptions | None = None) -> Layout:
    return layout_of(plain_text(text.encode()), options or ScanOptions())


def refusal(text: str, options: ScanOptions | None = None) -> str:
    with pytest.raises(Unreadable) as refused:
        layout(text, options)
    return str(refused.value)


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_the_header_says_the_delimiter(delimiter: str) -> None:
    assert layout(delimiter.join(COLUMNS) + "\n").delimiter == delimiter


def test_a_delimiter_inside_an_ignored_name_does_not_mislead() -> None:
    found = layout(";".join(["time, s", "a, b, c", *COLUMNS]) + "\n")
    assert (found.delimiter, found.positions) == (";", tuple(range(2, 11)))


def test_lines_are_counted_from_the_files_first_also_above_the_header() -> None:
    text = "\n \n" + ",".join(COLUMNS) + "\n"
    found = layout(text)
    assert (found.first_line, found.start) == (4, len(text))


@pytest.mark.parametrize(
    ("delimiter", "rows", "mark"),
    [
        (",", "1,5;2.5\n", "."),
        (";", "1,5;2\n", ","),
        (";", "1.5;2\n", "."),
        (";", "1;2\n", "."),
        (";", "1;2\n3;0,5\n4;0.5\n", ","),
        (";", "1;2\n3;0.5\n4;0,5\n", "."),
        ("\t", "1\t1.234,5\n", ","),
        (";", "1;2;12.07.2026\n3,5;4;\n", ","),
    ],
)
def test_the_first_marked_cell_of_a_wanted_column_decides(delimiter: str, rows: str, mark: str) -> None:
    assert decimal_mark(delimiter, rows.encode(), 0, (0, 1)) == mark


def test_a_first_line_of_numbers_is_no_header() -> None:
    for line in ("1,2.5,-3", "1,5;2;NaN", "0.5"):
        assert "header missing" in refusal(line + "\n")


ORDER = ScanOptions(column_order=("time", *COLUMNS))


@pytest.mark.parametrize(
    ("row", "delimiter", "mark"),
    [
        ("0,1.5,2,3,4,5,6,7,8,9", ",", "."),
        ("0;1,5;2;3;4;5;6;7;8;9", ";", ","),
        # Nine commas cut this into ten cells too; no number holds a semicolon.
        ("0,1;1,5;2,1;3,1;4,1;5,1;6,1;7,1;8,1;9", ";", ","),
    ],
)
def test_an_order_given_is_the_header_of_a_file_without_one(row: str, delimiter: str, mark: str) -> None:
    found = layout(row + "\n", ORDER)
    assert (found.delimiter, found.decimal_mark, found.first_line, found.start) == (delimiter, mark, 1, 0)
    assert found.positions == tuple(range(1, 10))


def test_an_order_that_does_not_fit_the_first_row_is_refused_with_the_counts() -> None:
    assert "10 cells expected by --columns, counted 1 by tabs, 1 by semicolons, 3 by commas" in refusal(
        "1,2,3\n", ORDER
    )


def test_an_order_for_a_file_that_has_a_header_is_refused() -> None:
    assert "a header where --columns says that there is none" in refusal("time," + ",".join(COLUMNS), ORDER)


def test_binary_files_are_called_so() -> None:
    assert "NUL bytes" in refusal("e\0e\0_\0x\0\n")
    assert "not a text file" in refusal("\x7fELF\x01\x02\n")


def test_nothing_but_blank_lines_is_an_empty_file() -> None:
    assert "empty file" in refusal("\n \n\t\n")
