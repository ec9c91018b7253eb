"""A number with its noun, as people write it: ``1 row``, ``1,663,893 rows``."""

from __future__ import annotations


def counted(number: int, noun: str, verb: tuple[str, str] | None = None) -> str:
    """Return a number and its noun, in the plural where it is not one, and the verb that agrees with it."""
    is_one = number == 1
    said = f"{number:,} {noun if is_one else noun + 's'}"
    return said if verb is None else f"{said} {verb[0] if is_one else verb[1]}"
