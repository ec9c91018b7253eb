"""The narrowest place of a path: named, and in agreement with what the check says."""

from __future__ import annotations

import numpy as np
import pytest

from lib.arm import check_path, gate_context, nearest
from lib.settings import Settings

CONTEXT = gate_context(Settings())
CUP = [40.0, 82.0, -36.0, 0.0, -50.0, 0.0]


def test_a_path_the_check_lets_pass_has_its_narrowest_place_named() -> None:
    path = np.linspace([40.0, 50.0, -20.0, 0.0, -42.0, 0.0], CUP, 20)
    assert check_path(CONTEXT, path).ok
    found = nearest(CONTEXT, path)
    assert found.row == 19 and 0.0 < found.clearance_m < 0.02
    assert (found.body, found.obstacle) in {("link4", "box wall right"), ("link5", "box wall right")}


def test_inside_a_keep_out_volume_it_is_what_the_check_refuses() -> None:
    path = [CUP, [40.0, 95.0, -36.0, 0.0, -50.0, 0.0]]
    verdict = check_path(CONTEXT, path)
    found = nearest(CONTEXT, path)
    assert not verdict.ok and found.row == 1
    assert (found.body, found.obstacle) == (verdict.numbers["body"], verdict.numbers["obstacle"])
    assert found.clearance_m == pytest.approx(verdict.numbers["clearance_m"])
    assert found.clearance_m < 0.0
