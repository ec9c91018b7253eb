"""A condition's range holds exactly the values that meet it, to the last bit."""

from __future__ import annotations

from math import inf, nextafter

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from lib.lookup.column import Column
from lib.lookup.condition import Around, Between, Condition, ranges_of

NUMBERS = st.floats(-200, 200, allow_nan=False)


def beside(value: float) -> list[float]:
    """A value and its neighbours among floating-point numbers."""
    around = [value]
    for towards in (-inf, inf):
        step = value
        for _ in range(6):
            step = nextafter(step, towards)
            around.append(step)
    return around


def agree(conditions: list[Condition], values: list[float]) -> None:
    cells = np.array(values)
    meets = np.all([condition.holds(cells) for condition in conditions], axis=0)
    ranges, remaining = ranges_of(conditions)
    inside = np.all([wanted.holds(cells) for wanted in ranges], axis=0)
    assert not np.any(meets & ~inside)
    for condition in remaining:
        inside = inside & condition.holds(cells)
    assert np.array_equal(meets, inside)


@given(NUMBERS, st.floats(0, 50))
@example(1.0, 1.0)
@example(0.1, 0.015)
@example(31.215, 5.0)
@example(0.0, 0.0)
@example(1e-300, 1.0)
def test_the_range_around_a_centre_ends_where_the_computed_difference_does(
    centre: float, tolerance: float
) -> None:
    ends = [*beside(centre - tolerance), *beside(centre + tolerance), centre, 0.0]
    agree([Around(Column.J1, centre, tolerance)], ends)


@given(st.lists(st.tuples(NUMBERS, st.floats(0, 50), st.booleans()), min_size=1, max_size=4), NUMBERS)
def test_conditions_on_one_column_become_one_range(
    drawn: list[tuple[float, float, bool]], value: float
) -> None:
    conditions: list[Condition] = [
        Around(Column.J0, a, b) if around else Between(Column.J0, a, a + b) for a, b, around in drawn
    ]
    ends = [end for a, b, _ in drawn for at in (a - b, a, a + b) for end in beside(at)]
    agree(conditions, [value, *ends])
    assert len(ranges_of(conditions)[0]) == 1


def test_bounds_of_the_published_pose_need_no_second_look() -> None:
    conditions = [
        Around(Column(Column.J0 + k), angle, 15.0)
        for k, angle in enumerate((36.215, 57.0, 20.0, -12.0, -86.0, -30.0))
    ]
    ranges, remaining = ranges_of([*conditions, Around(Column.EE_Y, 0.1, 0.015)])
    assert len(ranges) == 7 and not remaining
