"""Versions share segments so that there are few of them and rows seldom move."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.lookup.index.span import Span, VersionLine, ancestry, last_rows_from, spans

SIZES = st.lists(st.integers(0, 2_000_000), max_size=60)


def line_of(sizes: list[int]) -> list[VersionLine]:
    """An unbroken history whose versions added these many rows."""
    return [
        VersionLine(k + 1, k or None, sum(sizes[:k]), size, f"content {k + 1}")
        for k, size in enumerate(sizes)
    ]


@given(SIZES)
def test_spans_cover_the_ancestry_in_order_and_more_than_halve_from_one_to_the_next(sizes: list[int]) -> None:
    chain = line_of(sizes)
    cut = spans(chain)
    assert [line for span in cut for line in span.versions] == chain
    assert [span.below for span in cut] == [
        tuple(chain[: chain.index(span.versions[0])]) if span.versions else () for span in cut
    ]
    assert all(large.rows > 2 * small.rows for large, small in pairwise(cut))


@given(SIZES, st.data())
def test_the_last_rows_are_those_from_a_number_on_also_where_a_branch_left_a_gap(
    sizes: list[int], data: st.DataObject
) -> None:
    gaps = data.draw(st.lists(st.integers(0, 50), min_size=len(sizes), max_size=len(sizes)))
    lines = [
        VersionLine(k + 1, k or None, sum(sizes[:k]) + sum(gaps[:k]), size, f"content {k + 1}")
        for k, size in enumerate(sizes)
    ]
    wanted = data.draw(st.integers(0, sum(sizes)))
    first = last_rows_from(lines, wanted)
    rows_from = [max(0, line.first_row + line.added - max(first, line.first_row)) for line in lines]
    assert sum(rows_from) == wanted


def test_nights_beside_a_large_scan_make_few_segments_and_move_each_row_seldom() -> None:
    sizes = [1_660_000, *[67_228] * 300]
    chain = line_of(sizes)
    moved, known, most = 0, set(), 0
    for end in range(1, len(chain) + 1):
        cut = spans(chain[:end])
        moved += sum(span.rows for span in cut if span.key not in known)
        known |= {span.key for span in cut}
        most = max(most, len(cut))
    assert most <= 8
    assert moved <= 8 * sum(sizes)


def test_the_next_version_leaves_the_large_segment_alone() -> None:
    before, after = (spans(line_of([1_660_000, *[67_228] * nights])) for nights in (0, 1))
    assert before == after[:1]
    assert [span.file_name.split("-")[0] for span in after] == ["1", "2"]


FIRST, SECOND = line_of([100, 10])


@pytest.mark.parametrize(
    "other",
    [
        Span((replace(SECOND, content_md5="other"),), (FIRST,)),
        Span((SECOND,), (replace(FIRST, content_md5="other"),)),
        Span((SECOND,), ()),
        Span((replace(SECOND, first_row=200),), (FIRST,)),
        Span((replace(SECOND, added=11),), (FIRST,)),
        Span((FIRST, SECOND), ()),
    ],
)
def test_a_segment_is_tied_to_its_rows_their_numbers_and_those_below(other: Span) -> None:
    assert other.key != Span((SECOND,), (FIRST,)).key
    assert Span((replace(SECOND, parent=7),), (FIRST,)).key == Span((SECOND,), (FIRST,)).key


def test_an_ancestry_follows_the_parents_and_knows_when_one_is_missing() -> None:
    lines = line_of([5, 4, 3])
    branch = VersionLine(4, 1, 12, 2, "branch")
    assert [line.version for line in ancestry([*lines, branch], 4)] == [1, 4]
    assert ancestry(lines, 9) == ancestry(lines[1:], 3) == []
    assert ancestry([replace(lines[0], parent=2), lines[1]], 2) == []
