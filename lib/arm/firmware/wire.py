"""What happens to bytes on their way: lost, flipped, doubled or late, each with the same chance."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import numpy as np

FAULTS = ("lost", "flipped", "doubled", "late")


@dataclass(frozen=True)
class Piece:
    """Bytes that travel together, and when they arrive."""

    due_s: float
    data: bytes


class Wire:
    """One direction of the line; in order, so that a late byte holds up all that follow."""

    def __init__(self, seed: int) -> None:
        self._random = np.random.default_rng(seed)
        self._pieces: deque[Piece] = deque()
        self.faults = dict.fromkeys((*FAULTS, "truncated"), 0)
        """How often each fault has happened."""

    def send(
        self,
        data: bytes,
        now_s: float,
        *,
        share: float,
        only_flips: bool,
        late_s: float,
        latency_s: float = 0.0,
        truncated_share: float = 0.0,
    ) -> None:
        """Put bytes on the line; ``share`` of them meet a fault."""
        if truncated_share and self._random.random() < truncated_share:
            self.faults["truncated"] += 1
            data = data[: len(data) // 2]
        due_s = now_s + latency_s
        hit = self._random.random(len(data)) < share if share else np.zeros(len(data), dtype=bool)
        arriving = bytearray()
        for byte, is_hit in zip(data, hit, strict=True):
            fault = self._fault(only_flips) if is_hit else ""
            if fault == "late":
                self._append(due_s, bytes(arriving))
                arriving.clear()
                due_s += late_s
            if fault == "flipped":
                arriving.append(byte ^ (1 << int(self._random.integers(8))))
            elif fault != "lost":
                arriving += bytes([byte, byte]) if fault == "doubled" else bytes([byte])
        self._append(due_s, bytes(arriving))

    def arrived(self, now_s: float) -> bytes:
        """Take what has arrived by now."""
        data = b""
        while self._pieces and self._pieces[0].due_s <= now_s:
            data += self._pieces.popleft().data
        return data

    @property
    def next_due_s(self) -> float | None:
        """When the next bytes arrive."""
        return self._pieces[0].due_s if self._pieces else None

    def cut(self) -> None:
        """Lose all that is on its way."""
        self._pieces.clear()

    def _append(self, due_s: float, data: bytes) -> None:
        if data:
            last_s = self._pieces[-1].due_s if self._pieces else due_s
            self._pieces.append(Piece(max(due_s, last_s), data))

    def _fault(self, only_flips: bool) -> str:
        fault = "flipped" if only_flips else FAULTS[int(self._random.integers(len(FAULTS)))]
        self.faults[fault] += 1
        return fault
