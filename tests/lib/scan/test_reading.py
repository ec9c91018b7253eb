"""Whole files in: every dialect reads back bit-equal, everything else is one clear refusal."""

from __future__ import annotations

import gzip
import os
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lib.scan import COLUMNS, ScanOptions, ScanReading, ScanRefused, read_scan
from lib.scan.rows import PIECE_BYTES
from tests.lib.scan.scan_files import encoded, texts_of, twin_points, write_scan

BELIEVED = ScanOptions(angle_unit="deg", length_unit="m")


def read(
    tmp_path: Path, data: bytes, options: ScanOptions | None = None, name: str = "scan.csv"
) -> ScanReading:
    path = tmp_path / name
    path.write_bytes(data)
    return read_scan(path, options)


def refusal(tmp_path: Path, data: bytes, options: ScanOptions | None = None) -> ScanRefused:
    with pytest.raises(ScanRefused) as refused:
        read(tmp_path, data, options)
    message = str(refused.value)
    assert message.startswith(f"{tmp_path / 'scan.csv'}: ")
    assert "\n" not in message
    return refused.value


@settings(deadline=None, max_examples=150)
@given(
    st.lists(
        st.tuples(*[st.floats(-10, 10)] * 3, *[st.floats(-36_000, 36_000)] * 6),
        min_size=1,
        max_size=6,
    ),
    st.permutations(COLUMNS),
    st.sampled_from([(",", "."), (";", "."), (";", ","), ("\t", "."), ("\t", ",")]),
    st.sampled_from(["\n", "\r\n", "\r"]),
    st.sampled_from(["utf-8", "utf-8-sig", "utf-16-le", "utf-16-be"]),
    st.sampled_from([str.upper, str.lower, " {} ".format, '"{}"'.format]),
)
def test_any_table_in_any_dialect_reads_back_bit_equal(
    tmp_path_factory: pytest.TempPathFactory,
    rows: list[tuple[float, ...]],
    order: list[str],
    locale: tuple[str, str],
    line_end: str,
    encoding: str,
    dress: object,
) -> None:
    assert callable(dress)
    points = np.array(rows)
    cells = np.array(texts_of(points), dtype=object)[:, [COLUMNS.index(name) for name in order]].tolist()
    cells[0] = [dress(name) for name in cells[0]]
    data = encoded(cells, *locale, line_end, encoding)
    reading = read(tmp_path_factory.mktemp("dialect"), data, BELIEVED)
    assert reading.points.tobytes() == (points + 0.0).tobytes()
    assert reading.lines.tolist() == list(range(2, len(rows) + 2))
    assert (reading.encoding, reading.delimiter) == (encoding, locale[0])


def test_a_file_of_many_pieces_keeps_order_and_line_numbers(tmp_path: Path) -> None:
    points = twin_points(15_000)
    cells = texts_of(points)
    bad = [1_500, 1_501, 14_999]  # lines 1502, 1503 and the last
    for row in bad:
        cells[row + 1][4] = "NaN"
    data = encoded(cells)
    assert len(data) > 4 * PIECE_BYTES
    reading = read(tmp_path, data, ScanOptions(quarantine=True))
    assert reading.points.tobytes() == np.delete(points, bad, axis=0).tobytes()
    assert reading.lines.tolist() == [row + 2 for row in range(15_000) if row not in bad]
    assert [reject.line for reject in reading.rejects] == [1_502, 1_503, 15_001]


def test_the_first_ten_problems_are_shown_and_all_are_counted(tmp_path: Path) -> None:
    cells = texts_of(twin_points(3_000))
    for row in cells[1:]:
        row[8] = "Infinito"
    error = refusal(tmp_path, encoded(cells))
    assert error.problem_count == 3_000
    assert [problem.line for problem in error.problems] == list(range(2, 12))
    assert ", and 2,999 more; " in str(error)


def test_spaces_after_commas_and_upper_case_headers_are_read(tmp_path: Path) -> None:
    points = twin_points(50)
    data = encoded(texts_of(points)).upper().replace(b",", b", ")
    assert read(tmp_path, data).points.tobytes() == points.tobytes()


@pytest.mark.parametrize(("delimiter", "decimal_mark"), [(",", "."), (",", ","), (";", ","), ("\t", ".")])
def test_a_file_quoted_throughout_is_read(tmp_path: Path, delimiter: str, decimal_mark: str) -> None:
    points = twin_points(5_000)
    cells = [[f'"{cell}"' for cell in row] for row in texts_of(points)]
    reading = read(tmp_path, encoded(cells, delimiter, decimal_mark))
    assert reading.points.tobytes() == points.tobytes()
    assert reading.decimal_mark == decimal_mark


def test_a_note_in_quotes_may_hold_the_delimiter(tmp_path: Path) -> None:
    points = twin_points(3)
    table = [[*row, '"one, ""two"""'] for row in texts_of(points)]
    assert read(tmp_path, encoded(table)).points.tobytes() == points.tobytes()


def test_a_last_line_without_its_end_is_read_with_a_note(tmp_path: Path) -> None:
    points = twin_points(3)
    reading = read(tmp_path, encoded(texts_of(points)).rstrip(b"\n"))
    assert reading.points.tobytes() == points.tobytes()
    assert reading.notes == (
        "the last line has no line end: its cells were all read, but it may have been cut in its last digits",
    )
    assert read(tmp_path, encoded(texts_of(points))).notes == ()


def test_a_scan_that_was_killed_and_went_on_in_append_mode_is_refused_where_it_broke(tmp_path: Path) -> None:
    data = encoded(texts_of(twin_points(4)))
    joined = data[:-30] + data
    error = refusal(tmp_path, joined)
    assert error.problems[0].line == 5
    assert "joined to a second header line" in error.problems[0].rule
    kept = read(tmp_path, joined, ScanOptions(quarantine=True))
    assert kept.points.tobytes() == np.concatenate([twin_points(4)[:3], twin_points(4)]).tobytes()


def test_a_decimal_mark_of_the_other_locale_is_a_problem_of_its_cell(tmp_path: Path) -> None:
    data = encoded(texts_of(twin_points(4)), ";", ",").splitlines(keepends=True)
    data[3] = data[3].replace(b",", b".")
    problem = refusal(tmp_path, b"".join(data)).problems[0]
    assert (problem.line, problem.column) == (4, "ee_x")
    assert problem.rule == "decimal point in a file of decimal commas"


def test_nothing_is_kept_of_a_file_whose_every_row_is_bad(tmp_path: Path) -> None:
    cells = texts_of(twin_points(2))
    cells[1][0] = cells[2][0] = ""
    error = refusal(tmp_path, encoded(cells), ScanOptions(quarantine=True))
    assert "not one good row is left" in str(error)


def test_a_second_header_of_other_columns_is_refused_even_with_quarantine(tmp_path: Path) -> None:
    data = encoded(texts_of(twin_points(2)))
    other = data + ",".join(COLUMNS[::-1]).encode() + b"\n" + data.split(b"\n", 1)[1]
    error = refusal(tmp_path, other, ScanOptions(quarantine=True))
    assert str(error.problems[0]).startswith("line 4: second header line, with other columns")


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"", "empty file"),
        (b"\n\n", "empty file"),
        (b"\xef\xbb\xbf", "empty file"),
        (",".join(COLUMNS).encode(), "no rows below the header"),
        (b"\x00\x01\x02\x03", "NUL bytes"),
        (bytes(range(256)) * 50, "NUL bytes"),
        (bytes(range(1, 256)) * 50, "control characters: not a text file"),
        (encoded(texts_of(twin_points(2))).decode().encode("utf-16-le"), "UTF-16 without a byte order mark"),
        (b"PK\x03\x04 and so on", "a zip archive or an Excel workbook"),
        (b"hello\nworld\n", "missing columns ee_x, ee_y, ee_z, j0"),
    ],
)
def test_what_is_no_scan_at_all_is_one_clear_line(tmp_path: Path, data: bytes, problem: str) -> None:
    assert problem in str(refusal(tmp_path, data))


def test_nul_bytes_behind_good_rows_are_refused_at_their_line(tmp_path: Path) -> None:
    data = encoded(texts_of(twin_points(3)))
    assert refusal(tmp_path, data + b"\0" * 5_000).problems[0].line == 5
    assert len(read(tmp_path, data + b"\0" * 5_000, ScanOptions(quarantine=True)).points) == 3


def test_paths_that_hold_no_file_are_one_clear_line(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.csv")
    (tmp_path / "dangling.csv").symlink_to(tmp_path / "nowhere")
    for name, problem in [
        ("", "a directory, not a file"),
        ("none.csv", "no such file"),
        ("dangling.csv", "no such file"),
        ("pipe.csv", "a device or pipe"),
        ("a" * 300, "not readable: File name too long"),
    ]:
        with pytest.raises(ScanRefused, match=problem):
            read_scan(tmp_path / name)


def _read_as_nobody(path: Path, answer: Connection) -> None:
    if os.geteuid() == 0:  # root reads everything
        os.setuid(65534)
    try:
        read_scan(path)
    except ScanRefused as refused:
        answer.send(str(refused))


@pytest.mark.parametrize("without_rights", ["a.csv", "."])
def test_a_file_or_folder_without_the_right_to_read_it_is_one_clear_line(
    tmp_path: Path, without_rights: str
) -> None:
    path = write_scan(tmp_path / "a.csv", twin_points(2))
    (tmp_path / without_rights).chmod(0)
    processes = get_context("forkserver")
    here, there = processes.Pipe(duplex=False)
    child = processes.Process(target=_read_as_nobody, args=(path, there))
    child.start()
    assert here.poll(60)
    assert "a.csv: not readable: permission denied" in here.recv()
    child.join(60)
    tmp_path.chmod(0o700)


def test_gzip_is_read_whatever_it_is_called(tmp_path: Path) -> None:
    points = twin_points(100)
    data = gzip.compress(encoded(texts_of(points), ";", ",", "\r\n", "utf-16-le"))
    assert read(tmp_path, data).points.tobytes() == points.tobytes()


def test_a_torn_or_damaged_gzip_is_refused(tmp_path: Path) -> None:
    data = gzip.compress(encoded(texts_of(twin_points(100))))
    for torn in (
        data[:-1],
        data[: len(data) // 2],
        data[:5],
        data[:-8] + b"12345678",
        data[:100] + b"x" + data[101:],
    ):
        assert "torn or damaged gzip" in str(refusal(tmp_path, torn))


def test_no_byte_of_a_file_name_breaks_the_message(tmp_path: Path) -> None:
    path = tmp_path / os.fsdecode(b"a\nb\x1b\xff.csv")
    with pytest.raises(ScanRefused) as refused:
        read_scan(path)
    assert str(refused.value).isprintable()


BASES = "1,2,3,4,5,6\n7,8,9,10,11,12\n9,9,9,9,9,9\n"


@pytest.mark.parametrize("rows", [2, 4])
def test_fewer_or_more_rows_than_requested_are_refused_unless_partial(tmp_path: Path, rows: int) -> None:
    (tmp_path / "bases.csv").write_text("# exact poses\n" + BASES)
    data = encoded(texts_of(twin_points(rows)))
    error = refusal(tmp_path, data, ScanOptions(request=tmp_path / "bases.csv"))
    kind = "fewer" if rows < 3 else "more"
    assert str(error.problems[0]) == f"{kind} rows than the request asks for (found {rows} of 3)"
    reading = read(tmp_path, data, ScanOptions(request=tmp_path / "bases.csv", partial=True))
    assert reading.expected_rows == 3
    assert reading.notes == (f"{kind} rows than the request asks for: {rows} of 3",)


def test_a_request_beside_the_scan_is_known_without_being_named(tmp_path: Path) -> None:
    (tmp_path / "scan.request.csv").write_text(BASES)
    assert "found 10 of 50,421" in str(refusal(tmp_path, encoded(texts_of(twin_points(10)))))


def test_rows_set_aside_were_scanned_but_a_second_header_was_not(tmp_path: Path) -> None:
    (tmp_path / "scan.request.csv").write_text("# exact poses\n" + BASES)
    cells = texts_of(twin_points(3))
    cells[2][5] = "NaN"
    cells.insert(3, list(COLUMNS))
    reading = read(tmp_path, encoded(cells), ScanOptions(quarantine=True))
    assert (len(reading.points), len(reading.rejects), reading.notes) == (2, 2, ())
