"""The ideal body is where it is driven; an object between its fingers stops them."""

from __future__ import annotations

import numpy as np
import pytest

from lib.cell import Body, KinematicBody

POSE = [-35.0, 70, 25, 0, -85, -30]


def test_the_ideal_body_is_where_it_is_driven() -> None:
    body: Body = KinematicBody()
    assert body.encoders_deg().tolist() == [0.0] * 6
    body.drive(POSE, 40.0, 0.02)
    assert body.encoders_deg().tolist() == POSE
    assert body.gripper_value() == 40.0


def test_fingers_close_on_an_object_and_on_nothing_to_zero() -> None:
    body = KinematicBody()
    body.object_value = 50.0
    body.drive(POSE, 0.0, 1.0)
    assert body.gripper_value() == 50.0
    body.object_value = None
    body.drive(POSE, 0.0, 1.0)
    assert body.gripper_value() == 0.0
    # What comes between closed fingers is not held by them.
    body.object_value = 50.0
    body.drive(POSE, 0.0, 1.0)
    assert body.gripper_value() == 0.0


def test_a_released_arm_follows_a_hand_and_no_set_point() -> None:
    body = KinematicBody()
    with pytest.raises(RuntimeError, match="the servos hold the arm"):
        body.pose_by_hand(POSE)
    body.set_power(False)
    body.pose_by_hand(POSE)
    body.drive([0.0] * 6, 0.0, 1.0)
    assert body.encoders_deg().tolist() == POSE
    body.set_power(True)
    assert body.encoders_deg().tolist() == POSE


def test_what_is_read_is_a_copy() -> None:
    body = KinematicBody(POSE)
    body.encoders_deg()[0] = 1.0
    assert np.array_equal(body.encoders_deg(), POSE)


def test_set_points_that_are_no_six_angles_are_refused() -> None:
    for wrong in ([0.0] * 5, [0.0] * 5 + [float("nan")]):
        with pytest.raises(ValueError, match="expected six finite angles"):
            KinematicBody().drive(wrong, 0.0, 1.0)
