"""The joint values, the cameras' places and, where asked, a joint's origin, all in one least-squares fit.

Unknowns: each capture's own joint values, then what all captures share: a small move of every camera
that is not exact (held to its own covariance), and the fitted coordinates of one joint's origin.
Minimised is the sum over trusted corners of r^2 / (s^2 + f^2) plus each camera's m^T C^-1 m, s the
noise all corners share and f their view's own [px]; the covariance of all unknowns is the inverse
of its Gauss-Newton matrix. Inside everything is counted in s^2.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from lib.homing.camera import Camera
from lib.homing.gauss_newton import descend_to_rest
from lib.homing.lens import Array
from lib.homing.noise import Noise
from lib.homing.pixel_ba.reprojection import (
    CameraPoses,
    Reprojection,
    camera_slopes,
    joint_slopes,
    reproject,
    slopes,
)
from lib.homing.pixel_ba.sightings import Sightings
from lib.robot import Machine, Tree, origin_motions

_MOST_STEPS = 25
_SPANS_UNSEEN = 100.0
"""A variable nothing is known of is held to its range by a deviation of this many times its span."""


@dataclass(frozen=True, eq=False)
class FreeOrigin:
    """Coordinates of one link's joint origin that are fitted too."""

    link: int
    axes: tuple[int, ...] = (1, 2)
    """Coordinates in the parent's frame: y and z."""
    covariance_m2: Array | None = None
    """What earlier fits know of the file's origin, of shape (axes, axes); None: nothing."""


@dataclass(frozen=True, eq=False)
class Bundle:
    """What is fitted together."""

    machine: Machine
    cameras: tuple[Camera, ...]
    sightings: tuple[Sightings, ...]
    """One a capture, each with its trusted corners."""
    origin: FreeOrigin | None = None


@dataclass(frozen=True, eq=False)
class Unknowns:
    """What a bundle looks for."""

    values: Array
    """Joint values of each capture [rad or m], of shape (k, variables)."""
    moves: Array
    """Of the cameras (turn [rad], shift [m]), zero for exact ones, of shape (c, 6)."""
    origin_m: Array
    """Change of the fitted coordinates of the origin [m]."""

    @classmethod
    def of(cls, bundle: Bundle, values: Array) -> Unknowns:
        """Begin at joint values (k, variables), with everything else where it is said to be."""
        count = 0 if bundle.origin is None else len(bundle.origin.axes)
        return cls(values.copy(), np.zeros((len(bundle.cameras), 6)), np.zeros(count))


@dataclass(frozen=True, eq=False)
class Fit:
    """Where a bundle came to rest."""

    unknowns: Unknowns
    cameras: tuple[Camera, ...]
    tree: Tree
    """With the fitted origin."""
    residuals_px: tuple[Array, ...]
    """Of every corner, trusted or not, one (n, 4, 2) a capture."""
    cost: float
    """What was minimised, in squared deviations."""
    covariance: Array
    """Of all unknowns: joint values by capture, moves of the cameras that are not exact, origin."""

    @property
    def values(self) -> Array:
        """Joint values of each capture [rad or m], of shape (k, variables)."""
        return self.unknowns.values


def fit(
    bundle: Bundle,
    start: Unknowns,
    noise: Noise,
    scale_px: float | None = None,
    most_steps: int = _MOST_STEPS,
) -> Fit:
    """Fit from a start near enough; the trusted corners all count.

    With ``scale_px`` corners count by Geman and McClure's weight instead, for who does not know yet
    which to trust.
    """
    work = _Work(bundle, noise, scale_px)
    rest = descend_to_rest(work.equations, work.stepped, start, most_steps)
    at, here = rest.at, rest.equations
    return Fit(
        unknowns=at,
        cameras=work.cameras(at),
        tree=work.tree(at),
        residuals_px=here.residuals_px,
        cost=here.cost / noise.px**2,
        covariance=np.asarray(noise.px**2 * np.linalg.inv(here.normal)),
    )


@dataclass(frozen=True, eq=False)
class _Equations:
    cost: float
    normal: Array
    pull: Array
    residuals_px: tuple[Array, ...]


class _Work:
    """The equations of one bundle."""

    def __init__(self, bundle: Bundle, noise: Noise, scale_px: float | None) -> None:
        self._bundle = bundle
        self._counts = [noise.weights(sightings.floor_px)[:, None] for sightings in bundle.sightings]
        self._scale_px = scale_px
        self._tree = Tree.of(bundle.machine)
        self._informations = {
            c: noise.px**2 * np.linalg.inv(camera.covariance)
            for c, camera in enumerate(bundle.cameras)
            if camera.covariance is not None
        }
        self._loose = list(self._informations)
        known = None if bundle.origin is None else bundle.origin.covariance_m2
        self._origin_hold = None if known is None else noise.px**2 * np.linalg.inv(known)
        self._joints = len(bundle.machine.variables)
        spans = np.array([v.high - v.low for v in bundle.machine.variables])
        self._hold = (noise.px / (_SPANS_UNSEEN * spans)) ** 2

    def tree(self, at: Unknowns) -> Tree:
        origin = self._bundle.origin
        if origin is None:
            return self._tree
        origins_m = self._tree.origins_m.copy()
        origins_m[origin.link - 1, list(origin.axes)] += at.origin_m
        return replace(self._tree, origins_m=origins_m)

    def cameras(self, at: Unknowns) -> tuple[Camera, ...]:
        return tuple(
            camera.moved(move) if camera.covariance is not None else camera
            for camera, move in zip(self._bundle.cameras, at.moves, strict=True)
        )

    def stepped(self, at: Unknowns, step: Array) -> Unknowns:
        captures, joints = at.values.shape
        own, cameras, origin = np.split(step, [captures * joints, captures * joints + 6 * len(self._loose)])
        moves = at.moves.copy()
        moves[self._loose] += cameras.reshape(-1, 6)
        return Unknowns(at.values + own.reshape(captures, joints), moves, at.origin_m + origin)

    def equations(self, at: Unknowns) -> _Equations:
        captures, joints = at.values.shape
        shared = captures * joints
        size = shared + 6 * len(self._loose) + len(at.origin_m)
        normal, pull, cost = np.zeros((size, size)), np.zeros(size), 0.0
        tree, poses = self.tree(at), CameraPoses.of(self.cameras(at))
        residuals = []
        for k, sightings in enumerate(self._bundle.sightings):
            seen = reproject(tree, sightings, poses, at.values[k : k + 1])
            residuals.append(seen.residuals_px[0])
            weights, loss = self._weights(seen.residuals_px[0], sightings.trusted * self._counts[k])
            j = self._slopes(tree, sightings, poses, seen)
            heavy = (j * weights[..., None, None]).reshape(-1, j.shape[-1])
            own = np.arange(k * joints, (k + 1) * joints)
            columns = np.concatenate([own, np.arange(shared, size)])
            normal[np.ix_(columns, columns)] += heavy.T @ j.reshape(heavy.shape)
            pull[columns] += heavy.T @ seen.residuals_px.ravel()
            normal[own, own] += self._hold
            cost += loss
        for place, c in enumerate(self._loose):
            rows = slice(shared + 6 * place, shared + 6 * place + 6)
            normal[rows, rows] += self._informations[c]
            pull[rows] += self._informations[c] @ at.moves[c]
            cost += float(at.moves[c] @ self._informations[c] @ at.moves[c])
        if self._origin_hold is not None:
            rows = slice(size - len(at.origin_m), size)
            normal[rows, rows] += self._origin_hold
            pull[rows] += self._origin_hold @ at.origin_m
            cost += float(at.origin_m @ self._origin_hold @ at.origin_m)
        return _Equations(cost, normal, pull, tuple(residuals))

    def _weights(self, residuals_px: Array, counts: Array) -> tuple[Array, float]:
        squared = (residuals_px * residuals_px).sum(axis=-1)
        if self._scale_px is None:
            return counts, float((counts * squared).sum())
        softened = 1.0 + squared / self._scale_px**2
        return counts / softened**2, float((counts * squared / softened).sum())

    def _slopes(self, tree: Tree, sightings: Sightings, poses: CameraPoses, seen: Reprojection) -> Array:
        """Return d residual / d (own values, camera moves, origin) of one capture (n, 4, 2, columns)."""
        in_root, in_camera = slopes(sightings, poses, seen)
        columns = [joint_slopes(tree, sightings, seen, in_root, range(self._joints))[0]]
        if self._loose:
            own = sightings.camera[:, None] == np.array(self._loose)
            moves = camera_slopes(seen, in_camera)[0]
            of_each = own[:, None, None, :, None] * moves[..., None, :]
            columns.append(of_each.reshape(*moves.shape[:-1], 6 * len(self._loose)))
        origin = self._bundle.origin
        if origin is not None:
            directions = origin_motions(self._bundle.machine, tree, seen.frames, origin.link)[0]
            carried = tree.moves[sightings.link_seen, origin.link - 1]
            columns.append(carried[:, None, None, None] * (in_root[0] @ directions[:, list(origin.axes)]))
        return np.concatenate(columns, axis=-1)
