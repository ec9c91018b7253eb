"""Repeated rows, counted exactly."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from lib.scan import count_repeats
from tests.lib.scan.scan_files import twin_points


@settings(deadline=None)
@given(st.lists(st.tuples(*[st.sampled_from([0.0, 1.0, -1.0, 1e-300, 5e-324])] * 3), max_size=60))
def test_repeats_are_what_a_set_says(rows: list[tuple[float, ...]]) -> None:
    assert count_repeats(np.array(rows).reshape(-1, 3)) == len(rows) - len(set(rows))


def test_only_rows_equal_in_every_column_repeat() -> None:
    points = twin_points(5_000)
    near = points.copy()
    near[np.arange(5_000), np.arange(5_000) % 9] = np.nextafter(
        near[np.arange(5_000), np.arange(5_000) % 9], 9.0
    )
    assert count_repeats(np.concatenate([points, near])) == 0
    assert count_repeats(np.concatenate([points, near, points[::-1], points[:7]])) == 5_007
