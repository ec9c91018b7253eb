"""A joint's origin from circles: an independent check of a fitted one.

When one joint turns alone, every marker it carries runs along a circle around its axis. In the
frame of the joint's parent, seen along the axis, all these circles have one middle: the origin.
Only marker centres have a part in it, no normals and no joint values.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lib.errors import CheckFailed
from lib.homing.calibrate.turning_chain import sideways
from lib.homing.gauss_newton import descend_to_rest
from lib.homing.lens import Array
from lib.homing.marker_pose import MarkerPose
from lib.robot import Machine, Tree, tree_frames

LEAST_CAPTURES = 3
_LEAST_TURN_RAD = np.radians(5.0)


@dataclass(frozen=True, eq=False)
class CircleFit:
    """The middle of a joint's circles."""

    link: str
    origin_mm: Array
    """Origin in the parent's frame; along the axis as the file has it, of shape (3,)."""
    across: Array
    """The two directions it was measured in, in the parent's frame, of shape (2, 3)."""
    std_mm: Array
    """Standard deviations along them, of shape (2,)."""
    rms_mm: float
    """What marker centres are off their circles by."""
    markers: int

    def off_mm(self, origin_mm: Array) -> Array:
        """Return how far another origin (3,) is from the circles' middle, along both directions (2,)."""
        return self.across @ (origin_mm - self.origin_mm)


@dataclass(frozen=True, eq=False)
class _Sums:
    cost: float
    normal: Array
    pull: Array


def fit_circle(
    machine: Machine, captures: Sequence[tuple[Sequence[MarkerPose], Array]], link: str
) -> CircleFit:
    """Fit the middle of the circles a link's markers ran along.

    A capture is its marker poses and joint values (variables,) [rad or m], of which only those
    before the joint are looked at. Raises CheckFailed where fewer than three captures show a marker
    twice or thrice, or the joint hardly turned.
    """
    index = machine.link_index(link)
    joint = machine.links[index].joint
    assert joint is not None
    if joint.kind != "revolute":
        raise CheckFailed(f"circle of {link}: its joint is linear; expected one that turns")
    points = _points_in_parent(machine, captures, index)
    tracks = [np.array(track) for track in points.values() if len(track) >= LEAST_CAPTURES]
    if not tracks:
        raise CheckFailed(
            f"circle of {link}: no marker of it was seen in {LEAST_CAPTURES} captures; expected "
            "captures in which that joint alone turned"
        )
    axis = joint.origin_rotation @ joint.axis
    across = sideways(axis)
    flat = [track @ across.T for track in tracks]
    unknowns, spread_mm, covariance = _middle(flat)
    turned = max(_turned(track, unknowns[:2]) for track in flat)
    if turned < _LEAST_TURN_RAD:
        raise CheckFailed(
            f"circle of {link}: its markers turned by {np.degrees(turned):.1f} deg between the captures; "
            f"expected {np.degrees(_LEAST_TURN_RAD):g} deg or more"
        )
    along = float(joint.origin_m @ axis)
    origin_m = unknowns[:2] @ across + along * axis
    return CircleFit(link, 1000 * origin_m, across, np.sqrt(np.diag(covariance)[:2]), spread_mm, len(tracks))


def _points_in_parent(
    machine: Machine, captures: Sequence[tuple[Sequence[MarkerPose], Array]], index: int
) -> dict[int, list[Array]]:
    """Return each of the link's markers' centres in the frame of its joint's parent [m]."""
    tree, parent = Tree.of(machine), machine.links[index].parent
    points: dict[int, list[Array]] = {}
    for poses, values in captures:
        frames = tree_frames(tree, values[None])
        rotation, place = frames.rotations[0, parent], frames.places_m[0, parent]
        for pose in poses:
            if machine.carrier.get(pose.id) == index and pose.num_cameras > 1:
                points.setdefault(pose.id, []).append(rotation.T @ (pose.position_m - place))
    return points


def _middle(tracks: Sequence[Array]) -> tuple[Array, float, Array]:
    """Return middle and radii [m], what points are off by [mm], and the covariance [mm^2].

    Each track is a circle of its own radius about one middle: least squares of the distances.
    """
    everything = np.concatenate(tracks)
    middle = everything.mean(axis=0)
    start = np.array([*middle, *(float(np.linalg.norm(t - middle, axis=1).mean()) for t in tracks)])

    def equations(x: Array) -> _Sums:
        residuals, rows = [], []
        for k, track in enumerate(tracks):
            away = track - x[:2]
            far = np.linalg.norm(away, axis=1)
            residuals.append(far - x[2 + k])
            slope = np.zeros((len(track), len(x)))
            slope[:, :2] = -away / far[:, None]
            slope[:, 2 + k] = -1.0
            rows.append(slope)
        r, j = np.concatenate(residuals), np.concatenate(rows)
        return _Sums(float(r @ r), j.T @ j + 1e-15 * np.eye(len(x)), j.T @ r)

    rest = descend_to_rest(equations, lambda x, step: x + step, _algebraic(tracks, start))
    spare = len(everything) - len(start)
    variance_mm2 = 1e6 * rest.equations.cost / max(spare, 1)
    covariance = variance_mm2 * np.linalg.inv(rest.equations.normal)
    return rest.at, float(np.sqrt(1e6 * rest.equations.cost / len(everything))), np.asarray(covariance)


def _algebraic(tracks: Sequence[Array], start: Array) -> Array:
    """Return middle and radii by the linear fit |p|^2 = 2 m . p + c_k (Kasa 1976), to begin from."""
    rows, right = [], []
    for k, track in enumerate(tracks):
        part = np.zeros((len(track), len(start)))
        part[:, :2], part[:, 2 + k] = 2 * track, 1.0
        rows.append(part)
        right.append((track**2).sum(axis=1))
    solution, *_ = np.linalg.lstsq(np.concatenate(rows), np.concatenate(right), rcond=None)
    squares = solution[2:] + solution[:2] @ solution[:2]
    if not (squares > 0).all():
        return start
    return np.concatenate([solution[:2], np.sqrt(squares)])


def _turned(track: Array, middle: Array) -> float:
    """Return the largest angle between two points of a track, seen from the middle [rad]."""
    angles = np.arctan2(*(track - middle).T[::-1])
    apart = angles[:, None] - angles
    return float(np.abs((apart + np.pi) % (2 * np.pi) - np.pi).max())
