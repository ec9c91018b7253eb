"""Why no block was let go."""

from __future__ import annotations

from collections.abc import Mapping


class NotPlaced(Exception):
    """This run ends without a placement, and the arm is well."""

    def __init__(
        self, reason: str, rule: str | None = None, explanation: Mapping[str, object] | None = None
    ) -> None:
        super().__init__(reason)
        self.reason, self.rule, self.explanation = reason, rule, explanation


class StopWished(Exception):
    """Somebody asked for the end between two states."""
