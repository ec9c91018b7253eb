"""What a merge is asked and what it answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from lib.errors import BadInput
from lib.table.acceptance import ACCEPTABLE, Failed, accept_command, ways_out
from lib.table.audits.audit import Audit
from lib.table.effect import Effect
from lib.table.version import Version


@dataclass(frozen=True)
class MergeOptions:
    """What a person asks of a merge beyond the rules."""

    dry_run: bool = False
    """Do all but the publication."""
    must_improve: bool = False
    """Refuse a merge that improves no probe."""
    accept_worse: int = 0
    """How many worse probes are known and accepted."""
    accepted: Mapping[str, str] = field(default_factory=dict)
    """Audits that may fail, each with the reason."""
    named: bool = False
    """A person named the scan: it is merged also where it was set aside or rolled back."""

    def __post_init__(self) -> None:
        for name in self.accepted:
            if name not in ACCEPTABLE:
                raise BadInput(f"audit {name!r} cannot be accepted; those that can: {', '.join(ACCEPTABLE)}")

    def judge(self, audit: Audit) -> Audit:
        """Return the audit, marked as accepted where it failed and a person said why it may."""
        if audit.ok is False and audit.name in self.accepted:
            return replace(audit, accepted_because=self.accepted[audit.name])
        return audit


@dataclass(frozen=True)
class MergeResult:
    """What a merge of one scan found, and whether the table moved."""

    version: int
    """The version made, or the number it would have had."""
    parent: int | None
    rows: int
    scanned: int
    added: int
    duplicates: int
    content_md5: str
    audits: tuple[Audit, ...]
    effect: Effect
    promoted: bool
    dry_run: bool
    scan_md5: str
    scan_file: str
    scan_reading: int
    grounds: str
    """A hash of all that the audits went by."""

    @property
    def blocked(self) -> bool:
        """Whether an audit kept the scan out."""
        return any(audit.blocks for audit in self.audits)

    @property
    def state(self) -> str:
        """``published``, ``blocked`` or ``dry run``."""
        if self.promoted:
            return "published"
        return "blocked" if self.blocked else "dry run"

    @property
    def failed(self) -> list[Failed]:
        """The audits that keep the scan out."""
        return [Failed(audit.name, audit.figures) for audit in self.audits if audit.blocks]

    @property
    def ways_out(self) -> list[str]:
        """What a person can do about a blocked scan, a command each."""
        return ways_out(self.scan_md5, self.failed)

    def as_json(self) -> dict[str, object]:
        """Return what `table merge --json` prints of it."""
        names = ("version", "parent", "rows", "scanned", "added", "duplicates", "content_md5")
        return {
            **{name: getattr(self, name) for name in names},
            "audits": [audit.as_json() for audit in self.audits],
            "effect": self.effect.as_json(),
            "promoted": self.promoted,
            "dry_run": self.dry_run,
            "scan_md5": self.scan_md5,
            "scan_file": self.scan_file,
            "scan_reading": self.scan_reading,
            "accept_command": accept_command(self.scan_md5, self.failed) if self.blocked else None,
        }


def nothing_merged(current: Version | None) -> dict[str, object]:
    """Return what `table merge --json` prints where no scan was pending: the table as it is."""
    return {
        "version": current.version if current else None,
        "parent": current.parent if current else None,
        "rows": current.rows if current else 0,
        "scanned": 0,
        "added": 0,
        "duplicates": 0,
        "content_md5": current.content_md5 if current else None,
        "audits": [],
        "effect": Effect(()).as_json(),
        "promoted": False,
        "dry_run": False,
        "scan_md5": None,
        "scan_file": None,
        "scan_reading": None,
        "accept_command": None,
    }
