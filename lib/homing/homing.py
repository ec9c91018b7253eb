"""From what the cameras saw to where every joint is: read `home` as the table of contents."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from lib.errors import CheckFailed
from lib.homing.blocks import Block
from lib.homing.from_markers import by_chain, by_markers, centres_rms_mm, out_of_limits
from lib.homing.lens import Array, Lens
from lib.homing.loose_base import loose_base, own_joints, seed_on_base
from lib.homing.marker_methods import evidence_of, walk_chain
from lib.homing.marker_pose import MarkerPose, marker_poses
from lib.homing.pixel_ba import PixelSolution, sightings_of, solve_pixels
from lib.homing.placing import LARGEST_RMS_PX, Placing, place_cameras
from lib.homing.progress import JointFound, Progress
from lib.homing.residual_table import residual_rows, strange_cameras, trusted_rms_px
from lib.homing.result import Homing
from lib.homing.state import HIGH, LOW, Movement, movement, unseen
from lib.homing.views import Views
from lib.robot import Machine

_LARGEST_NOISE_PX = 4.0
_LEAST_TRUSTED = 0.4
_DOUBTED_SHARE = 0.4


def home(
    machine: Machine,
    lenses: Mapping[str, Lens],
    views: Views,
    method: str | None = None,
    seed: Mapping[int, float] | None = None,
    progress: Progress = lambda joint: None,
    largest_rms_px: float = LARGEST_RMS_PX,
) -> Homing:
    """Find the joint values of one capture.

    ``method`` defaults to the robot file's; ``seed`` [rad or m] may cover any variables, see
    ``state.seed_of``. Raises CheckFailed where no camera can be placed.
    """
    method = method or machine.pose_estimation.method
    placing = place_cameras(machine, lenses, views, largest_rms_px)
    if not placing.placed:
        reasons = "; ".join(camera.reason for camera in placing.unplaced)
        raise CheckFailed(f"no camera could be placed: {reasons or 'there are no images'}")
    warnings = [camera.reason for camera in placing.unplaced]
    working = loose_base(machine)
    seed, progress = seed_on_base(machine, working, seed), own_joints(progress)
    views, cameras = placing.views_of_placed(views), tuple(p.camera for p in placing.placed)
    poses = marker_poses(working, cameras, views)
    if method != "pixel_ba":
        return by_markers(working, poses, method, seed, progress, placing, warnings)
    sightings = sightings_of(working, cameras, views)
    tell = _teller(working, progress)
    solution = solve_pixels(working, cameras, sightings, seed, placing.noise, tell)
    failure = _failure(solution)
    if failure is not None:
        return replace(by_chain(working, poses, seed, failure, placing, warnings), solution=solution)
    return _by_pixels(working, poses, seed, placing, solution, warnings)


def _by_pixels(
    machine: Machine,
    poses: tuple[MarkerPose, ...],
    seed: Mapping[int, float],
    placing: Placing,
    solution: PixelSolution,
    warnings: list[str],
) -> Homing:
    rows = residual_rows(machine, solution)
    evidence = evidence_of(machine, poses)
    warnings += [
        f"camera {name}: disagrees with the others about most markers; is its image of another instant?"
        for name in strange_cameras(rows)
    ]
    if solution.rivals:
        warnings.append(
            f"{solution.rivals} other readings of the images cannot be excluded; see the deviations"
        )
    return Homing(
        machine=machine,
        method="pixel_ba",
        fallback=None,
        found=_movements(machine, solution),
        chain=walk_chain(machine, evidence, seed)[1],
        marker_poses=poses,
        placing=placing,
        solution=solution,
        residuals=rows,
        rms_px=trusted_rms_px(solution),
        rms_mm=centres_rms_mm(evidence, solution.values),
        warnings=tuple(warnings + out_of_limits(machine, solution.values, solution.blocks)),
    )


def home_from_marker_poses(
    machine: Machine,
    poses: Sequence[MarkerPose],
    method: str | None = None,
    seed: Mapping[int, float] | None = None,
    progress: Progress = lambda joint: None,
) -> Homing:
    """Find the joint values from marker poses alone, without images.

    `pixel_ba` needs images: where it is asked for, or is the robot file's method, `hybrid` serves.
    Raises CheckFailed where no pose is of a marker the machine carries.
    """
    method = method or machine.pose_estimation.method
    warnings = []
    if method == "pixel_ba":
        method, warnings = "hybrid", ["pixel_ba needs images; hybrid served from the marker poses"]
    if not any(pose.id in machine.carrier for pose in poses):
        raise CheckFailed(
            f"none of {len(poses)} marker poses is of a marker of {machine.name}; is it another robot's file?"
        )
    working = loose_base(machine)
    seed = seed_on_base(machine, working, seed)
    return by_markers(working, poses, method, seed, own_joints(progress), None, warnings)


def _teller(machine: Machine, progress: Progress) -> Callable[[Block, Array], None]:
    def tell(block: Block, values: Array) -> None:
        for k in block.variables:
            variable = machine.variables[k]
            shown = float(values[k]) * variable.shown_per_internal
            progress(JointFound(variable.name, shown, variable.unit, "pixel_ba"))

    return tell


def _failure(solution: PixelSolution) -> str | None:
    """Say why a solution is not to be believed; None where it is. That it converged proves nothing."""
    trusted, usable = solution.sightings.trusted.sum(), solution.sightings.usable.sum()
    if not usable:
        return "no marker of the machine was seen"
    if trusted < _LEAST_TRUSTED * usable:
        return f"pixel_ba explains {trusted} of {usable} corners"
    if solution.noise_px > _LARGEST_NOISE_PX:
        return f"pixel_ba leaves {solution.noise_px:.1f} px; expected at most {_LARGEST_NOISE_PX:g} px"
    return None


def _movements(machine: Machine, solution: PixelSolution) -> tuple[Movement, ...]:
    deviations = np.sqrt(np.diag(solution.covariance))
    of_block = {k: block for block in solution.blocks for k in block.variables}
    found = []
    for k, variable in enumerate(machine.variables):
        if k not in of_block:
            found.append(unseen(variable))
            continue
        mine = np.isin(solution.sightings.link_seen, of_block[k].links)
        trusted = solution.sightings.trusted[mine]
        markers = len(set(solution.sightings.marker[mine][trusted.any(axis=1)].tolist()))
        usable = solution.sightings.usable[mine]
        worst = HIGH if trusted.sum() >= _DOUBTED_SHARE * usable.sum() else LOW
        found.append(
            movement(variable, float(solution.values[k]), float(deviations[k]), markers, "pixel_ba", worst)
        )
    return tuple(found)
