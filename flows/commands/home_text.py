"""What `nightpick home` says on a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.table import Table

from flows.terminal import wide_text

if TYPE_CHECKING:
    from lib.homing import Movement
    from lib.homing.session import HomingRun
    from lib.homing.tuning import TunedSetting
    from lib.robot import Machine


def run_text(run: HomingRun, homed: bool | None) -> str:
    """Return a homing's state, offsets and warnings as text."""
    homing = run.homing
    table = Table("variable", "value", "deviation", "confidence", "markers", "method", box=None)
    offsets = {offset.variable: offset for offset in run.offsets}
    if offsets:
        table.add_column("encoder")
        table.add_column("offset")
    for m in (*homing.movements, *homing.base_shift):
        row = [m.name, _value(m), "" if m.std is None else f"{m.std:.3f}", m.confidence, str(m.n_markers)]
        row.append(m.method or "")
        if offsets:
            offset = offsets.get(m.name)
            row.append("" if offset is None else f"{offset.encoder_deg:.2f}")
            known = offset is not None and offset.offset_deg is not None
            row.append(f"{offset.offset_deg:+.2f} deg" if offset is not None and known else "")
        table.add_row(*row)
    fit = f", {homing.rms_px:.2f} px" if homing.residuals else ""
    lines = [f"{run.homing_id}: {homing.method}{fit}, {run.state}", wide_text(table).rstrip()]
    if homing.fallback:
        lines.append(f"the chain's state stands: {homing.fallback}")
    if run.origin is not None:
        found, patch = run.origin.fit, run.origin.patch
        patched = f", line {patch.line} of {patch.file}" if patch else ", not written"
        old, new = (", ".join(f"{x:.2f}" for x in v) for v in (found.old_mm, found.new_mm))
        lines.append(f"origin of {found.link}: {old} mm before, {new} mm now{patched}")
        if run.origin.circle_off_mm is not None:
            lines.append(f"  its markers' circles have their middle {run.origin.circle_off_mm:.2f} mm off")
    lines += [f"warning: {warning}" for warning in run.warnings]
    lines += [f"alarm: {alarm}" for alarm in run.alarms]
    if homed is not None:
        lines.append("the arm is homed" if homed else "the arm is not homed: nothing was sent to it")
    return "\n".join(lines)


def tuning_text(rows: Sequence[TunedSetting], machine: Machine) -> str:
    """Return the ranking of settings as text; the robot file's own is marked."""
    own = machine.pose_estimation
    table = Table("huber_delta_mm", "normal_weight", "rms [mm]", "median [mm]", "markers", "", box=None)
    for row in rows:
        mine = (row.huber_delta_mm, row.normal_weight) == (own.huber_delta_mm, own.normal_weight)
        table.add_row(
            f"{row.huber_delta_mm:g}",
            f"{row.normal_weight:g}",
            f"{row.rms_mm:.3f}",
            f"{row.median_mm:.3f}",
            str(row.markers),
            "the robot file's" if mine else "",
        )
    return wide_text(table).rstrip()


def _value(m: Movement) -> str:
    return "not seen" if m.value is None else f"{m.value:.3f} {m.unit}"
