"""The course of a run through its states, by a table of what leads from one to the next."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Generic, TypeVar

S = TypeVar("S", bound=Enum)
E = TypeVar("E", bound=Enum)


@dataclass(frozen=True)
class Transition(Generic[S, E]):
    """One step of a run, as it is recorded."""

    from_state: S
    to_state: S
    event: E
    at_s: float
    """Time of the run [s]."""
    reason: str
    """Why, in words a person reads."""


class Course(Generic[S, E]):
    """Where one run is; tells ``record`` of every transition."""

    def __init__(
        self,
        table: Mapping[tuple[S, E], S],
        state: S,
        record: Callable[[Transition[S, E]], None] = lambda transition: None,
    ) -> None:
        self._table = table
        self._record = record
        self.state = state
        self.transitions: list[Transition[S, E]] = []

    def happened(self, event: E, at_s: float, reason: str) -> S:
        """Go where the table leads and return that state.

        Raises ValueError for what cannot happen in this state: the caller's order is wrong.
        """
        to_state = self._table.get((self.state, event))
        if to_state is None:
            possible = ", ".join(e.value for s, e in self._table if s is self.state) or "nothing"
            raise ValueError(f"{event.value} cannot happen in {self.state.value}; possible there: {possible}")
        transition = Transition(self.state, to_state, event, at_s, reason)
        self.state = to_state
        self.transitions.append(transition)
        self._record(transition)
        return to_state
