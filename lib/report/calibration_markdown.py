"""Calibrations as the reports the Prefect UI shows."""

from __future__ import annotations

from lib.homing.calibrate import ArmCalibration, CameraCalibration


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
