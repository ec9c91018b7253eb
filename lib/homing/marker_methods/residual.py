"""Positions and normals of measured markers against where joint values put them.

The residual of a marker is the original's: its position's error in millimetres and
``normal_weight`` times its normal's error, six numbers, each under Huber's loss (1964): quadratic up
to ``huber_delta_mm``, linear beyond.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lib.homing.lens import Array
from lib.homing.marker_pose import MarkerPose
from lib.robot import Machine, Tree, point_motions, tree_frames

_STEPS = 30
_CONVERGED = 1e-9
_SMALLEST_GAIN = 1e-10
"""Of the loss: below it a start has come to rest."""
_LONGEST_STEP = 0.5


@dataclass(frozen=True, eq=False)
class MarkerEvidence:
    """Measured markers of a machine as arrays."""

    tree: Tree
    link: NDArray[np.int64]
    """Link that carries each, of shape (m,)."""
    local_m: Array
    """Centre in the link [m], of shape (m, 3)."""
    local_normal: Array
    """Normal in the link, of shape (m, 3)."""
    position_m: Array
    """Measured readings of the centre [m]: as measured, and flipped or the same again (2, m, 3)."""
    normal: Array
    """Their normals, of shape (2, m, 3)."""
    num_cameras: NDArray[np.int64]
    """Cameras that agree on each, of shape (m,)."""
    normal_weight: float
    huber_delta_mm: float

    def rows(self, chosen: NDArray[np.bool_]) -> MarkerEvidence:
        """Return the chosen markers."""
        return MarkerEvidence(
            self.tree,
            self.link[chosen],
            self.local_m[chosen],
            self.local_normal[chosen],
            self.position_m[:, chosen],
            self.normal[:, chosen],
            self.num_cameras[chosen],
            self.normal_weight,
            self.huber_delta_mm,
        )


def evidence_of(machine: Machine, poses: Sequence[MarkerPose]) -> MarkerEvidence:
    """Gather measured markers; ids the machine does not carry are left out."""
    own = [pose for pose in poses if pose.id in machine.carrier]
    markers = [machine.link_markers[pose.id] for pose in own]
    readings = [((p.position_m, p.normal), p.flipped or (p.position_m, p.normal)) for p in own]
    return MarkerEvidence(
        tree=Tree.of(machine),
        link=np.array([machine.carrier[p.id] for p in own], dtype=np.int64),
        local_m=np.array([m.position_m for m in markers]).reshape(-1, 3),
        local_normal=np.array([m.normal for m in markers]).reshape(-1, 3),
        position_m=np.array([[r[k][0] for r in readings] for k in (0, 1)]).reshape(2, -1, 3),
        normal=np.array([[r[k][1] for r in readings] for k in (0, 1)]).reshape(2, -1, 3),
        num_cameras=np.array([p.num_cameras for p in own], dtype=np.int64),
        normal_weight=machine.pose_estimation.normal_weight,
        huber_delta_mm=machine.pose_estimation.huber_delta_mm,
    )


def residuals_mm(evidence: MarkerEvidence, values: Array) -> tuple[Array, Array, Array]:
    """Return residuals (b, m, 6) for joint values (b, variables), and the predicted centres and normals.

    Of a marker with two readings the one that fits better counts.
    """
    frames = tree_frames(evidence.tree, values)
    rotations = frames.rotations[:, evidence.link]
    centres = (rotations @ evidence.local_m[:, :, None])[..., 0] + frames.places_m[:, evidence.link]
    normals = (rotations @ evidence.local_normal[:, :, None])[..., 0]
    both = np.concatenate(
        [
            1000.0 * (centres[None] - evidence.position_m[:, None]),
            evidence.normal_weight * (normals[None] - evidence.normal[:, None]),
        ],
        axis=-1,
    )
    second = (both[1] ** 2).sum(axis=-1) < (both[0] ** 2).sum(axis=-1)
    return np.where(second[..., None], both[1], both[0]), centres, normals


def huber(residuals: Array, delta: float) -> Array:
    """Return Huber's loss of residuals, r^2 within delta and 2 delta |r| - delta^2 beyond."""
    size = np.abs(residuals)
    return np.where(size <= delta, size**2, 2 * delta * size - delta**2)


def loss_of(evidence: MarkerEvidence, values: Array) -> Array:
    """Return the loss [mm^2] of joint values (b, variables) as (b,)."""
    residuals, _, _ = residuals_mm(evidence, values)
    return np.asarray(huber(residuals, evidence.huber_delta_mm).sum(axis=(1, 2)))


def fit_markers(evidence: MarkerEvidence, starts: Array, free: Sequence[int]) -> tuple[Array, Array]:
    """Return the joint values each start (b, variables) leads to over ``free``, and their losses (b,).

    Reweighted, damped Gauss-Newton; a step that does not help is halved away by its damping.
    """
    values, damping = starts.copy(), np.full(len(starts), 1e-3)
    loss = loss_of(evidence, values)
    for _ in range(_STEPS):
        normal, pull = normal_equations(evidence, values, free)
        diagonal = np.einsum("bkk->bk", normal)
        diagonal += damping[:, None] * diagonal + 1e-9
        step = np.linalg.solve(normal, -pull[..., None])[..., 0]
        step *= _LONGEST_STEP / np.abs(step).max(axis=1, keepdims=True, initial=_LONGEST_STEP)
        tried = values.copy()
        tried[:, list(free)] += step
        tried_loss = loss_of(evidence, tried)
        better = tried_loss <= loss
        gained = loss - tried_loss > _SMALLEST_GAIN * loss
        values[better], loss[better] = tried[better], tried_loss[better]
        damping = np.where(better, damping / 10, damping * 10)
        still = ~gained | (np.abs(step).max(axis=1) < _CONVERGED)
        at_rest = np.where(better, still, damping > 1e6)
        if at_rest.all():
            break
    return values, loss


def normal_equations(evidence: MarkerEvidence, values: Array, free: Sequence[int]) -> tuple[Array, Array]:
    """Return the weighted J^T J (b, f, f) and J^T r (b, f) over the free variables."""
    residuals, centres, normals = residuals_mm(evidence, values)
    frames = tree_frames(evidence.tree, values)
    moves = point_motions(evidence.tree, frames, centres, evidence.link, free)
    ahead = point_motions(evidence.tree, frames, centres + normals, evidence.link, free)
    j = np.concatenate([1000.0 * moves, evidence.normal_weight * (ahead - moves)], axis=-1)
    size = np.maximum(np.abs(residuals), 1e-12)
    weights = np.minimum(1.0, evidence.huber_delta_mm / size)
    batch = len(values)
    j = j.swapaxes(2, 3).reshape(batch, -1, len(free))
    heavy = (j * weights.reshape(batch, -1, 1)).swapaxes(1, 2)
    return heavy @ j, (heavy @ residuals.reshape(batch, -1, 1))[..., 0]
