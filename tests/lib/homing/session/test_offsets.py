"""Offsets are camera minus encoder, the short way round, and only where the camera is sure."""

from __future__ import annotations

import pytest

from lib.homing.session import compare_offsets, sendable_offsets
from lib.homing.state import Movement

HIGH = [Movement(f"j{k}", 10.0 * k, "deg", "high", 4, 0.05, "pixel_ba") for k in range(6)]


def test_true_is_encoder_plus_offset() -> None:
    encoders = [0.5, 9.0, 20.25, 30.0, 41.0, 50.0]
    offsets = compare_offsets(HIGH, encoders, {}, 1.5)
    assert [o.offset_deg for o in offsets] == pytest.approx([-0.5, 1.0, -0.25, 0.0, -1.0, 0.0])
    assert sendable_offsets(offsets) == pytest.approx((-0.5, 1.0, -0.25, 0.0, -1.0, 0.0))
    assert all(o.jump_deg is None and o.alarm is None for o in offsets)


def test_angles_either_side_of_the_wrap_are_near() -> None:
    turned = [Movement("j5", -179.8, "deg", "high", 4, 0.05, "pixel_ba")]
    (offset,) = compare_offsets(turned, [179.9], {}, 1.5)
    assert offset.offset_deg == pytest.approx(0.3)


@pytest.mark.parametrize("confidence", ["low", "none"])
def test_an_unsure_joint_has_no_offset_and_nothing_is_sent(confidence: str) -> None:
    value = None if confidence == "none" else 50.0
    unsure = [*HIGH[:5], Movement("j5", value, "deg", confidence, 1, None, None)]
    offsets = compare_offsets(unsure, [0.0] * 6, {}, 1.5)
    assert offsets[5].offset_deg is None
    assert sendable_offsets(offsets) is None


def test_a_jump_against_the_last_homing_is_an_alarm() -> None:
    last = {"j0": 0.4, "j1": 0.4}
    jumped, steady = compare_offsets(HIGH[:2], [-2.0, 9.7], last, 1.5)
    assert jumped.jump_deg == pytest.approx(1.6)
    assert jumped.alarm is not None
    assert jumped.alarm.startswith("j0: its offset went from 0.40 to 2.00 deg")
    assert steady.alarm is None


def test_without_encoders_there_is_nothing_to_send() -> None:
    assert sendable_offsets([]) is None
