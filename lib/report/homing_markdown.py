"""A homing as the report the Prefect UI shows."""

from __future__ import annotations

from lib.homing import Movement, ResidualRow
from lib.homing.session import HomingRun, JointOffset, OriginResult

_ROWS = 200


def homing_headline(run: HomingRun) -> str:
    """Say in one line how a homing came out."""
    homing = run.homing
    unseen = [m.name for m in homing.movements if not m.observable]
    parts = [f"{run.homing_id}: {homing.method}"]
    if homing.residuals:
        parts.append(f"{homing.rms_px:.2f} px")
    parts.append(run.state if not unseen else f"{run.state}, {', '.join(unseen)} not seen")
    return ", ".join(parts) + "".join(f"; {alarm}" for alarm in run.alarms)


def homing_markdown(run: HomingRun) -> str:
    """Return state, chain, cameras, offsets, warnings and residuals as tables."""
    homing = run.homing
    lines = [f"## {homing_headline(run)}", ""]
    if homing.fallback:
        lines += [f"**The chain's state stands**: {homing.fallback}", ""]
    lines += [
        "| variable | value | deviation | confidence | markers | method |",
        "| --- | ---: | ---: | --- | ---: | --- |",
        *(_movement(m) for m in (*homing.movements, *homing.base_shift)),
    ]
    if run.offsets:
        lines += ["", "### Camera against encoder", ""]
        lines += ["| joint | encoder | camera | offset | last |", "| --- | ---: | ---: | ---: | ---: |"]
        lines += [_offset(offset) for offset in run.offsets]
    if run.origin is not None:
        lines += ["", f"Origin of {_origin(run.origin)}."]
    if run.warnings:
        lines += ["", "### Warnings", "", *(f"- {warning}" for warning in run.warnings)]
    if homing.placing is not None:
        lines += ["", "### Cameras", "", "| camera | board error | markers |", "| --- | ---: | ---: |"]
        lines += [f"| {p.camera.name} | {p.rms_px:.2f} px | {p.markers} |" for p in homing.placing.placed]
        lines += [f"| {u.name} | {u.reason} | |" for u in homing.placing.unplaced]
    if homing.residuals:
        lines += ["", "### Residuals", ""]
        lines += ["| camera | marker | link | residual | corners |", "| --- | ---: | --- | ---: | ---: |"]
        worst = sorted(homing.residuals, key=lambda row: -row.rms_px)[:_ROWS]
        lines += [_residual(row) for row in worst]
    return "\n".join(lines) + "\n"


def _origin(origin: OriginResult) -> str:
    old, new = (", ".join(f"{x:.2f}" for x in v) for v in (origin.fit.old_mm, origin.fit.new_mm))
    patched = f"line {origin.patch.line} of {origin.patch.file}" if origin.patch else "not written"
    said = f"{origin.fit.link}: {old} mm before, {new} mm now; {patched}"
    if origin.circle is not None:
        said += f"; the circles its markers ran along have their middle {origin.circle_off_mm:.2f} mm off"
    return said


def _movement(m: Movement) -> str:
    value = "not seen" if m.value is None else f"{m.value:.3f} {m.unit}"
    std = "" if m.std is None else f"{m.std:.3f}"
    return f"| {m.name} | {value} | {std} | {m.confidence} | {m.n_markers} | {m.method or ''} |"


def _offset(offset: JointOffset) -> str:
    shown = [
        "" if value is None else f"{value:.2f} deg"
        for value in (offset.encoder_deg, offset.camera_deg, offset.offset_deg, offset.last_offset_deg)
    ]
    return f"| {offset.variable} | {' | '.join(shown)} |"


def _residual(row: ResidualRow) -> str:
    return f"| {row.camera} | {row.marker} | {row.link} | {row.rms_px:.2f} px | {row.corners} of 4 |"
