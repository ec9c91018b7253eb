"""A known arm's own joint origins and offsets, from pairs of encoder readings and seen poses.

Where the robot file says how the joints follow each other, seen pose = B F(q + d, o + s) M: B the base in
the measuring frame and M the target on the last link, both free; d each joint's offset, s each origin's
shift, held to zero by 5 degrees and a millimetre. What the data say nothing about keeps that width and is
told as null: the first joint's offset is a turn of the base, the last one's a turn of the target.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lib.errors import CheckFailed
from lib.homing.calibrate.arm_calibration import Reading, small_turns
from lib.homing.calibrate.hand_eye import Pose, hand_eye
from lib.homing.gauss_newton import descend_to_rest
from lib.homing.lens import Array
from lib.homing.rotations import rotation_of
from lib.robot import Machine, Tree, tree_frames

_PRIOR_TURN_RAD = np.radians(5.0)
_PRIOR_SHIFT_M = 0.001
"""What a maker holds, and a tape measure: an offset alone cannot be told from a shift of the next origin."""
_TOLD_SHARE = 0.3
"""What keeps more of its prior's width than this was not found."""
_START_READINGS = 40
_ROUNDS = 4
_STEP = 1e-6
_FIRST_DEVIATIONS = np.array([0.001] * 3 + [np.radians(0.1)] * 3)


@dataclass(frozen=True, eq=False)
class RobotCalibration:
    """A machine's offsets and origins, with what was found of each."""

    machine: Machine
    links: tuple[int, ...]
    """Links of the joints that carry the target, root to tip."""
    offsets: Array
    """True = encoder + offset [rad or m], a variable each."""
    offset_deviations: Array
    """NaN where the data do not tell it."""
    shifts_m: Array
    """Of each joint's origin against the file's [m], of shape (joints, 3)."""
    shift_deviations_m: Array
    """NaN where the data do not tell it."""
    off_mm: Array
    """Distance of the seen place from the chain's, a reading [mm]."""
    off_deg: Array
    """And turn [deg]."""
    held_out_mm: Array
    """The same for every second reading, foretold by a fit to the others."""
    held_out_deg: Array
    before_mm: float
    """Mean distance with the file's origins and without offsets [mm]."""

    def as_json(self) -> dict[str, object]:
        """Return the document of `calibrate arm --robot --json`; what was not found is null."""
        return {
            "robot": self.machine.name,
            "used": len(self.off_mm),
            "mean_mm": float(self.off_mm.mean()),
            "mean_deg": float(self.off_deg.mean()),
            "before_mm": self.before_mm,
            "offsets": {
                v.name: {
                    "value": _told(self.offsets[k] * v.shown_per_internal, self.offset_deviations[k]),
                    "std": _told(self.offset_deviations[k] * v.shown_per_internal, self.offset_deviations[k]),
                    "unit": v.unit,
                }
                for k, v in enumerate(self.machine.variables)
            },
            "origins": {
                self.machine.links[link].name: {
                    "shift_mm": [_told(1000 * s, d) for s, d in zip(shift, deviation, strict=True)],
                    "std_mm": [_told(1000 * d, d) for d in deviation],
                    "origin_mm": [
                        _told(1000 * (o + s), d)
                        for o, s, d in zip(self._origin_m(link), shift, deviation, strict=True)
                    ],
                }
                for link, shift, deviation in zip(
                    self.links, self.shifts_m, self.shift_deviations_m, strict=True
                )
            },
            "held_out": {
                "readings": len(self.held_out_mm),
                "mean_mm": float(self.held_out_mm.mean()),
                "worst_mm": float(self.held_out_mm.max()),
                "mean_deg": float(self.held_out_deg.mean()),
                "worst_deg": float(self.held_out_deg.max()),
            },
        }

    def _origin_m(self, link: int) -> Array:
        joint = self.machine.links[link].joint
        assert joint is not None
        return joint.origin_m


def _told(value: float, deviation: float) -> float | None:
    return float(value) if np.isfinite(deviation) else None


def calibrate_robot(machine: Machine, readings: Sequence[Reading]) -> RobotCalibration:
    """Find offsets and origins of the joints that carry the last link, the target's.

    Raises CheckFailed where the readings are of another number of joints, are too few, or turn the target
    about one axis only.
    """
    joints = len(readings[0].joints_rad) if readings else 0
    if joints != len(machine.variables):
        raise CheckFailed(
            f"readings of {joints} joints; {machine.name} has {len(machine.variables)} variables"
        )
    chain = _Chain.of(machine)
    if 6 * len(readings) < 4 * chain.unknowns:
        raise CheckFailed(f"{len(readings)} readings; expected at least {-(-4 * chain.unknowns // 6)}")
    pairs = _Pairs.of(readings)
    start = _started(chain, readings)
    half, _ = _fitted(chain, pairs.rows(slice(0, None, 2)), start)
    found, weights = _fitted(chain, pairs, half)
    held = chain.errors(half, pairs.rows(slice(1, None, 2)))
    off, before = chain.errors(found, pairs), chain.errors(start, pairs)
    deviations = np.sqrt(np.diag(np.linalg.inv(chain.equations(found, pairs, weights).normal)))
    told = np.where(deviations < _TOLD_SHARE * chain.prior, deviations, np.nan)
    v, j = len(machine.variables), len(chain.links)
    return RobotCalibration(
        machine=machine,
        links=chain.links,
        offsets=found.bends[:v],
        offset_deviations=told[12 : 12 + v],
        shifts_m=found.bends[v:].reshape(j, 3),
        shift_deviations_m=told[12 + v :].reshape(j, 3),
        off_mm=1000 * np.linalg.norm(off[:, :3], axis=1),
        off_deg=np.degrees(np.linalg.norm(off[:, 3:], axis=1)),
        held_out_mm=1000 * np.linalg.norm(held[:, :3], axis=1),
        held_out_deg=np.degrees(np.linalg.norm(held[:, 3:], axis=1)),
        before_mm=float(1000 * np.linalg.norm(before[:, :3], axis=1).mean()),
    )


@dataclass(frozen=True, eq=False)
class _Pairs:
    joints: Array
    rotations: Array
    places_m: Array

    @classmethod
    def of(cls, readings: Sequence[Reading]) -> _Pairs:
        return cls(
            np.array([r.joints_rad for r in readings]),
            np.array([r.seen.rotation for r in readings]),
            np.array([r.seen.place_m for r in readings]),
        )

    def rows(self, chosen: slice) -> _Pairs:
        return _Pairs(self.joints[chosen], self.rotations[chosen], self.places_m[chosen])


@dataclass(frozen=True, eq=False)
class _Unknowns:
    base: Pose
    target: Pose
    bends: Array
    """Offsets of the variables, then shifts of the origins, flat."""


@dataclass(frozen=True, eq=False)
class _Sums:
    cost: float
    normal: Array
    pull: Array


@dataclass(frozen=True, eq=False)
class _Chain:
    tree: Tree
    links: tuple[int, ...]
    prior: Array
    """Deviation each unknown is held to zero by; infinite for base and target, of shape (unknowns,)."""

    @classmethod
    def of(cls, machine: Machine) -> _Chain:
        links, link = [], len(machine.links) - 1
        while machine.links[link].joint is not None:
            links.append(link)
            link = machine.links[link].parent
        prior = [_PRIOR_TURN_RAD if v.kind == "revolute" else _PRIOR_SHIFT_M for v in machine.variables]
        shifts = [_PRIOR_SHIFT_M] * (3 * len(links))
        return cls(Tree.of(machine), tuple(reversed(links)), np.array([np.inf] * 12 + prior + shifts))

    @property
    def unknowns(self) -> int:
        return len(self.prior)

    def poses(self, at: _Unknowns, joints: Array) -> tuple[Array, Array]:
        """Return the target's rotations (k, 3, 3) and places [m] (k, 3) in the measuring frame."""
        variables = joints.shape[1]
        origins = self.tree.origins_m.copy()
        origins[np.array(self.links) - 1] += at.bends[variables:].reshape(-1, 3)
        moved = np.broadcast_to(origins, (len(joints), *origins.shape))
        frames = tree_frames(self.tree, joints + at.bends[:variables], origins_m=moved)
        turns, places = frames.rotations[:, self.links[-1]], frames.places_m[:, self.links[-1]]
        places = places + turns @ at.target.place_m
        return (
            at.base.rotation @ turns @ at.target.rotation,
            places @ at.base.rotation.T + at.base.place_m,
        )

    def errors(self, at: _Unknowns, pairs: _Pairs) -> Array:
        """Return errors in the target's frame: place [m] and turn [rad], of shape (k, 6)."""
        turns, places = self.poses(at, pairs.joints)
        into = np.swapaxes(pairs.rotations, -1, -2)
        shift = (into @ (places - pairs.places_m)[..., None])[..., 0]
        return np.concatenate([shift, small_turns(into @ turns)], axis=1)

    def changed(self, at: _Unknowns, step: Array) -> _Unknowns:
        base = Pose(rotation_of(step[:3]) @ at.base.rotation, at.base.place_m + step[3:6])
        target = Pose(rotation_of(step[6:9]) @ at.target.rotation, at.target.place_m + step[9:12])
        return _Unknowns(base, target, at.bends + step[12:])

    def equations(self, at: _Unknowns, pairs: _Pairs, weights: Array) -> _Sums:
        errors = self.errors(at, pairs)
        slopes = np.stack(
            [
                (self.errors(self.changed(at, s), pairs) - self.errors(self.changed(at, -s), pairs))
                for s in _STEP * np.eye(self.unknowns)
            ],
            axis=-1,
        ) / (2 * _STEP)
        heavy = weights @ slopes
        held = self.prior**-2
        bends = np.concatenate([np.zeros(12), at.bends])
        return _Sums(
            float(np.einsum("ki,ij,kj->", errors, weights, errors) + held @ bends**2),
            np.einsum("kiu,kiv->uv", slopes, heavy) + np.diag(held),
            np.einsum("kiu,ki->u", heavy, errors) + held * bends,
        )


def _started(chain: _Chain, readings: Sequence[Reading]) -> _Unknowns:
    """Return base and target by the file's own chain, in closed form."""
    few = readings[:: max(1, len(readings) // _START_READINGS)]
    none = np.zeros(chain.unknowns - 12)
    still = Pose(np.eye(3), np.zeros(3))
    turns, places = chain.poses(_Unknowns(still, still, none), np.array([r.joints_rad for r in few]))
    flanges = [Pose(turn, place) for turn, place in zip(turns, places, strict=True)]
    measuring, target = hand_eye(flanges, [r.seen for r in few])
    return _Unknowns(measuring.inverse(), target, none)


def _fitted(chain: _Chain, pairs: _Pairs, start: _Unknowns) -> tuple[_Unknowns, Array]:
    """Return the unknowns and the inverse covariance of one reading's error."""
    at, weights = start, np.diag(_FIRST_DEVIATIONS**-2)
    for _ in range(_ROUNDS):

        def equations(here: _Unknowns, weights: Array = weights) -> _Sums:
            return chain.equations(here, pairs, weights)

        at = descend_to_rest(equations, chain.changed, at).at
        errors = chain.errors(at, pairs)
        spare = max(len(errors) - chain.unknowns / 6, 6.0)
        weights = np.linalg.inv(errors.T @ errors / spare + 1e-18 * np.eye(6))
    return at, weights
