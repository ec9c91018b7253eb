"""What `nightpick calibrate` says on a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from lib.homing.calibrate import ArmCalibration, CameraCalibration, RigCalibration, RobotCalibration


def camera_text(found: CameraCalibration) -> str:
    """Return a camera's calibration as text."""
    fx, fy, cx, cy = found.camera.lens.intrinsics_px
    k1, k2, p1, p2, k3 = found.camera.lens.distortion
    x, y, z = found.camera.place_m
    return "\n".join(
        [
            f"{len(found.used)} photos used, corners {found.rms_px:.2f} px off",
            f"intrinsics_px [{fx:.2f}, {fy:.2f}, {cx:.2f}, {cy:.2f}]",
            f"distortion [{k1:.5f}, {k2:.5f}, {p1:.5f}, {p2:.5f}, {k3:.5f}]",
            f"the camera stands at ({x:.4f}, {y:.4f}, {z:.4f}) m in the arm's base",
            f"the arm itself is off by {1000 * found.spread.arm_shift_m:.2f} mm and "
            f"{np.degrees(found.spread.arm_turn_rad):.3f} deg a coordinate",
            f"each photo left out in turn: {found.off_mm.mean():.2f} mm, {found.off_deg.mean():.3f} deg; "
            f"worst {found.off_mm.max():.2f} mm, {found.off_deg.max():.3f} deg",
        ]
    )


def rig_text(rig: RigCalibration) -> str:
    """Return placed cameras as text."""
    lines = [
        f"the world is the board of {rig.world}; corners {rig.rms_px:.2f} px off, median {rig.median_px:.2f}"
    ]
    for camera in rig.cameras:
        x, y, z = camera.place_m
        lines.append(f"{camera.name} stands at ({x:.4f}, {y:.4f}, {z:.4f}) m")
    lines += [f"{name}: shares no photo of the board with the others" for name in rig.unplaced]
    return "\n".join(lines)


def arm_text(found: ArmCalibration) -> str:
    """Return an arm's axes as text."""
    lines = [
        f"{len(found.off_mm)} readings, {found.off_mm.mean():.3f} mm and {found.off_deg.mean():.3f} deg left"
    ]
    for k, (axis, point) in enumerate(zip(found.chain.axes, found.chain.points_m, strict=True), start=1):
        a = ", ".join(f"{v:.5f}" for v in axis)
        p = ", ".join(f"{v:.5f}" for v in point)
        lines.append(f"joint {k}: axis ({a}) through ({p}) m")
    mean = ", ".join(f"{v:.3f}" for v in found.held_out_deg.mean(axis=0))
    worst = ", ".join(f"{v:.3f}" for v in found.held_out_deg.max(axis=0))
    lines.append(f"the {len(found.held_out_deg)} readings held out: {mean} deg mean, {worst} worst")
    return "\n".join(lines)


def robot_text(found: RobotCalibration) -> str:
    """Return a known arm's offsets and origins as text; only what the readings tell."""
    lines = [
        f"{len(found.off_mm)} readings, {found.before_mm:.2f} mm off by the robot file; now "
        f"{found.off_mm.mean():.3f} mm and {found.off_deg.mean():.3f} deg"
    ]
    for v, offset, std in zip(found.machine.variables, found.offsets, found.offset_deviations, strict=True):
        value = f"{v.shown_per_internal * offset:+.3f} {v.unit}, deviation {v.shown_per_internal * std:.3f}"
        lines.append(f"{v.name}: {value if np.isfinite(std) else 'not told by the readings'}")
    for link, shift, std in zip(found.links, found.shifts_m, found.shift_deviations_m, strict=True):
        told = [f"{n} {1000 * s:+.2f}" for n, s, d in zip("xyz", shift, std, strict=True) if np.isfinite(d)]
        if told:
            lines.append(f"origin of {found.machine.links[link].name}: {', '.join(told)} mm")
    held = f"{found.held_out_mm.mean():.3f} mm, {found.held_out_deg.mean():.3f} deg"
    lines.append(f"the {len(found.held_out_mm)} readings held out: {held} mean")
    return "\n".join(lines)
