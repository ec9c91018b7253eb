"""A merge told in Markdown: what it did and what each audit said, and what changes for the targets."""

from __future__ import annotations

from lib.report.markdown import bullets, code, mark, millimetres, plain, table
from lib.table import Audit, BlockedBefore, Change, MergeResult


def merge_markdown(result: MergeResult) -> str:
    """Return the merge report: one sentence, the counts, the audits with what failed first."""
    counts = table(
        ("", "rows"),
        (
            ("in the scan", f"{result.scanned:,}"),
            ("already known", f"{result.duplicates:,}"),
            ("new", f"{result.added:,}"),
            (f"{'in' if result.promoted else 'would be in'} version {result.version}", f"{result.rows:,}"),
        ),
        right=(1,),
    )
    audits = sorted(result.audits, key=lambda audit: audit.ok is not False)
    parts = [f"## {plain(merge_headline(result))}", counts, "### Audits", bullets(map(_said, audits))]
    for audit in audits:
        if audit.ok is False and audit.findings:
            parts += [f"### What breaks the rule {audit.name}", bullets(map(plain, audit.findings))]
    if result.blocked:
        parts += ["### What now", bullets(map(plain, result.ways_out))]
    scan = f"Scan {code(result.scan_file)} (md5 `{result.scan_md5}`), {_parent(result)}."
    return "\n\n".join([*parts, scan, f"Content md5 of the table `{result.content_md5}`."]) + "\n"


def blocked_before_markdown(before: BlockedBefore) -> str:
    """Return the merge report of a scan that was not audited again: nothing changed since it was blocked."""
    return f"## {plain(before.scan.file)} blocked as before by {before.names}\n\n{plain(str(before))}\n"


def merge_headline(result: MergeResult) -> str:
    """Return the merge in one sentence."""
    if result.state == "blocked":
        failed = " and ".join(audit.name for audit in result.audits if audit.blocks)
        return f"{result.scan_file} blocked by {failed}: the table is as it was"
    done = f"Version {result.version}" if result.promoted else f"Dry run of version {result.version}"
    return f"{done}: {result.added:,} of {result.scanned:,} rows added, {effect_headline(result)}"


def effect_markdown(result: MergeResult) -> str:
    """Return the effect report: what changes for the probes, and what binds those that did not improve."""
    effect = result.effect
    verdicts = table(
        ("mode", "probes", "improved", "worse", "unchanged", "out of reach"),
        (_counts(mode, [c for c in effect.changes if c.probe.mode == mode]) for mode in ("place", "pick")),
        right=(1, 2, 3, 4, 5),
    )
    said = effect_headline(result)
    parts = [f"## {said[0].upper()}{said[1:]}", verdicts]
    if effect.largest and result.parent is not None:  # before the first version nothing was in reach
        changes = table(
            ("", "target x, z", "before", "after", "row before", "row after"),
            (_change(change) for change in effect.largest),
            right=(2, 3, 4, 5),
        )
        parts += [f"### The {len(effect.largest)} largest changes", changes]
    if effect.binding:
        binding = table(
            ("filter", "probes it binds"),
            ((f"`{name}`", times) for name, times in effect.binding.most_common()),
            right=(1,),
        )
        parts += ["### What binds the probes that did not improve", binding]
    return "\n\n".join(parts) + "\n"


def effect_headline(result: MergeResult) -> str:
    """Return in a few words what a merge changes for the probes."""
    effect = result.effect
    probes = len(effect.changes)
    if result.parent is None:
        reached = sum(change.after.xz_distance_m is not None for change in effect.changes)
        return f"{reached} of {probes} probes within reach of the first version"
    said = f"{effect.count('improved')} of {probes} probes improved, {effect.count('worse')} worse"
    if not effect.count("improved") and effect.binding:
        said += f"; most are bound by {effect.binding.most_common(1)[0][0]}"
    return said


def _counts(mode: str, changes: list[Change]) -> tuple[object, ...]:
    verdicts = [change.verdict for change in changes]
    counts = [verdicts.count(verdict) for verdict in ("improved", "worse", "unchanged")]
    return (mode.upper(), len(changes), *counts, sum(c.after.xz_distance_m is None for c in changes))


def _change(change: Change) -> tuple[object, ...]:
    target = f"{change.probe.mode.upper()} {change.probe.x_m:+.3f}, {change.probe.z_m:.3f} m"
    before, after = change.before, change.after
    return (
        {"improved": "better", "worse": "WORSE", "unchanged": "same"}[change.verdict],
        target,
        millimetres(before.xz_distance_m),
        millimetres(after.xz_distance_m),
        "-" if before.fk_row is None else before.fk_row,
        "-" if after.fk_row is None else after.fk_row,
    )


def _said(audit: Audit) -> str:
    accepted = f" (accepted: {audit.accepted_because})" if audit.accepted_because else ""
    return f"{mark(audit.ok)} **{audit.name}**: {plain(audit.message + accepted)}"


def _parent(result: MergeResult) -> str:
    return "the first version" if result.parent is None else f"on top of version {result.parent}"
