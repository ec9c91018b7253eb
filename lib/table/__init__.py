"""The table: versions, merges with their audits, proof, export."""

from lib.table.audits.audit import Audit
from lib.table.effect import Change, Effect
from lib.table.export import Exported, export
from lib.table.history import Difference, current_version, difference, history, rollback
from lib.table.merge import merge_scan, pending_scans
from lib.table.provenance import Provenance, where
from lib.table.result import MergeOptions, MergeResult, nothing_merged
from lib.table.verify import Verification, verify
from lib.table.version import Version

__all__ = [
    "Audit",
    "Change",
    "Difference",
    "Effect",
    "Exported",
    "MergeOptions",
    "MergeResult",
    "Provenance",
    "Verification",
    "Version",
    "current_version",
    "difference",
    "export",
    "history",
    "merge_scan",
    "nothing_merged",
    "pending_scans",
    "rollback",
    "verify",
    "where",
]
