"""Calibrations as the reports the Prefect UI shows."""

from __future__ import annotations

import numpy as np

from lib.homing.calibrate import ArmCalibration, CameraCalibration, RigCalibration, RobotCalibration


def camera_markdown(found: CameraCalibration) -> str:
    """Return a camera's lens, place and proof as tables."""
    lens = found.camera.lens
    names = ("fx", "fy", "cx", "cy", "k1", "k2", "p1", "p2", "k3")
    values = [*lens.intrinsics_px.tolist(), *lens.distortion.tolist()]
    lines = [
        f"## Camera {found.camera.name}: {found.rms_px:.2f} px over {len(found.used)} photos",
        "",
        f"| {' | '.join(names)} |",
        f"| {' | '.join('---:' for _ in names)} |",
        f"| {' | '.join(f'{value:.5g}' for value in values)} |",
        "",
        f"It stands at ({', '.join(f'{v:.4f}' for v in found.camera.place_m)}) m in the arm's base.",
        "",
        "### Each photo left out in turn",
        "",
        "| photo | place | turn |",
        "| --- | ---: | ---: |",
    ]
    for name, mm, deg in zip(found.used, found.off_mm, found.off_deg, strict=True):
        lines.append(f"| {name} | {mm:.2f} mm | {deg:.3f} deg |")
    return "\n".join(lines) + "\n"


def arm_markdown(found: ArmCalibration) -> str:
    """Return an arm's axes and their proof as tables."""
    lines = [
        f"## Arm: {found.off_mm.mean():.3f} mm and {found.off_deg.mean():.3f} deg over {len(found.off_mm)}",
        "",
        "| joint | axis | point [m] | held out, mean | worst |",
        "| ---: | --- | --- | ---: | ---: |",
    ]
    for k, (axis, point) in enumerate(zip(found.chain.axes, found.chain.points_m, strict=True)):
        off = found.held_out_deg[:, k]
        shown = [", ".join(f"{v:.4f}" for v in vector) for vector in (axis, point)]
        lines.append(f"| {k + 1} | {shown[0]} | {shown[1]} | {off.mean():.3f} deg | {off.max():.3f} deg |")
    return "\n".join(lines) + "\n"


def rig_markdown(rig: RigCalibration) -> str:
    """Return the places of cameras as a table."""
    lines = [
        f"## {len(rig.cameras)} cameras: corners {rig.rms_px:.2f} px off, median {rig.median_px:.2f}",
        "",
        f"The world is the board of {rig.world}.",
        "",
        "| camera | stands at [m] |",
        "| --- | --- |",
        *(f"| {c.name} | {', '.join(f'{v:.4f}' for v in c.place_m)} |" for c in rig.cameras),
        *(f"| {name} | shares no photo of the board with the others |" for name in rig.unplaced),
    ]
    return "\n".join(lines) + "\n"


def robot_markdown(found: RobotCalibration) -> str:
    """Return a known arm's offsets and origins as tables; what the data do not tell has a dash."""
    lines = [
        f"## {found.machine.name}: {found.before_mm:.2f} mm off by its file, now {found.off_mm.mean():.2f}",
        "",
        "| variable | offset | deviation |",
        "| --- | ---: | ---: |",
    ]
    for v, offset, std in zip(found.machine.variables, found.offsets, found.offset_deviations, strict=True):
        told = [f"{v.shown_per_internal * x:.3f} {v.unit}" for x in (offset, std)]
        lines.append(f"| {v.name} | {' | '.join(told if np.isfinite(std) else ['-', '-'])} |")
    lines += ["", "| link | origin's shift x, y, z [mm] | deviation |", "| --- | --- | --- |"]
    for link, shift, std in zip(found.links, found.shifts_m, found.shift_deviations_m, strict=True):
        known = np.isfinite(std)
        shown = [", ".join(f"{1000 * x:.2f}" if k else "-" for x, k in zip(v, known, strict=True))
                 for v in (shift, std)]  # fmt: skip
        lines.append(f"| {found.machine.links[link].name} | {shown[0]} | {shown[1]} |")
    held = f"{found.held_out_mm.mean():.2f} mm and {found.held_out_deg.mean():.3f} deg"
    return (
        "\n".join([*lines, "", f"The {len(found.held_out_mm)} readings held out: {held} on average."]) + "\n"
    )
