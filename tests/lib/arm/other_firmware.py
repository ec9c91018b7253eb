"""Another firmware, written apart from ours from the frames alone, and less kind.

One thread on a pseudo-terminal, real time only. It shares no code with lib.arm: the driver must get on with
whoever speaks these frames.
"""

from __future__ import annotations

import os
import select
import struct
import threading
import time
import tty
from dataclasses import dataclass, field

DEG_PER_S_AT_100 = 90.0
CHATTERS_EVERY_S = 3.0


@dataclass(frozen=True)
class Manners:
    """What this firmware does its own way."""

    acknowledges: bool = False
    powered: bool = False
    """Whether it is found with the power on."""
    answers_angles_unpowered: bool = True
    together: bool = False
    """Whether joints arrive together, or each as soon as it can."""
    latency_s: float = 0.012
    chunk: int = 7
    """A reply comes in pieces of so many bytes."""
    health: dict[int, bytes] = field(default_factory=dict)
    """Replies to E3, E4, E5 and D8; what is not there is not answered."""
    chatters: bool = False
    """Says now and then what nobody asked, as firmwares with buttons do."""
    acknowledges_empty: bool = False
    """Acknowledgements have no payload."""
    joints_deg: tuple[float, ...] = (0.0,) * 6


class OtherFirmware:
    """It runs from construction to ``close``."""

    def __init__(self, manners: Manners) -> None:
        self.manners = manners
        self.heard: list[bytes] = []
        self._master, self._slave = os.openpty()
        for end in (self._master, self._slave):
            tty.setraw(end)
        self.port = os.ttyname(self._slave)
        self._on = manners.powered
        self._now = list(manners.joints_deg)
        self._goal = list(manners.joints_deg)
        self._rates = [0.0] * 6
        self._grip = self._grip_goal = 100.0
        self._fresh = 0
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    @property
    def joints_deg(self) -> list[float]:
        return list(self._now)

    @property
    def moving(self) -> bool:
        return self._now != self._goal

    def close(self) -> None:
        self._ends.set()
        self._thread.join()
        os.close(self._master)
        os.close(self._slave)

    def _run(self) -> None:
        waiting, last, spoke = b"", time.monotonic(), time.monotonic()
        while not self._ends.is_set():
            readable, _, _ = select.select([self._master], [], [], 0.002)
            now = time.monotonic()
            self._go_on(now - last)
            last = now
            if readable:
                waiting += os.read(self._master, 256)
            while (start := waiting.find(b"\xfe\xfe")) >= 0 and len(waiting) >= start + 3:
                size = waiting[start + 2] + 3
                if len(waiting) < start + size:
                    break
                frame, waiting = waiting[start : start + size], waiting[start + size :]
                if frame[-1] == 0xFA:
                    self.heard.append(frame)
                    self._say(frame[3], self._reply(frame[3], frame[4:-1]))
            if self.manners.chatters and now - spoke > CHATTERS_EVERY_S:
                spoke = now
                self._say(0x6F, b"\x00")

    def _go_on(self, seconds: float) -> None:
        for joint in range(6):
            step = self._rates[joint] * seconds
            self._now[joint] += min(step, max(-step, self._goal[joint] - self._now[joint]))
        step = 150.0 * seconds
        self._grip += min(step, max(-step, self._grip_goal - self._grip))

    def _say(self, genre: int, payload: bytes | None) -> None:
        if payload is None:
            return
        frame = bytes([0xFE, 0xFE, len(payload) + 2, genre]) + payload + b"\xfa"
        time.sleep(self.manners.latency_s)
        for start in range(0, len(frame), self.manners.chunk):
            os.write(self._master, frame[start : start + self.manners.chunk])
            time.sleep(0.001)

    def _reply(self, genre: int, payload: bytes) -> bytes | None:
        answers = {
            0x12: bytes([self._on]),
            0x20: self._angles(),
            0x07: b"\x00",
            0x2B: bytes([self.moving]),
            0x17: bytes([self._fresh]),
            0x65: bytes([int(self._grip)]),
        }
        if genre in answers:
            return answers[genre]
        if genre in (0xE3, 0xE4, 0xE5, 0xD8):
            return self.manners.health.get(genre)
        self._obey(genre, payload)
        setter = genre in (0x08, 0x10, 0x11, 0x13, 0x16, 0x22, 0x29, 0x66, 0x67)
        if not (setter and self.manners.acknowledges):
            return None
        return b"" if self.manners.acknowledges_empty else b"\x01"

    def _angles(self) -> bytes | None:
        if not (self._on or self.manners.answers_angles_unpowered):
            return None
        return struct.pack(">6h", *(int(value * 100) for value in self._now))

    def _obey(self, genre: int, payload: bytes) -> None:
        if genre == 0x10:
            self._on = True
        elif genre == 0x11:
            self._on, self._goal = False, list(self._now)
        elif genre == 0x16:
            self._fresh = payload[0]
        elif genre == 0x29:
            self._goal = list(self._now)
        elif genre == 0x67:
            self._grip_goal = float(payload[0])
        elif genre == 0x22 and self._on and len(payload) == 13:
            self._goal = [value / 100 for value in struct.unpack(">6h", payload[:12])]
            rate = DEG_PER_S_AT_100 * payload[12] / 100
            ways = [abs(goal - now) for goal, now in zip(self._goal, self._now, strict=True)]
            longest = max(ways) or 1.0
            self._rates = [rate * (way / longest if self.manners.together else 1.0) for way in ways]
