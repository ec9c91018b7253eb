"""The frames of the arm's serial protocol, both ways: FE FE LEN GENRE payload FA.

LEN counts what follows it: payload + 2. There is no checksum, so a frame that
arrives whole may still be wrong; whoever reads one has to doubt it. Numbers are big-endian int16,
angles times 100.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum

HEADER = 0xFE
FOOTER = 0xFA
LONGEST = 30
"""Largest LEN that either side takes for a frame."""


class Genre(IntEnum):
    """What a frame is about; a reply bears its request's genre."""

    GET_ERROR = 0x07
    CLEAR_ERROR = 0x08
    POWER_ON = 0x10
    POWER_OFF = 0x11
    IS_POWER_ON = 0x12
    RELEASE_ALL = 0x13
    SET_FRESH_MODE = 0x16
    GET_FRESH_MODE = 0x17
    GET_ANGLES = 0x20
    SEND_ANGLE = 0x21
    SEND_ANGLES = 0x22
    STOP = 0x29
    IS_IN_POSITION = 0x2A
    IS_MOVING = 0x2B
    FOCUS = 0x57
    GET_GRIPPER_VALUE = 0x65
    SET_GRIPPER_STATE = 0x66
    SET_GRIPPER_VALUE = 0x67
    GET_REBOOT_COUNT = 0xD8
    GET_VOLTAGES = 0xE3
    GET_STATUS = 0xE4
    GET_TEMPERATURES = 0xE5


@dataclass(frozen=True)
class Frame:
    """One frame that came whole."""

    genre: int
    payload: bytes

    def __bytes__(self) -> bytes:
        return encoded(self.genre, self.payload)


def encoded(genre: int, payload: bytes = b"") -> bytes:
    """Return the bytes of a frame."""
    return bytes([HEADER, HEADER, len(payload) + 2, genre, *payload, FOOTER])


STOP = encoded(Genre.STOP)
"""The five bytes that stop the arm."""


def angles_payload(angles_deg: Iterable[float]) -> bytes:
    """Return angles [deg] as int16 hundredths, clipped to what an int16 holds."""
    hundredths = [max(-32768, min(32767, round(angle * 100))) for angle in angles_deg]
    return struct.pack(f">{len(hundredths)}h", *hundredths)


def angles_of(payload: bytes) -> Sequence[float]:
    """Return the angles [deg] of int16 hundredths; an odd last byte is left out."""
    count = len(payload) // 2
    return [value / 100 for value in struct.unpack(f">{count}h", payload[: 2 * count])]


class FrameReader:
    """Finds frames in a stream of bytes; what is not one is skipped byte by byte."""

    def __init__(self) -> None:
        self._waiting = bytearray()

    def feed(self, data: bytes) -> list[Frame]:
        """Take more bytes; return the frames that are now whole."""
        self._waiting += data
        frames = []
        while (frame := self._next()) is not None:
            frames.append(frame)
        return frames

    def forget(self) -> None:
        """Drop what has come of an unfinished frame."""
        self._waiting.clear()

    def _next(self) -> Frame | None:
        waiting = self._waiting
        while len(waiting) >= 3:
            length = waiting[2]
            if waiting[0] != HEADER or waiting[1] != HEADER or not 2 <= length <= LONGEST:
                del waiting[0]
                continue
            if len(waiting) < length + 3:
                return None
            if waiting[length + 2] == FOOTER:
                frame = Frame(waiting[3], bytes(waiting[4 : length + 2]))
                del waiting[: length + 3]
                return frame
            del waiting[0]
        return None
