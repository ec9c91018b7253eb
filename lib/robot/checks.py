"""Checks of one robot file's values; every refusal starts with the file's name and the place in it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NoReturn

import numpy as np

from lib.errors import BadInput
from lib.robot.shape import Array

_LARGEST = 1e9  # neither a millimetre nor a degree; also what NaN, Infinity and 400 digits fail


class Checks:
    """Each check returns the value as its type or raises BadInput: file, place, found, expected."""

    def __init__(self, file: str) -> None:
        self._file = file

    def document(self, content: bytes) -> Mapping[str, Any]:
        """Read the file's JSON; a name that stands twice in one place is refused."""

        def without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
            keys = [key for key, _ in pairs]
            doubled = next((key for key in keys if keys.count(key) > 1), None)
            if doubled is not None:
                raise BadInput(f"{self._file}: {doubled} is there twice; expected each name once")
            return dict(pairs)

        try:
            document = json.loads(content.decode("utf-8"), object_pairs_hook=without_doubles)
        except (ValueError, RecursionError) as error:
            raise BadInput(f"{self._file}: not readable as JSON: {error}; mend that place") from error
        return self.mapping(document, "")

    def key(self, mapping: Mapping[str, Any], key: str, where: str) -> Any:
        """Return what the mapping has under a key that must be there."""
        if key not in mapping:
            self.refuse(where, f"{key} is missing")
        return mapping[key]

    def mapping(self, value: Any, where: str) -> Mapping[str, Any]:
        """Return names with values."""
        if not isinstance(value, dict):
            self.refuse(where, f"{shortened(value)}; expected names with values, {{...}}")
        return value

    def text(self, value: Any, where: str) -> str:
        """Return text that is not empty."""
        if not isinstance(value, str) or not value:
            self.refuse(where, f"{shortened(value)}; expected a name")
        return value

    def numbers(self, value: Any, count: int, where: str) -> Array:
        """Return exactly ``count`` finite numbers."""
        if (
            not isinstance(value, list)
            or len(value) != count
            or any(
                isinstance(n, bool) or not isinstance(n, int | float) or not abs(n) <= _LARGEST for n in value
            )
        ):
            self.refuse(where, f"{shortened(value)}; expected {count} finite numbers")
        return np.array(value, dtype=np.float64)

    def refuse(self, where: str, what: str) -> NoReturn:
        """Say what is wrong at a place of the file."""
        raise BadInput(": ".join(part for part in (self._file, where, what) if part))


def shortened(value: Any) -> str:
    """Return a value as the file has it, cut where it is long."""
    text = json.dumps(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
