"""The emulated arm at work: one loop over the line, the questions' socket and the clock.

Emulated time is real time times the clock factor. Where the body cannot be driven that fast, the clock
slows down rather than the answers: what is not done after a few milliseconds is dropped.
"""

from __future__ import annotations

import os
import selectors
import time
from collections.abc import Mapping
from typing import Any

from lib.arm.firmware.controller import Controller
from lib.arm.firmware.line import Line, Server
from lib.arm.firmware.questions import Answer, Questions
from lib.arm.firmware.wire import Wire
from lib.arm.frames import FrameReader, Genre, encoded
from lib.cell import KinematicBody
from lib.errors import BadInput

TICK_S = 0.004
STEP_S = 0.01
BUDGET_S = 0.015
UNFINISHED_AFTER_S = 0.1
# A driver that died is followed by its guardian's stop; the emulated arm stays to hear it.
ORPHAN_S = 3.0


class Emulation:
    """One emulated arm; ``run`` serves it until it is told to end."""

    def __init__(
        self,
        line: Line,
        questions: Questions,
        controller: Controller,
        *,
        time_scale: float,
        seed: int,
        lifeline: int | None = None,
        cell: Any = None,
    ) -> None:
        self._line, self._questions, self._controller = line, questions, controller
        self._time_scale = time_scale
        self._cell = cell
        self._requests, self._replies = Wire(seed), Wire(seed + 1)
        self._heard, self._received = FrameReader(), FrameReader()
        self._asked: list[str] = []
        self._last_byte_s = 0.0
        self._clock_s = time.monotonic()
        self._lifeline = lifeline
        self._ends_s: float | None = None

    def end(self) -> None:
        """Make ``run`` return after its present round."""
        self._ends_s = 0.0

    def run(self) -> None:
        """Serve until ``end``, until the line is unplugged, or for a little after the lifeline broke."""
        while self._ends_s is None or time.monotonic() < self._ends_s:
            self._wait()
            self._let_time_pass()
            self._hear()
            self._speak()

    def answer(self, question: Mapping[str, Any]) -> Answer:
        """Answer one question; raises BadInput for one that nobody knows."""
        controller, ask = self._controller, question["ask"]
        self._let_time_pass()
        if ask == "faults":
            controller.faults = controller.faults.with_changes(question.get("set", {}))
        elif ask == "log":
            return {"asked": self._asked, "obeyed": controller.obeyed}, b""
        elif ask == "reboot":
            controller.reboot()
        elif ask == "power_cycle":
            controller.power_cycle()
        elif ask == "deaf":
            controller.be_deaf(float(question["for_s"]))
        elif ask == "pose_by_hand":
            controller.body.pose_by_hand(question["joints_deg"])
        elif ask == "object":
            self._put_object(question["value"])
        elif ask == "unplug":
            self._line.unplug()
            self.end()
        elif ask != "state":
            return self._ask_cell(question)
        return self._state(), b""

    def _state(self) -> dict[str, Any]:
        controller = self._controller
        return {
            "time_s": controller.time_s,
            "time_scale": self._time_scale,
            "powered": controller.powered,
            "moving": controller.moving,
            "encoders_deg": [float(value) for value in controller.body.encoders_deg()],
            "gripper_value": controller.body.gripper_value(),
            "reboots": controller.reboots,
            "faults": controller.faults.as_json(),
            "wire": {"requests": self._requests.faults, "replies": self._replies.faults},
        }

    def _put_object(self, value: float | None) -> None:
        if not isinstance(self._controller.body, KinematicBody):
            raise BadInput("object: this body has real objects; ask the cell to put a block")
        self._controller.body.object_value = value

    def _ask_cell(self, question: Mapping[str, Any]) -> Answer:
        if self._cell is None:
            raise BadInput(f"question {question['ask']!r}: not known without a cell (body = twin)")
        from lib.cell import answer

        self._controller.wake()
        header, raw = answer(self._cell, question)
        return dict(header), raw

    def _wait(self) -> None:
        due = [wire.next_due_s for wire in (self._requests, self._replies)]
        now_s = time.monotonic()
        longest_s = 0.2 if self._controller.idle else TICK_S
        timeout_s = min([longest_s, *(max(0.0, at_s - now_s) for at_s in due if at_s is not None)])
        with selectors.DefaultSelector() as selector:
            selector.register(self._line.fileno(), selectors.EVENT_READ, "line")
            if isinstance(self._line, Server) and self._line.client_fileno is not None:
                selector.register(self._line.client_fileno, selectors.EVENT_READ, "line")
            selector.register(self._questions.listening, selectors.EVENT_READ, "knock")
            for client in self._questions.clients:
                selector.register(client, selectors.EVENT_READ, client)
            if self._lifeline is not None:
                selector.register(self._lifeline, selectors.EVENT_READ, "lifeline")
            events = [key.data for key, _ in selector.select(timeout_s)]
        for event in events:
            if event == "knock":
                self._questions.accept()
            elif event == "lifeline":
                self._hold_lifeline()
            elif event != "line":
                self._questions.serve(event, self.answer)

    def _hold_lifeline(self) -> None:
        if self._lifeline is not None and not os.read(self._lifeline, 1024):
            self._lifeline = None
            self._ends_s = time.monotonic() + ORPHAN_S

    def _let_time_pass(self) -> None:
        started_s = time.monotonic()
        lag_s = (started_s - self._clock_s) * self._time_scale
        self._clock_s = started_s
        while lag_s > 0.0 and time.monotonic() - started_s < BUDGET_S:
            step_s = lag_s if self._controller.idle else min(lag_s, STEP_S)
            self._controller.advance(step_s)
            lag_s -= step_s

    def _hear(self) -> None:
        now_s, faults = time.monotonic(), self._controller.faults
        data = self._line.read()
        self._asked += [bytes(frame).hex(" ") for frame in self._heard.feed(data)]
        self._requests.send(
            data, now_s, share=faults.request_share, only_flips=faults.only_flips, late_s=faults.late_s
        )
        arrived = self._requests.arrived(now_s)
        if arrived:
            self._last_byte_s = now_s
        elif now_s - self._last_byte_s > UNFINISHED_AFTER_S:
            self._received.forget()
            self._heard.forget()
        for frame in self._received.feed(arrived):
            reply = self._controller.answer(frame)
            if reply is not None:
                self._reply(frame.genre, reply)

    def _reply(self, genre: int, payload: bytes) -> None:
        faults = self._controller.faults
        grips = genre in (Genre.SET_GRIPPER_STATE, Genre.SET_GRIPPER_VALUE)
        self._replies.send(
            encoded(genre, payload),
            time.monotonic(),
            share=faults.reply_share,
            only_flips=faults.only_flips,
            late_s=faults.late_s,
            latency_s=faults.latency_s + (faults.late_after_grip_s if grips else 0.0),
            truncated_share=faults.truncated_share,
        )

    def _speak(self) -> None:
        data = self._replies.arrived(time.monotonic())
        if data:
            self._line.write(data)
