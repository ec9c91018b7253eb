"""A state says how sure it is, and null stays null."""

from __future__ import annotations

import json
import math

import pytest

from lib.errors import BadInput
from lib.homing.state import flat_state, movement, seed_of, unseen
from lib.robot import load_machine

MACHINE = load_machine("rail7")
X, Y = MACHINE.variables[:2]


@pytest.mark.parametrize(
    ("std_deg", "confidence"),
    [
        (0.01, "high"),
        (0.1, "high"),
        (0.11, "high"),
        (0.12, "medium"),
        (0.5, "medium"),
        (0.6, "low"),
        (5, "low"),
    ],
)
def test_a_deviation_has_its_class(std_deg: float, confidence: str) -> None:
    found = movement(Y, 0.5, math.radians(std_deg) * (1 - 1e-12), 3, "pixel_ba")
    assert found.confidence == confidence
    assert found.value == pytest.approx(math.degrees(0.5))
    assert found.std == pytest.approx(std_deg)
    assert found.sendable == (confidence in ("high", "medium"))


def test_high_means_within_three_tenths_of_a_degree_99_times_of_100() -> None:
    beyond = math.erfc(0.3 / 0.11 / math.sqrt(2))  # both tails, at the class's own edge
    assert beyond < 0.01


@pytest.mark.parametrize(("std_mm", "confidence"), [(0.2, "high"), (1.0, "medium"), (5.0, "low")])
def test_a_shift_is_told_in_millimetres(std_mm: float, confidence: str) -> None:
    found = movement(X, 0.19396, std_mm / 1000, 5, "hybrid")
    assert (found.unit, found.confidence) == ("mm", confidence)
    assert found.value == pytest.approx(193.96)


@pytest.mark.parametrize(
    ("value", "std", "markers"),
    [(0.1, math.radians(6), 3), (0.1, math.inf, 3), (0.1, 0.001, 0), (math.nan, 0.001, 3)],
)
def test_what_cannot_be_told_has_no_value(value: float, std: float, markers: int) -> None:
    found = movement(Y, value, std, markers, "pixel_ba")
    assert found == unseen(Y)
    assert (found.value, found.observable, found.confidence, found.sendable) == (None, False, "none", False)


def test_what_speaks_against_a_value_caps_its_confidence() -> None:
    assert movement(Y, 0.1, 1e-4, 3, "chain", "medium").confidence == "medium"
    assert movement(Y, 0.1, math.radians(1), 3, "chain", "medium").confidence == "low"


def test_null_stays_null_through_the_flat_state_and_back() -> None:
    movements = [movement(X, 0.1, 1e-5, 3, "pixel_ba"), unseen(Y)]
    flat = json.loads(json.dumps(flat_state(movements)))
    assert flat == {"x": pytest.approx(100.0), "y": None}
    assert seed_of(MACHINE, flat, "state.json") == {0: pytest.approx(0.1)}


@pytest.mark.parametrize(
    "document",
    [
        {"x": 193.96, "y": 25.74, "b": None},
        {"accumulated_state": {"x": 193.96, "y": 25.74}},
        {"movements": {"x": {"value": 193.96, "unit": "mm"}, "y": {"value": 25.74}, "b": {"value": None}}},
        {"state": {"x": 193.96, "y": 25.74}, "confident": True},
    ],
)
def test_a_seed_comes_in_every_form_of_a_state(document: object) -> None:
    seed = seed_of(MACHINE, document, "state.json")
    assert seed == {0: pytest.approx(0.19396), 1: pytest.approx(math.radians(25.74))}


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ({"q": 1.0}, "state.json: q is no variable of rail7; expected x, y, z, a, b, c or e"),
        ({"x": "12"}, "state.json: x is '12'; expected degrees, millimetres or null"),
        ({"x": True}, "state.json: x is True; expected"),
        ({"x": math.nan}, "state.json: x is nan; expected"),
        ([1, 2], "state.json: expected a state, {variable: value}"),
    ],
)
def test_what_is_no_state_is_refused(document: object, message: str) -> None:
    with pytest.raises(BadInput) as refusal:
        seed_of(MACHINE, document, "state.json")
    assert str(refusal.value).startswith(message)
