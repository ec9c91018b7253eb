"""The commands that end a blocked scan's wait: merge it all the same, read it anew, leave it out.

Each names exactly one scan, so that what is known of one is never said of another.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from lib.scan import SHORT_DIGITS

# A damaged file or rows that do not add up are no matter of opinion; worse probes are accepted by number.
ACCEPTABLE = ("conflicts", "pick_regression", "self_consistency")
_BY_NUMBER = "selection_regression"


class Failed(NamedTuple):
    """An audit that said no: its name, and its figures by name."""

    name: str
    figures: Mapping[str, Any]


def merge_command(md5: str, audits: Iterable[str] = (), worse: int = 0, reason: str | None = None) -> str:
    """Write the command that merges one scan and accepts what is named."""
    audits = list(audits)
    words = ["nightpick", "table", "merge", "--scan", md5[:SHORT_DIGITS]]
    for name in audits:
        words += ["--accept-audit", name]
    if worse:
        words += ["--accept-worse", str(worse)]
    command = shlex.join(words)
    if not audits:
        return command
    return f"{command} --reason {'TEXT' if reason is None else shlex.quote(reason)}"


def accept_command(md5: str, failed: Iterable[Failed]) -> str | None:
    """Write the command that accepts all that a scan failed; None where some of it cannot be accepted."""
    failed = list(failed)
    if not failed or any(audit.name not in (*ACCEPTABLE, _BY_NUMBER) for audit in failed):
        return None
    worse = next((int(audit.figures["beyond_limit"]) for audit in failed if audit.name == _BY_NUMBER), 0)
    return merge_command(md5, [audit.name for audit in failed if audit.name in ACCEPTABLE], worse)


def ways_out(md5: str, failed: Iterable[Failed]) -> list[str]:
    """Return what a person can do about a blocked scan, a command each."""
    failed = list(failed)
    accept = accept_command(md5, failed)
    refused = ", ".join(audit.name for audit in failed if audit.name not in (*ACCEPTABLE, _BY_NUMBER))
    return [
        f"`{accept}` merges it all the same" if accept else f"{refused} cannot be accepted",
        "`nightpick scan ingest FILE --again ...` reads its file anew, with other units or columns",
        f"`nightpick scan set-aside {md5[:SHORT_DIGITS]} --reason TEXT` leaves it out",
    ]
