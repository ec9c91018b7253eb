"""The servo against worlds with a known error: it arrives, never swings, and stops when it should."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.place import Done, Look, Step, next_step
from lib.settings_place import ServoRules

TARGET = (-0.170, 0.190)
RULES = ServoRules()


class World:
    """An arm that meets its aim to `spacing_m` and a camera with a scale, a bias and noise."""

    def __init__(
        self, bias_m: tuple[float, float], spacing_m: float = 0.0, scale: float = 1.0, noise_m: float = 0.0
    ) -> None:
        self.bias, self.spacing, self.scale, self.noise = np.array(bias_m), spacing_m, scale, noise_m
        self.random = np.random.default_rng(5)

    def look(self, aim: tuple[float, float]) -> Look:
        at = np.array(aim)
        tip = np.round(at / self.spacing) * self.spacing if self.spacing else at
        seen = TARGET + self.scale * (tip + self.bias - TARGET) + self.random.normal(0, self.noise, 2)
        pose = f"{tip[0]:.6f},{tip[1]:.6f}"
        return Look(aim, (tip[0], 0.1, tip[1]), pose, (seen[0], seen[1]), max(self.noise, 1e-4))


def run(world: World, rules: ServoRules = RULES) -> tuple[Done, list[Look]]:
    looks = [world.look(TARGET)]
    while isinstance(step := next_step(TARGET, looks, rules), Step):
        looks.append(world.look(step.aim_m))
    return step, looks


@given(st.floats(-0.025, 0.025), st.floats(-0.025, 0.025))
def test_any_constant_error_is_brought_within_the_tolerance(dx: float, dz: float) -> None:
    done, looks = run(World((dx, dz)))
    assert done.arrived
    assert done.best.distance_m(TARGET) <= RULES.tolerance_m
    distances = [look.distance_m(TARGET) for look in looks]
    assert distances == sorted(distances, reverse=True)  # nearer with every look: it never swings


@pytest.mark.parametrize("scale", [0.5, 0.8, 1.25, 2.0])
def test_a_wrong_scale_of_the_camera_does_not_make_it_diverge(scale: float) -> None:
    done, looks = run(World((0.012, -0.009), scale=scale))
    assert done.best.distance_m(TARGET) <= looks[0].distance_m(TARGET) / 2
    assert len(looks) <= RULES.most_looks


def test_rows_apart_end_with_the_best_of_them_and_say_what_is_left() -> None:
    done, looks = run(World((0.006, 0.004), spacing_m=0.012))
    assert not done.arrived
    assert "left" in done.reason
    assert done.best.distance_m(TARGET) == min(look.distance_m(TARGET) for look in looks)
    assert len({look.pose for look in looks}) >= len(looks) - 1  # the same pose at most once more


def test_the_spacing_of_the_rows_is_not_taken_for_an_error() -> None:
    """A row 5 mm off its aim with no error in the world: the next aim is the target itself."""
    look = Look(TARGET, (TARGET[0] + 0.005, 0.1, TARGET[1]), "row", (TARGET[0] + 0.005, TARGET[1]), 1e-4)
    step = next_step(TARGET, [look], ServoRules(gain=1.0))
    assert isinstance(step, Step)
    assert step.aim_m == pytest.approx(TARGET, abs=1e-12)


def test_noise_near_the_tolerance_is_not_called_an_arrival() -> None:
    look = Look(TARGET, (TARGET[0], 0.1, TARGET[1]), "row", (TARGET[0] + 0.0025, TARGET[1]), 0.001)
    assert isinstance(next_step(TARGET, [look], RULES), Step)
    near = Look(TARGET, look.tip_m, "row", (TARGET[0] + 0.0019, TARGET[1]), 0.001)
    done = next_step(TARGET, [near], RULES)
    assert isinstance(done, Done)
    assert done.arrived


def test_a_step_that_does_not_help_ends_it_with_the_better_look() -> None:
    first = Look(TARGET, (TARGET[0], 0.1, TARGET[1]), "a", (TARGET[0] + 0.008, TARGET[1]), 1e-4)
    worse = Look(TARGET, (TARGET[0], 0.1, TARGET[1]), "b", (TARGET[0] + 0.009, TARGET[1]), 1e-4)
    done = next_step(TARGET, [first, worse], RULES)
    assert isinstance(done, Done)
    assert done.best is first
    assert "did not help" in done.reason


def test_no_step_is_longer_than_the_clamp() -> None:
    far = Look(TARGET, (TARGET[0], 0.1, TARGET[1]), "a", (TARGET[0] + 0.2, TARGET[1] - 0.1), 1e-4)
    step = next_step(TARGET, [far], RULES)
    assert isinstance(step, Step)
    assert math.dist(step.aim_m, TARGET) == pytest.approx(RULES.largest_step_m)


def test_without_a_look_there_is_no_step() -> None:
    with pytest.raises(ValueError, match="look"):
        next_step(TARGET, [], RULES)
