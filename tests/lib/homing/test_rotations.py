"""Turns as vectors, matrices and quaternions are one and the same."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from lib.homing.rotations import quaternion_of, rotation_of, rotation_of_quaternion, vector_of

RANDOM = np.random.default_rng(1)
VECTORS = [RANDOM.normal(size=3) for _ in range(100)]
HALF_TURNS = [np.pi * np.eye(3)[k] for k in range(3)]


def test_rotations_are_scipys() -> None:
    np.testing.assert_allclose(
        rotation_of(np.array(VECTORS)), Rotation.from_rotvec(VECTORS).as_matrix(), atol=1e-14
    )


@pytest.mark.parametrize("size", [0.0, 1e-12, 1e-7, 1e-3])
def test_small_turns_keep_their_digits(size: float) -> None:
    vector = size * np.array([0.6, -0.8, 0.0])
    np.testing.assert_allclose(vector_of(rotation_of(vector)), vector, rtol=1e-9, atol=1e-16)


@pytest.mark.parametrize("vector", [*VECTORS[:20], *HALF_TURNS])
def test_a_turn_comes_back_from_its_matrix(vector: np.ndarray) -> None:
    np.testing.assert_allclose(rotation_of(vector_of(rotation_of(vector))), rotation_of(vector), atol=1e-12)


@pytest.mark.parametrize("vector", [*VECTORS[:20], *HALF_TURNS])
def test_a_turn_comes_back_from_its_quaternion(vector: np.ndarray) -> None:
    rotation = rotation_of(vector)
    quaternion = quaternion_of(rotation)
    assert quaternion[0] >= 0
    np.testing.assert_allclose(rotation_of_quaternion(quaternion), rotation, atol=1e-12)
    expected = Rotation.from_matrix(rotation).as_quat(canonical=True, scalar_first=True)
    assert min(abs(quaternion - expected).max(), abs(quaternion + expected).max()) < 1e-12
