"""Scan requests: base poses in, the twin's grid out, poses counted as they are stored."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lib.scan import ROWS_PER_BASE, ScanRefused, ScanRequest, as_stored, expand, read_request, request_text
from lib.scan.request import request_beside

PUBLISHED = np.array(
    [
        [36.215, 57, 20, -7, -86, -30],
        [36.215, 57, 20, -17, -86, -30],
        [31.215, 57, 20, -17, -86, -30],
        [31.215, 57, 20, -22, -86, -30],
    ]
)


def read(tmp_path: Path, text: str) -> ScanRequest:
    path = tmp_path / "bases.csv"
    path.write_text(text, encoding="utf-8")
    return read_request(path)


def refusal(tmp_path: Path, text: str) -> ScanRefused:
    with pytest.raises(ScanRefused) as refused:
        read(tmp_path, text)
    return refused.value


def test_the_published_bases_give_67228_rows_of_which_26411_differ() -> None:
    request = ScanRequest(PUBLISHED, exact=False)
    assert request.expected_rows == 67_228
    assert request.distinct_poses() == 26_411


def test_the_grid_is_nested_with_j0_outermost_and_leaves_j5_alone() -> None:
    poses = expand(np.zeros((1, 6)))
    assert poses.shape == (ROWS_PER_BASE, 6) == (16_807, 6)
    offsets = [-15, -10, -5, 0, 5, 10, 15]
    assert poses.tolist() == [
        [a, b, c, d, e, 0]
        for a in offsets
        for b in offsets
        for c in offsets
        for d in offsets
        for e in offsets
    ]


def test_expansion_is_in_single_precision_and_bases_stay_in_order() -> None:
    bases = np.array([[36.215, 1, 2, 3, 4, 5], [31.215, 1, 2, 3, 4, 5]])
    poses = expand(bases)
    assert poses.dtype == np.float32
    assert poses[0, 0] == np.float32(36.215) + np.float32(-15)
    assert poses[ROWS_PER_BASE, 0] == np.float32(31.215) + np.float32(-15)


def test_two_sums_that_differ_in_single_precision_are_one_stored_angle() -> None:
    sums = np.array([36.215, 66.215], dtype=np.float32) + np.array([15, -15], dtype=np.float32)
    assert sums[0] != sums[1]
    assert as_stored(sums).tolist() == [51.215, 51.215]


@pytest.mark.parametrize(
    "text",
    [
        "36.215,57,20,-7,-86,-30\n",
        "j0,j1,j2,j3,j4,j5\n36.215,57,20,-7,-86,-30\n",
        "# around the box\n\nJ0, J1, J2, J3, J4, J5\n# first\n 36.215, 57, 20, -7, -86, -30",
        "36,215;57;20;-7;-86;-30\r\n",
        "j0\tj1\tj2\tj3\tj4\tj5\n36.215\t57\t20\t-7\t-86\t-30\n",
        "\ufeff36.215,57,20,-7,-86,-30\n\n\n",
    ],
)
def test_a_request_is_read_with_or_without_header_comments_and_locale(tmp_path: Path, text: str) -> None:
    request = read(tmp_path, text)
    assert request.bases.tolist() == [[36.215, 57.0, 20.0, -7.0, -86.0, -30.0]]
    assert not request.exact


@pytest.mark.parametrize("announcement", ["# exact poses", "#EXACT", "#  exact pose"])
def test_exact_poses_are_not_expanded(tmp_path: Path, announcement: str) -> None:
    request = read(tmp_path, f"{announcement}\n1,2,3,4,5,6\n7,8,9,10,11,12\n1,2,3,4,5,6\n")
    assert request.exact
    assert request.expected_rows == 3
    assert request.distinct_poses() == 2
    assert request.poses().tolist() == [[1, 2, 3, 4, 5, 6], [7, 8, 9, 10, 11, 12], [1, 2, 3, 4, 5, 6]]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("1,2,3,4,5\n", "line 1: 5 fields for 6 joints (found 1,2,3,4,5)"),
        ("# bases\n1,2,3,4,5,6\n1,2,NaN,4,5,6\n", "line 3, column j2: NaN is not a measurement (found NaN)"),
        ("1,2,3,4,5,6\nj0,j1,j2,j3,j4,j5\n", "line 2, column j0: not a number (found j0)"),
        ("j1,j0,j2,j3,j4,j5\n1,2,3,4,5,6\n", "line 1, column j0: not a number (found j1)"),
        ("1,5;2;3;4;5;6.5\n", "line 1, column j0: decimal comma in a file of decimal points (found 1,5)"),
        ("1,2,3,4,5,6\n# exact poses\n", "line 2: exact poses announced below the first pose"),
        ("# nothing\nj0,j1,j2,j3,j4,j5\n", "no pose in the request"),
        ("", "empty file"),
    ],
)
def test_a_bad_request_is_refused_at_its_line(tmp_path: Path, text: str, problem: str) -> None:
    assert str(refusal(tmp_path, text).problems[0]).startswith(problem)


def test_every_problem_of_a_request_is_counted(tmp_path: Path) -> None:
    error = refusal(tmp_path, "x,2,3,4,5,6\n" * 12)
    assert (len(error.problems), error.problem_count) == (10, 12)


def test_a_missing_request_is_bad_input(tmp_path: Path) -> None:
    with pytest.raises(ScanRefused, match="no such file"):
        read_request(tmp_path / "none.csv")


@settings(deadline=None, max_examples=50)
@given(
    st.lists(st.lists(st.floats(-400, 400), min_size=6, max_size=6), min_size=1, max_size=5), st.booleans()
)
def test_a_request_written_is_read_back_equal(
    tmp_path_factory: pytest.TempPathFactory, bases: list[list[float]], exact: bool
) -> None:
    request = ScanRequest(np.array(bases), exact)
    again = read(tmp_path_factory.mktemp("request"), request_text(request))
    assert np.array_equal(again.bases, request.bases)
    assert again.exact == exact


def test_a_scan_whose_name_leaves_no_room_for_a_request_beside_it_has_none(tmp_path: Path) -> None:
    assert request_beside(tmp_path / ("a" * 250 + ".csv")) is None


@pytest.mark.parametrize("scan", ["a.csv", "a.csv.gz", "a.parquet", "a.CSV", "a.txt", "a"])
def test_the_request_beside_a_scan_is_found_by_name(tmp_path: Path, scan: str) -> None:
    assert request_beside(tmp_path / scan) is None
    (tmp_path / "a.request.csv").write_text("1,2,3,4,5,6\n")
    assert request_beside(tmp_path / scan) == tmp_path / "a.request.csv"
