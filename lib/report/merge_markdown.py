"""A merge told in Markdown: what it did and what each audit said, and what changes for the targets."""

from __future__ import annotations

from lib.report.markdown import mark, millimetres, table
from lib.table import Audit, Change, MergeResult


def merge_markdown(result: MergeResult) -> str:
    """Return the merge report: one sentence, the audits, the figures."""
    audits = table(
        ("", "audit", "what it found"),
        ((mark(a.ok), a.name.replace("_", " "), _said(a)) for a in result.audits),
    )
    findings = "\n".join(
        f"\n**{a.name.replace('_', ' ')}**\n\n" + "\n".join(f"- {line}" for line in a.findings)
        for a in result.audits
        if a.ok is False and a.findings
    )
    figures = table(
        ("", "rows"),
        (
            ("in the scan", f"{result.scanned:,}"),
            ("already known", f"{result.duplicates:,}"),
            ("new", f"{result.added:,}"),
            (f"in version {result.version}", f"{result.rows:,}"),
        ),
        right=(1,),
    )
    return (
        f"## {headline(result)}\n\n{figures}\n\n### Audits\n\n{audits}\n{findings}\n\n"
        f"Content md5 `{result.content_md5}`, scan `{result.scan_file}` (md5 `{result.scan_md5}`), "
        f"{_parent(result)}.\n"
    )


def headline(result: MergeResult) -> str:
    """Return the merge in one sentence."""
    effect = result.effect
    if result.state == "blocked":
        failed = ", ".join(a.name.replace("_", " ") for a in result.audits if a.blocks)
        return f"{result.scan_file} blocked by {failed}: the table is as it was"
    done = f"Version {result.version}" if result.promoted else f"Dry run of version {result.version}"
    said = f"{done}: {result.added:,} of {result.scanned:,} rows added"
    if not effect.changes:
        return said
    said += f", {effect.count('improved')} of {len(effect.changes)} probes improved"
    return f"{said}, {effect.count('worse')} worse" if effect.count("worse") else said


def effect_markdown(result: MergeResult) -> str:
    """Return the effect report: what changes for the probes, and what binds those that did not improve."""
    effect = result.effect
    verdicts = table(
        ("mode", "probes", "improved", "worse", "unchanged", "out of reach"),
        (_counts(mode, [c for c in effect.changes if c.probe.mode == mode]) for mode in ("place", "pick")),
        right=(1, 2, 3, 4, 5),
    )
    parts = [f"## {_effect_headline(result)}", verdicts]
    if effect.largest:
        changes = table(
            ("", "target x, z", "before", "after", "row before", "row after", "method"),
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


def _effect_headline(result: MergeResult) -> str:
    effect = result.effect
    said = (
        f"{effect.count('improved')} of {len(effect.changes)} probes improved, {effect.count('worse')} worse"
    )
    if effect.count("improved") == 0 and effect.binding:
        said += f"; the filter that binds most is {effect.binding.most_common(1)[0][0].replace('_', ' ')}"
    return said


def _counts(mode: str, changes: list[Change]) -> tuple[object, ...]:
    verdicts = [c.verdict for c in changes]
    counts = [verdicts.count(v) for v in ("improved", "worse", "unchanged")]
    return (mode.upper(), len(changes), *counts, sum(c.after.xz_distance_m is None for c in changes))


def _change(change: Change) -> tuple[object, ...]:
    sign = {"improved": "🟢", "worse": "🔴", "unchanged": ""}[change.verdict]
    target = f"{change.probe.mode.upper()} {change.probe.x_m:+.3f}, {change.probe.z_m:.3f} m"
    before, after = change.before, change.after
    return (
        sign,
        target,
        millimetres(before.xz_distance_m),
        millimetres(after.xz_distance_m),
        "-" if before.fk_row is None else before.fk_row,
        "-" if after.fk_row is None else after.fk_row,
        after.method if before.method == after.method else f"{before.method} → {after.method}",
    )


def _said(audit: Audit) -> str:
    return (
        f"{audit.message} (accepted: {audit.accepted_because})" if audit.accepted_because else audit.message
    )


def _parent(result: MergeResult) -> str:
    return "the first version" if result.parent is None else f"on top of version {result.parent}"
