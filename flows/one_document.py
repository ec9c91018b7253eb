"""The one JSON document that a command prints with ``--json``: its answer, or the error in its place."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any

OPTION = "--json"


class OneDocument:
    """What the running command has printed: a second document would leave the first unreadable."""

    def __init__(self) -> None:
        self._is_printed = False

    def begin(self) -> None:
        """Begin a command, which has printed nothing yet."""
        self._is_printed = False

    def print(self, document: object) -> None:
        """Print the answer; infinities and NaN become null."""
        text = json.dumps(_finite(document), default=str, allow_nan=False)
        self._is_printed = True
        print(text, flush=True)

    def print_instead(self, document: object) -> None:
        """Print an error in place of the answer; after an answer, which tells it itself, nothing."""
        if not self._is_printed:
            self.print(document)


ONE_DOCUMENT = OneDocument()


def is_asked_for(arguments: Sequence[str]) -> bool:
    """Tell whether a command line asks for JSON, also one that does not parse."""
    options = arguments[: list(arguments).index("--")] if "--" in arguments else arguments
    return any(len(option) > len("--") and OPTION.startswith(option) for option in options)


def _finite(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return value
