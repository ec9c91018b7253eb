"""The parser of every verb: values that begin with a minus, and usage errors in words, one line each."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

from lib.errors import BadInput, one_of
from lib.settings_batch import MOST_RUNS
from lib.settings_reading import plain_float, plain_int

_EXPECTED = {int: "a whole number", float: "a number", Path: "a path"}


class UsageError(BadInput):
    """A command line that no verb takes; ``command`` is as much of it as was understood."""

    kind = "usage"

    def __init__(self, command: str, message: str) -> None:
        super().__init__(f"{message}; see `{command} --help`")
        self.command = command


class CommandParser(argparse.ArgumentParser):
    """Raises UsageError instead of leaving; ``-1e-3`` and ``-35,70`` are values, not options."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._negative_number_matcher = re.compile(r"^-(\.?\d|inf|nan)", re.IGNORECASE)
        self.register("type", float, plain_float)
        self.register("type", int, plain_int)

    def error(self, message: str) -> NoReturn:
        """Raise UsageError, which names this parser's own help."""
        raise UsageError(self.prog, message)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> tuple[Any, list[str]]:
        """Parse as argparse does, but say no here, where the verb is known, to what is left over."""
        found, left = super().parse_known_args(args, namespace)
        if left:
            options = [option for action in self._actions for option in action.option_strings]
            self.error(f"unrecognized arguments: {' '.join(left)}{_near(left[0].split('=')[0], options)}")
        return found, left

    def _get_value(self, action: argparse.Action, arg_string: str) -> Any:
        try:
            return super()._get_value(action, arg_string)
        except argparse.ArgumentError as error:
            if isinstance(error.__context__, argparse.ArgumentTypeError):  # says itself what is wrong
                raise
            message = f"expected {_expected(action)}, found {arg_string!r}"
            raise argparse.ArgumentError(action, message) from None

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            names = [str(choice) for choice in action.choices]
            message = f"expected {one_of(names)}, found {value!r}{_near(str(value), names)}"
            raise argparse.ArgumentError(action, message)


def zero_or_more(text: str) -> int:
    """Read a count or a seed."""
    if not (text.isdecimal() and text.isascii()):
        raise argparse.ArgumentTypeError(f"expected a whole number, zero or more, found {text!r}")
    return int(text)


def runs_of_a_night(text: str) -> int:
    """Read how many pick-place runs a night is to do."""
    runs = zero_or_more(text)
    if runs > MOST_RUNS:
        raise argparse.ArgumentTypeError(f"expected 0 to {MOST_RUNS}, found {text!r}")
    return runs


def _expected(action: argparse.Action) -> str:
    """Say what an argument takes: a word for the plain kinds, else what its help says."""
    if action.type in _EXPECTED:
        return _EXPECTED[action.type]
    name = action.metavar if isinstance(action.metavar, str) else action.dest
    return f"{name} ({action.help})" if action.help else name


def _near(given: str, names: Sequence[str]) -> str:
    from difflib import get_close_matches

    near = get_close_matches(given, names, n=1, cutoff=0.75)
    return f" (did you mean {near[0]}?)" if near else ""
