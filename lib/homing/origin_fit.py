"""A joint's origin, fitted in the same solve as the joint values, over one capture or several.

Several captures have one origin and one set of cameras in common and joint values of their own:
what one pose cannot tell apart from the joint's angle, another can. A fit the data cannot separate
is refused, and so is one that goes farther than any tape measure is wrong.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lib.errors import CheckFailed
from lib.homing.blocks import blocks_of
from lib.homing.camera import Camera
from lib.homing.lens import Array
from lib.homing.marker_deviation import marker_covariance
from lib.homing.marker_methods import evidence_of
from lib.homing.marker_methods.loose_origin import fit_loose_origin
from lib.homing.marker_pose import MarkerPose
from lib.homing.noise import DETECTOR_NOISE, Noise, noise_of_best, trusted_corners
from lib.homing.pixel_ba import PixelSolution, Sightings
from lib.homing.pixel_ba.bundle import Bundle, Fit, FreeOrigin, Unknowns, fit
from lib.homing.pixel_ba.cold_start import FINE_SCALE_PX
from lib.homing.shared_cameras import shared_camera
from lib.robot import Machine

LARGEST_STEP_MM = 30.0
LARGEST_STD_MM = 1.0
_GATINGS = 3
_COARSE_SCALE_PX = 10 * FINE_SCALE_PX
_AXES = "xyz"


@dataclass(frozen=True, eq=False)
class OriginFit:
    """A fitted origin."""

    link: str
    coordinates: tuple[int, ...]
    """Which were fitted: 1 and 2 for y and z in the parent's frame."""
    old_mm: Array
    """The whole origin before, of shape (3,)."""
    new_mm: Array
    """And after."""
    covariance_mm2: Array
    """Of the fitted coordinates."""
    values: Array
    """Joint values of each capture [rad or m], with that origin, of shape (k, variables)."""
    deviations: Array
    """Their standard deviations, of shape (k, variables)."""
    rms_px: float
    """Of the trusted corners, with the new origin; NaN where marker poses alone were given."""

    @property
    def std_mm(self) -> Array:
        """Standard deviations of the fitted coordinates."""
        return np.sqrt(np.diag(self.covariance_mm2))

    @property
    def step_mm(self) -> float:
        """How far the origin went."""
        return float(np.linalg.norm(self.new_mm - self.old_mm))

    @property
    def changes_mm(self) -> dict[int, float]:
        """The fitted coordinates, as `patch_origin` takes them."""
        return {i: float(self.new_mm[i]) for i in self.coordinates}


def fit_origin(
    machine: Machine,
    solutions: Sequence[PixelSolution],
    link: str,
    coordinates: tuple[int, ...] = (1, 2),
    known_mm2: Array | None = None,
) -> OriginFit:
    """Fit some coordinates of a link's joint origin over the captures that ``solutions`` homed.

    ``known_mm2`` is the covariance of the file's origin where an earlier fit put it there: captures
    taken one after the other then add up instead of replacing each other.

    Raises CheckFailed, with the reason, where the captures do not see what the joint carries, a
    camera was moved between them, the origin cannot be told apart from joint values (its deviation
    stays above a millimetre), or it goes farther than 30 mm.
    """
    index = machine.link_index(link)
    carried = np.flatnonzero(machine.moves[:, index - 1])
    solutions = [s for s in solutions if np.isin(s.sightings.link_seen, carried).any()]
    if not solutions:
        raise CheckFailed(f"origin of {link}: no capture shows a marker that its joint carries")
    cameras, sightings = _together(solutions)
    free = FreeOrigin(index, coordinates, None if known_mm2 is None else 1e-6 * known_mm2)
    found, residuals, trusted = _settled(machine, cameras, sightings, free, solutions)
    joint = machine.links[index].joint
    assert joint is not None
    old_mm = 1000.0 * joint.origin_m
    new_mm = 1000.0 * found.tree.origins_m[index - 1]
    covariance_mm2 = 1e6 * found.covariance[-len(coordinates) :, -len(coordinates) :]
    _refuse_inseparable(machine, found.covariance, len(solutions), link, coordinates)
    _refuse_far(link, new_mm - old_mm)
    variables = len(machine.variables)
    count = len(solutions) * variables
    return OriginFit(
        link=link,
        coordinates=coordinates,
        old_mm=old_mm,
        new_mm=new_mm,
        covariance_mm2=covariance_mm2,
        values=found.values,
        deviations=np.sqrt(np.diag(found.covariance)[:count]).reshape(-1, variables),
        rms_px=float(np.sqrt((residuals[trusted] ** 2).sum(axis=-1).mean())),
    )


def fit_origin_by_markers(
    machine: Machine, poses: Sequence[MarkerPose], values: Array, link: str
) -> OriginFit:
    """Fit y and z of a link's joint origin to one capture's marker poses, from joint values (variables,).

    The original's way; refuses as `fit_origin` does.
    """
    index = machine.link_index(link)
    carried = np.flatnonzero(machine.moves[:, index - 1])
    links = {machine.carrier[pose.id] for pose in poses if pose.id in machine.carrier}
    if not links & set(carried.tolist()):
        raise CheckFailed(f"origin of {link}: no marker pose is of a marker that its joint carries")
    seen = [k for block in blocks_of(machine, links) for k in block.variables]
    loose, found = fit_loose_origin(machine, poses, values, link, seen)
    names = [variable.name for variable in loose.variables]
    slides = [names.index("origin y"), names.index("origin z")]
    order = [names.index(variable.name) for variable in machine.variables]
    covariance = marker_covariance(loose, evidence_of(loose, poses), found)
    covariance = covariance[np.ix_([*order, *slides], [*order, *slides])]
    _refuse_inseparable(machine, covariance, 1, link, (1, 2))
    joint = machine.links[index].joint
    assert joint is not None
    old_mm = 1000.0 * joint.origin_m
    new_mm = old_mm + 1000.0 * np.array([0.0, *found[slides]])
    _refuse_far(link, new_mm - old_mm)
    deviations = np.sqrt(np.diag(covariance))[None, : len(order)]
    return OriginFit(
        link, (1, 2), old_mm, new_mm, 1e6 * covariance[-2:, -2:], found[order][None], deviations, float("nan")
    )


def _together(solutions: Sequence[PixelSolution]) -> tuple[tuple[Camera, ...], list[Sightings]]:
    """Return every camera once, and the captures' sightings numbered by them."""
    names = list(dict.fromkeys(camera.name for s in solutions for camera in s.placed))
    cameras = []
    for name in names:
        camera = shared_camera([c for s in solutions for c in s.placed if c.name == name])
        if camera is None:
            raise CheckFailed(
                f"camera {name} was moved between the captures; expected cameras that stand still"
            )
        cameras.append(camera)
    sightings = []
    for s in solutions:
        number = np.array([names.index(camera.name) for camera in s.placed])
        sightings.append(s.sightings.seen_by(number[s.sightings.camera]))
    return tuple(cameras), sightings


def _settled(
    machine: Machine,
    cameras: tuple[Camera, ...],
    sightings: Sequence[Sightings],
    free: FreeOrigin,
    solutions: Sequence[PixelSolution],
) -> tuple[Fit, Array, NDArray[np.bool_]]:
    """Fit robustly at first: a wrong origin makes good corners of its link look like false ones."""
    everything = tuple(s.trusting(s.usable) for s in sightings)
    usable = np.concatenate([s.usable for s in sightings])
    noise = Noise(float(np.median([s.noise_px for s in solutions])))
    bundle = Bundle(machine, cameras, everything, free)
    at = Unknowns.of(bundle, np.array([s.values for s in solutions]))
    for scale_px in (_COARSE_SCALE_PX, FINE_SCALE_PX):
        found = fit(bundle, at, noise, scale_px)
        at = found.unknowns
    residuals = np.concatenate(found.residuals_px)
    floor_px = np.concatenate([s.floor_px for s in sightings])
    start_px = max(DETECTOR_NOISE.px, noise_of_best(residuals[usable]))
    trusted = trusted_corners(residuals, start_px, floor_px, usable)
    unknowns = at.values.size + 6 * len(cameras) + len(free.axes)
    ends = np.cumsum([len(s.camera) for s in sightings])[:-1]
    for _ in range(_GATINGS):
        noise = DETECTOR_NOISE.after(residuals, trusted, floor_px, unknowns)
        trusted = trusted_corners(residuals, noise.px, floor_px, usable)
        believed = (s.trusting(t) for s, t in zip(sightings, np.split(trusted, ends), strict=True))
        found = fit(Bundle(machine, cameras, tuple(believed), free), found.unknowns, noise)
        residuals = np.concatenate(found.residuals_px)
    return found, residuals, trusted


def _refuse_far(link: str, change_mm: Array) -> None:
    step_mm = float(np.linalg.norm(change_mm))
    if step_mm > LARGEST_STEP_MM:
        raise CheckFailed(
            f"origin of {link}: the fit moves it by {step_mm:.1f} mm, expected {LARGEST_STEP_MM:g} at most; "
            "is a marker glued elsewhere than the file says, or is it another link's origin?"
        )


def _refuse_inseparable(
    machine: Machine, covariance: Array, captures: int, link: str, coordinates: tuple[int, ...]
) -> None:
    """Refuse where a fitted coordinate, last in the covariance, is no surer than a tape measure."""
    deviations = np.sqrt(np.diag(covariance))
    std_mm = 1000.0 * deviations[-len(coordinates) :]
    worst = int(np.argmax(std_mm))
    if std_mm[worst] <= LARGEST_STD_MM:
        return
    variables = len(machine.variables)
    shares = np.zeros(captures * variables)
    known = np.isfinite(deviations[: len(shares)]) & np.isfinite(std_mm[worst])
    row = covariance[len(covariance) - len(coordinates) + worst, : len(shares)]
    shares[known] = np.abs(row[known] / deviations[: len(shares)][known] / (1e-3 * std_mm[worst]))
    variable = machine.variables[int(np.argmax(shares)) % variables].name
    deviation = f"{std_mm[worst]:.1f} mm" if std_mm[worst] < 1000 else "anything"
    raise CheckFailed(
        f"origin of {link}: {_AXES[coordinates[worst]]} cannot be told apart from {variable} "
        f"(correlation {shares.max():.3f}, deviation {deviation}, expected at most {LARGEST_STD_MM:g} mm); "
        "take captures with the joint in other poses, or more of its markers in view"
    )
