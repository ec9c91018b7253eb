"""The table: versions, merges with their audits, proof, export."""

from lib.table.audits.audit import Audit
from lib.table.audits.selection_regression import cause_of
from lib.table.effect import SAME_M, Change, Effect
from lib.table.export import Exported, export
from lib.table.foretold import ForetoldMerge, foretell_merge, foretold_scan
from lib.table.history import Difference, current_version, difference, history, rollback
from lib.table.known_chain import known_chain
from lib.table.merge import merge_scan, pending_scans
from lib.table.probes import standard_probes
from lib.table.provenance import Provenance, where
from lib.table.result import MergeOptions, MergeResult, nothing_merged
from lib.table.scan_plan import NOT_KNOWN, MissedTarget, ScanPlan, plan_scan
from lib.table.verify import Verification, verify
from lib.table.version import Version

__all__ = [
    "NOT_KNOWN",
    "SAME_M",
    "Audit",
    "Change",
    "Difference",
    "Effect",
    "Exported",
    "ForetoldMerge",
    "MergeOptions",
    "MergeResult",
    "MissedTarget",
    "Provenance",
    "ScanPlan",
    "Verification",
    "Version",
    "cause_of",
    "current_version",
    "difference",
    "export",
    "foretell_merge",
    "foretold_scan",
    "history",
    "known_chain",
    "merge_scan",
    "nothing_merged",
    "pending_scans",
    "plan_scan",
    "rollback",
    "standard_probes",
    "verify",
    "where",
]
