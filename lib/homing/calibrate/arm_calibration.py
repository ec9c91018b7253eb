"""Where an arm's axes really are, from many pairs of encoder readings and seen tip poses.

Errors are taken in the tip's own frame, and weighed by their own covariance, which comes from the
residuals of the fit before: a target is often measured better across than along, and turned.
The proof is the other half of the readings: their joint values from the seen pose alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from lib.errors import CheckFailed
from lib.homing.calibrate.hand_eye import Pose
from lib.homing.calibrate.turning_chain import TurningChain
from lib.homing.gauss_newton import descend_to_rest
from lib.homing.lens import Array
from lib.homing.rotations import vector_of

_STARTS = 16
_ROUNDS = 4
_STEP = 1e-6
_FIRST_DEVIATIONS = np.array([0.001] * 3 + [np.radians(0.1)] * 3)
_PULLED_IN_DEG = 1.0
"""Left on average where a random start found the chain; the others end tens of degrees off."""
_START_READINGS = 30
_START_STEPS = 30


@dataclass(frozen=True, eq=False)
class Reading:
    """One pair."""

    joints_rad: Array
    """Encoder values [rad], of shape (n,)."""
    seen: Pose
    """Tip in the measuring frame."""


@dataclass(frozen=True, eq=False)
class _Pairs:
    """Readings as arrays."""

    joints_rad: Array
    """Of shape (k, n)."""
    into_tip: Array
    """Seen turns the other way round, measuring frame to tip (k, 3, 3)."""
    places_m: Array
    """Of shape (k, 3)."""

    @classmethod
    def of(cls, readings: Sequence[Reading]) -> _Pairs:
        return cls(
            np.array([r.joints_rad for r in readings]),
            np.array([r.seen.rotation.T for r in readings]),
            np.array([r.seen.place_m for r in readings]),
        )

    def rows(self, chosen: slice) -> _Pairs:
        return _Pairs(self.joints_rad[chosen], self.into_tip[chosen], self.places_m[chosen])


@dataclass(frozen=True, eq=False)
class ArmCalibration:
    """The chain, and how well it foretells."""

    chain: TurningChain
    deviations: Array
    """Of a seen pose in the tip's frame: place [m], turn [rad], of shape (6,)."""
    off_mm: Array
    """Distance of the seen place from the chain's, a reading [mm]."""
    off_deg: Array
    """And turn [deg]."""
    held_out_deg: Array
    """Joint values of the held-out half from their poses alone, against the encoders [deg] (k, n)."""

    def as_json(self) -> dict[str, object]:
        """Return the document of `calibrate arm --json`."""
        chain = self.chain
        return {
            "used": len(self.off_mm),
            "mean_mm": float(self.off_mm.mean()),
            "mean_deg": float(self.off_deg.mean()),
            "joints": [
                {"axis": axis.tolist(), "point_m": point.tolist()}
                for axis, point in zip(chain.axes, chain.points_m, strict=True)
            ],
            "tip_at_zero": {"place_m": chain.place_m.tolist(), "rotation": chain.rotation.tolist()},
            "held_out": {
                "readings": len(self.held_out_deg),
                "mean_deg": self.held_out_deg.mean(axis=0).tolist(),
                "worst_deg": self.held_out_deg.max(axis=0).tolist(),
            },
        }


def calibrate_arm(readings: Sequence[Reading]) -> ArmCalibration:
    """Fit the chain to all readings; every second one is held out to prove a fit to the others.

    Raises CheckFailed where there are too few readings or no chain of turning joints explains them.
    """
    joints = len(readings[0].joints_rad) if readings else 0
    least = 4 * (joints + 2)
    if len(readings) < least:
        raise CheckFailed(f"{len(readings)} readings of {joints} joints; expected at least {least}")
    spread = np.ptp(np.array([r.joints_rad for r in readings]), axis=0)
    still = [str(j + 1) for j in np.flatnonzero(spread < np.radians(2.0))]
    if still:
        raise CheckFailed(
            f"joint {', '.join(still)} hardly moves in the readings; expected every joint to turn"
        )
    pairs = _Pairs.of(readings)
    taught, held = pairs.rows(slice(0, None, 2)), readings[1::2]
    half, weights = _fitted(taught, _best_start(taught))
    chain, weights_all = _fitted(pairs, half)
    off = _errors(chain, pairs)
    held_out = np.array([joints_of(half, r.seen, weights, r.joints_rad) - r.joints_rad for r in held])
    return ArmCalibration(
        chain=chain,
        deviations=np.sqrt(np.diag(np.linalg.inv(weights_all))),
        off_mm=1000 * np.linalg.norm(off[:, :3], axis=1),
        off_deg=np.degrees(np.linalg.norm(off[:, 3:], axis=1)),
        held_out_deg=np.degrees(np.abs(held_out)),
    )


def joints_of(chain: TurningChain, seen: Pose, weights: Array, start_rad: Array) -> Array:
    """Return the joint values [rad] (n,) that bring the tip nearest to a seen pose.

    ``weights`` is the inverse covariance of a seen pose's error in the tip's frame, of shape (6, 6).
    """

    one = _Pairs.of([Reading(start_rad, seen)])

    def equations(q: Array) -> _Sums:
        here = replace(one, joints_rad=q[None])
        return _Sums.of(_errors(chain, here), _joint_slopes(chain, here), weights)

    return descend_to_rest(equations, lambda q, step: q + step, start_rad).at


@dataclass(frozen=True, eq=False)
class _Sums:
    cost: float
    normal: Array
    pull: Array

    @classmethod
    def of(cls, errors: Array, slopes: Array, weights: Array) -> _Sums:
        """Gather errors (k, 6) and their slopes (k, 6, u)."""
        heavy = weights @ slopes
        return cls(
            float(np.einsum("ki,ij,kj->", errors, weights, errors)),
            np.einsum("kiu,kiv->uv", slopes, heavy),
            np.einsum("kiu,ki->u", heavy, errors),
        )


def _fitted(pairs: _Pairs, start: TurningChain) -> tuple[TurningChain, Array]:
    """Return the chain and the inverse covariance of one reading's error."""
    chain, weights = start, np.diag(_FIRST_DEVIATIONS**-2)
    for _ in range(_ROUNDS):

        def equations(at: TurningChain, weights: Array = weights) -> _Sums:
            return _Sums.of(_errors(at, pairs), _slopes(at, pairs), weights)

        chain = descend_to_rest(equations, TurningChain.changed, chain).at
        errors = _errors(chain, pairs)
        spare = len(errors) - chain.unknowns / 6
        weights = np.linalg.inv(errors.T @ errors / spare)
    return chain, weights


def _best_start(pairs: _Pairs) -> TurningChain:
    """Return the first of many random chains that is pulled in: no guess of the axes is asked for."""
    random = np.random.default_rng(0)
    few = pairs.rows(slice(0, None, max(1, len(pairs.joints_rad) // _START_READINGS)))
    joints = few.joints_rad.shape[1]
    weights = np.diag(_FIRST_DEVIATIONS**-2)

    def equations(at: TurningChain) -> _Sums:
        return _Sums.of(_errors(at, few), _slopes(at, few), weights)

    least_deg = np.inf
    for _ in range(_STARTS):
        axes = random.normal(size=(joints, 3))
        axes /= np.linalg.norm(axes, axis=1, keepdims=True)
        points = few.places_m.mean(axis=0) + random.normal(0, 0.5, (joints, 3))
        points -= (points * axes).sum(axis=1, keepdims=True) * axes
        start = TurningChain(axes, points, few.into_tip[0].T, few.places_m[0])
        chain = descend_to_rest(equations, TurningChain.changed, start, _START_STEPS).at
        off_deg = float(np.degrees(np.linalg.norm(_errors(chain, few)[:, 3:], axis=1)).mean())
        if off_deg < _PULLED_IN_DEG:
            return chain
        least_deg = min(least_deg, off_deg)
    raise CheckFailed(
        f"no chain of {joints} turning joints explains the readings, {least_deg:.1f} deg are left; "
        "expected joint values in radians, and the pose of one target on the last link"
    )


def _errors(chain: TurningChain, pairs: _Pairs) -> Array:
    """Return errors in the tip's frame: place [m] and turn [rad], of shape (k, 6)."""
    rotations, places = chain.poses(pairs.joints_rad)
    shift = (pairs.into_tip @ (places - pairs.places_m)[..., None])[..., 0]
    return np.concatenate([shift, small_turns(pairs.into_tip @ rotations)], axis=1)


def _slopes(chain: TurningChain, pairs: _Pairs) -> Array:
    """Return the errors' slopes by the chain's unknowns (k, 6, unknowns), for errors that are small."""
    turning, shifting = chain.slopes(pairs.joints_rad)
    return np.concatenate([pairs.into_tip @ shifting, pairs.into_tip @ turning], axis=1)


def _joint_slopes(chain: TurningChain, pairs: _Pairs) -> Array:
    """Return the errors' slopes by the joint values themselves, by central differences (k, 6, n)."""
    steps = _STEP * np.eye(pairs.joints_rad.shape[1])
    ahead, behind = (
        [_errors(chain, replace(pairs, joints_rad=pairs.joints_rad + sign * step)) for step in steps]
        for sign in (1, -1)
    )
    return (np.stack(ahead, axis=-1) - np.stack(behind, axis=-1)) / (2 * _STEP)


def small_turns(rotations: Array) -> Array:
    """Return the rotation vectors of rotations (k, 3, 3)."""
    sine = 0.5 * np.stack(
        [
            rotations[:, 2, 1] - rotations[:, 1, 2],
            rotations[:, 0, 2] - rotations[:, 2, 0],
            rotations[:, 1, 0] - rotations[:, 0, 1],
        ],
        axis=1,
    )
    cosine = 0.5 * (np.trace(rotations, axis1=1, axis2=2) - 1)
    size = np.linalg.norm(sine, axis=1)
    angle = np.arctan2(size, cosine)
    near_half = (size < 1e-6) & (cosine < 0)
    if near_half.any():
        return np.array([vector_of(r) for r in rotations])
    return sine * (angle / np.where(size > 1e-12, size, 1.0) + (size <= 1e-12))[:, None]
