"""The errors a user can meet: one clear line each, and the exit code that goes with it.

A message says what was found, where, what was expected and what to do. The command line prints it
and ends with ``exit_code``; nothing else turns an error into a number.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


class NightpickError(Exception):
    """Base of every error that reaches a user as one line."""

    exit_code = 2
    kind = "failed"

    def as_json(self) -> dict[str, object]:
        """Return what ``--json`` prints in place of the answer."""
        return error_document(str(self), self.exit_code, self.kind)


class CheckFailed(NightpickError):
    """A check or an audit said no."""

    exit_code = 1
    kind = "check_failed"


class Damaged(CheckFailed):
    """A file of the data folder is gone, or is not what was written into it."""

    kind = "damaged"


class BadInput(NightpickError):
    """Bad input or usage; nothing was changed."""

    exit_code = 2
    kind = "bad_input"


class Refused(NightpickError):
    """The safety gate or the hardware refused."""

    exit_code = 3
    kind = "refused"


class Busy(NightpickError):
    """Somebody else holds the arm or the database."""

    exit_code = 4
    kind = "busy"


@dataclass(frozen=True)
class Problem:
    """One place in an input file that breaks a rule.

    ``line`` counts from 1 as an editor shows it; ``line`` and ``column`` are None where the
    problem belongs to the file as a whole.
    """

    line: int | None
    column: str | None
    found: str
    rule: str

    def __str__(self) -> str:
        """Say the place, the rule and what was found, on one line."""
        place = ", ".join(
            part
            for part in (
                f"line {self.line}" if self.line is not None else "",
                f"column {self.column}" if self.column is not None else "",
            )
            if part
        )
        found = f" (found {self.found})" if self.found else ""
        return f"{place}: {self.rule}{found}" if place else f"{self.rule}{found}"


def error_document(message: str, exit_code: int, kind: str) -> dict[str, object]:
    """Return the document in place of an answer: one line for people, exit code and kind for machines."""
    return {"error": {"message": message, "code": exit_code, "kind": kind}}


def one_of(names: Sequence[str]) -> str:
    """List the valid names for a message: ``a, b or c``."""
    *head, last = names
    return f"{', '.join(head)} or {last}" if head else last
