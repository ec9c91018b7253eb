"""How a run ends: whatever stops it becomes an outcome, and the arm comes to rest in a safe pose."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping

from lib.arm import ArmFailure, GateRefused, GripFailed, LinkLost
from lib.errors import NightpickError
from lib.place.one_run import OneRun
from lib.place.outcome import RunOutcome, RunState
from lib.place.refusal import NotPlaced, StopWished
from lib.place.states import EMPTY, HOLDING, Event


class Ending:
    """Plays one run and tells how it ended."""

    def __init__(self, run: OneRun) -> None:
        self._run = run
        self._state: RunState = "finished"
        self._reason = ""
        self._rule: str | None = None
        self._link_lost = False
        self._warmest_c: float | None = None
        self._explanation: Mapping[str, object] | None = None

    def play(self) -> None:
        """Play the run; raises only what interrupts it, and NightpickError where it cannot be recorded."""
        try:
            self._look_at_arm()
            self._run.play()
            assert self._run.found is not None
            self._reason = self._run.found.reason
        except NotPlaced as refusal:
            self._explanation = refusal.explanation
            self._ends("refused", refusal.reason, refusal.rule)
        except GateRefused as refusal:
            self._ends("refused", str(refusal), refusal.verdict.rule)
        except StopWished as wish:
            self._ends("aborted", str(wish), "stop")
        except GripFailed as failure:
            self._ends("aborted", str(failure), "grip")
        except ArmFailure as failure:
            self._arm_failed(failure)
        except NightpickError as error:  # a camera that does not answer, for one
            self._ends("aborted", str(error), None)
        if not self._link_lost and self._state != "unknown":
            with contextlib.suppress(ArmFailure):
                self._look_at_arm()

    def outcome(self, run_number: int, duration_s: float) -> RunOutcome:
        """Return what came of it."""
        run, found = self._run, self._run.found
        return RunOutcome(
            run_stem=run.run_stem,
            run_number=run_number,
            state=self._state,
            reason=self._reason,
            place=None if found is None else found.place,
            confidence=None if found is None else found.confidence,
            in_box_dist_mm=None if found is None else found.in_box_dist_mm,
            memory_cell=None if run.memory is None else run.memory.cell.name,
            rule=self._rule,
            link_lost=self._link_lost,
            warmest_c=self._warmest_c,
            duration_s=duration_s,
            looks=len(run.looks),
            pictures=tuple(run.album.files),
            explanation=self._explanation,
        )

    def _look_at_arm(self) -> None:
        arm = self._run.hand.arm
        arm.prepare()
        temperatures = arm.health().temperatures_c
        if temperatures:
            self._warmest_c = max(temperatures)

    def _ends(self, state: RunState, reason: str, rule: str | None) -> None:
        """End a run with an arm that is well: nothing stays in its hand, and it goes home."""
        self._state, self._reason, self._rule = state, reason, rule
        run, course = self._run, self._run.course
        event = Event.REFUSE if state == "refused" else Event.ABORT
        try:
            if course.state in HOLDING and rule != "grip":
                run.put_back()
            elif course.state in EMPTY or rule == "grip":
                run.return_home()
            else:  # let go, or on the way back: whatever happens now, nobody refused a placement
                self._state, event = "aborted", Event.ABORT
                run.return_home()
        except ArmFailure as failure:
            self._state, event = "aborted", Event.ABORT
            self._reason += f"; then {failure}"
            self._link_lost = isinstance(failure, LinkLost)
        run.ends(event, self._reason)

    def _arm_failed(self, failure: ArmFailure) -> None:
        """End a run with an arm that was stopped where it is; nothing more is asked of it."""
        self._link_lost = isinstance(failure, LinkLost)
        nobody_saw = failure.outcome == "unknown" and not self._link_lost
        self._state = "unknown" if nobody_saw else "aborted"
        self._reason, self._rule = str(failure), type(failure).__name__
        self._run.ends(Event.ABORT, self._reason)
