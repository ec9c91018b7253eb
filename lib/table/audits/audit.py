"""What an audit says: a rule by name, yes or no or not applicable, the figures, one line for a person."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

Figure = int | float | str | None


@dataclass(frozen=True)
class Audit:
    """The verdict of one audit of one merge."""

    name: str
    ok: bool | None
    """None: the audit does not apply here, and ``message`` says why."""
    message: str
    figures: Mapping[str, Figure] = field(default_factory=dict)
    findings: tuple[str, ...] = ()
    """The first places that break the rule, a line each."""
    accepted_because: str | None = None
    """Why a person let a failed audit pass."""

    @property
    def blocks(self) -> bool:
        """Whether this verdict keeps the merge from being published."""
        return self.ok is False and self.accepted_because is None

    def as_json(self) -> dict[str, object]:
        """Return the verdict as the command line and the run log give it."""
        return {
            "name": self.name,
            "ok": self.ok,
            "message": self.message,
            "figures": dict(self.figures),
            "findings": list(self.findings),
            "accepted_because": self.accepted_because,
        }
