"""The frames both ways: what is encoded is found again in any stream of bytes."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from lib.arm import guardian
from lib.arm.frames import STOP, Frame, FrameReader, angles_of, angles_payload, encoded

PAYLOADS = st.binary(max_size=28)


def test_the_stop_frame_is_the_five_bytes_that_the_guardian_writes() -> None:
    assert bytes.fromhex("fe fe 02 29 fa") == STOP == guardian.STOP


@given(st.lists(st.tuples(st.integers(0, 255), PAYLOADS), max_size=6), st.integers(1, 7))
def test_frames_are_found_whole_however_the_bytes_arrive(frames: list[tuple[int, bytes]], size: int) -> None:
    data = b"".join(encoded(genre, payload) for genre, payload in frames)
    reader, found = FrameReader(), []
    for start in range(0, len(data), size):
        found += reader.feed(data[start : start + size])
    assert found == [Frame(genre, payload) for genre, payload in frames]


def test_after_a_frame_cut_short_the_next_but_one_is_found() -> None:
    reader = FrameReader()
    cut = encoded(0x22, bytes(13))[:9]
    frames = reader.feed(cut + STOP * 4)
    assert frames[-1] == Frame(0x29, b"")
    assert Frame(0x22, bytes(13)) not in frames


def test_half_a_frame_is_forgotten_on_request() -> None:
    reader = FrameReader()
    assert reader.feed(encoded(0x22, bytes(13))[:9]) == []
    reader.forget()
    assert reader.feed(STOP) == [Frame(0x29, b"")]


@given(st.lists(st.floats(-327, 327), min_size=6, max_size=6))
def test_angles_come_back_to_the_hundredth(angles: list[float]) -> None:
    back = angles_of(angles_payload(angles))
    assert max(abs(a - b) for a, b in zip(angles, back, strict=True)) <= 0.005 + 1e-9
