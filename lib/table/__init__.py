"""The table: versions, merges with their audits, proof, export."""

from lib.table.acceptance import Failed, accept_command, merge_command, ways_out
from lib.table.audits.audit import Audit
from lib.table.audits.selection_regression import cause_of, selected_row
from lib.table.blocked import BlockedBefore, blocked_before
from lib.table.effect import SAME_M, Change, Effect, probe_request
from lib.table.export import Exported, export
from lib.table.foretold import ForetoldMerge, foretell_merge, foretold_scan
from lib.table.history import Difference, current_version, difference, history, rollback
from lib.table.known_chain import known_chain
from lib.table.merge import merge_scan
from lib.table.probes import standard_probes
from lib.table.provenance import Provenance, where
from lib.table.result import MergeOptions, MergeResult, nothing_merged
from lib.table.scan_plan import NOT_KNOWN, MissedTarget, ScanPlan, plan_scan
from lib.table.standing import kept_scans, pending_scans, set_aside
from lib.table.verify import Verification, verify
from lib.table.version import Version

__all__ = [
    "NOT_KNOWN",
    "SAME_M",
    "Audit",
    "BlockedBefore",
    "Change",
    "Difference",
    "Effect",
    "Exported",
    "Failed",
    "ForetoldMerge",
    "MergeOptions",
    "MergeResult",
    "MissedTarget",
    "Provenance",
    "ScanPlan",
    "Verification",
    "Version",
    "accept_command",
    "blocked_before",
    "cause_of",
    "current_version",
    "difference",
    "export",
    "foretell_merge",
    "foretold_scan",
    "history",
    "kept_scans",
    "known_chain",
    "merge_command",
    "merge_scan",
    "nothing_merged",
    "pending_scans",
    "plan_scan",
    "probe_request",
    "rollback",
    "selected_row",
    "set_aside",
    "standard_probes",
    "verify",
    "ways_out",
    "where",
]
