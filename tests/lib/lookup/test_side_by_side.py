"""Many questions under bounds of their own, searched for together, answer as one by one they do."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from lib.lookup import NO_CANDIDATES, Request, Table, batch, lookup, lookup_many
from lib.lookup import side_by_side as module
from lib.lookup.column import Column
from lib.lookup.condition import Around, Between
from lib.lookup.questions import Questions
from lib.lookup.selection import select_each
from tests.lib.lookup.parts import table_of_segments
from tests.lib.lookup.test_campaign import pick_request, place_request, points


def mixed_requests(random: np.random.Generator, count: int) -> list[Request]:
    """Half PLACE, half PICK, in no order."""
    return [(place_request if random.random() < 0.5 else pick_request)(random) for _ in range(count)]


# With few questions a row each the rows stay in the order of the index, with many they are arranged.
@pytest.mark.parametrize(("rows", "questions"), [(0, 150), (1, 150), (40, 400), (1_000, 600), (60_000, 120)])
def test_the_answers_are_those_of_one_question_after_another(rows: int, questions: int) -> None:
    random = np.random.default_rng(rows + 7)
    cells, numbers = (
        points(random, rows) if rows else np.empty((0, 9)),
        np.cumsum(random.integers(1, 4, rows)),
    )
    table = table_of_segments(cells, numbers, 3 if rows > 100 else 1)
    requests = mixed_requests(random, questions)
    together = select_each(table, requests)
    assert together == [lookup(table, request) for request in requests]
    assert together == lookup_many(table, requests)
    assert rows == 0 or len({result.method for result in together}) > 2


def test_of_rows_that_are_all_equal_the_smallest_number_answers() -> None:
    random = np.random.default_rng(1)
    table = Table.from_points(np.repeat(points(random, 40)[3:4], 300, axis=0), np.arange(300) + 5)
    found = select_each(table, mixed_requests(random, 200))
    assert found is not None
    assert {result.fk_row for result in found} == {None, 5}


def test_questions_that_would_need_too_many_rows_are_answered_one_by_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    random = np.random.default_rng(2)
    table = table_of_segments(points(random, 6_000), np.arange(6_000), 2)
    requests = mixed_requests(random, 150)
    expected = lookup_many(table, requests)
    monkeypatch.setattr(module, "_MOST_ROWS", 1_000)
    assert select_each(table, requests) is None
    assert lookup_many(table, requests) == expected


def test_lots_of_questions_are_answered_lot_by_lot(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(4)
    table = table_of_segments(points(random, 6_000), np.arange(6_000), 2)
    requests = mixed_requests(random, 270) + [pick_request(random)] * 5
    requests += requests[40:150]  # of a kind with others, some of them in another lot
    requests = [requests[k] for k in random.permutation(len(requests))]
    monkeypatch.setattr(batch, "_MOST_TOGETHER", 150)
    assert lookup_many(table, requests) == [lookup(table, request) for request in requests]


def test_without_any_row_between_the_outermost_bounds_nothing_is_found() -> None:
    random = np.random.default_rng(3)
    cells = points(random, 2_000)
    cells[:, Column.EE_Y] += 5.0
    requests = [replace(place_request(random), without=frozenset()) for _ in range(120)]
    found = select_each(Table.from_points(cells), requests)
    assert found is not None and {result.method for result in found} == {NO_CANDIDATES}


def test_a_question_may_ask_one_difference_of_a_column_and_its_bounds_meet() -> None:
    asked = Questions.unasked(2, ())
    asked.ask(0, (0.1, 0.2), [Between(Column.J1, 10.0, 20.0), Around(Column.J1, 12.0, 3.0)], [])
    asked.ask(1, (0.1, 0.2), [Between(Column.J1, 1.0, 9.0)], [])
    (span,) = [wanted for wanted in asked.span if wanted.column == Column.J1]
    assert (span.low, span.high) == (1.0, pytest.approx(15.0, abs=1e-12)) and span.high >= 15.0
    assert asked.compared == [Column.J1]
    with pytest.raises(ValueError, match="two differences are asked of J1"):
        asked.ask(0, (0.1, 0.2), [Around(Column.J1, 12.0, 3.0), Around(Column.J1, 12.0, 4.0)], [])
