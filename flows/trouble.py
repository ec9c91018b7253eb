"""What went wrong in a flow that went on all the same."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from lib.errors import CheckFailed, NightpickError
from lib.stop import asked_to_stop
from lib.visible import visible


class Trouble:
    """The errors of stages that stop no other stage, one line each."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def __len__(self) -> int:
        return len(self.lines)

    @contextmanager
    def noted(self) -> Iterator[None]:
        """Note an error that a person can read and act on, and go on; a defect still ends the flow."""
        try:
            yield
        except NightpickError as error:
            if stopped := asked_to_stop():
                raise stopped from error
            self.lines.append(visible(str(error)))

    def raise_if_any(self, headline: str) -> None:
        """Raise CheckFailed with everything that was noted."""
        if self.lines:
            raise CheckFailed(f"{headline}: {'; '.join(self.lines)}")
