"""Cameras and boards in one bundle: where cameras stand, how they see, where every board was.

A corner X of a board instance k is seen by camera c at pi_c(T_c B_k X). The board was carried by
the arm, B_k = E_k F_k M (F_k the flange's pose the arm told, E_k its small error, M the mount), or
lay somewhere, B_k = E_k with nothing known but of the first, which then is the world. An arm's
error is held by what arms are off by: without it the corners would have to explain the arm.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from lib.homing.calibrate.hand_eye import Pose
from lib.homing.camera import Camera
from lib.homing.gauss_newton import descend_to_rest
from lib.homing.lens import Array, Lens, distortion_slopes
from lib.homing.rotations import rotation_of
from lib.robot import cross

_HUBER_SIGMAS = 2.5
_WORLD_HOLD = 1e-9
"""The first board that lies is held to the world by this [rad, m]."""
_NEAREST_M = 0.01


@dataclass(frozen=True, eq=False)
class BoardSighting:
    """One board instance in one camera's photo."""

    camera: int
    instance: int
    corners_m: Array
    """In the board's frame [m], of shape (n, 3)."""
    corners_px: Array
    """Of shape (n, 2)."""


@dataclass(frozen=True)
class Spread:
    """What measurements are off by."""

    px: float = 0.3
    """A coordinate of a corner [px]."""
    arm_turn_rad: float = np.radians(0.1)
    """A coordinate of the arm's turn [rad]."""
    arm_shift_m: float = 0.001
    """A coordinate of the arm's place [m]."""


@dataclass(frozen=True, eq=False)
class Rig:
    """Cameras, the mount and the board instances."""

    cameras: tuple[Camera, ...]
    mount: Pose
    """Board on the flange; identity where boards lie."""
    instances: tuple[Pose, ...]
    """Flange poses as told, or where lying boards are thought to be."""
    errors: Array
    """What the arm was off by in the world (turn [rad], shift [m]) (k, 6); zero where boards lie."""

    def board(self, instance: int) -> Pose:
        """Return a board in the world."""
        pose = self.instances[instance]
        turn, shift = rotation_of(self.errors[instance, :3]), self.errors[instance, 3:]
        return Pose(turn @ pose.rotation, pose.place_m + shift) @ self.mount


@dataclass(frozen=True, eq=False)
class RigEquations:
    """Sum of squares, matrix and residuals where a rig is."""

    cost: float
    normal: Array
    pull: Array
    residuals_px: tuple[Array, ...]


class RigBundle:
    """The equations of one set of sightings."""

    def __init__(
        self,
        sightings: Sequence[BoardSighting],
        carried: bool,
        spread: Spread,
        free_lens: NDArray[np.bool_] | None = None,
    ) -> None:
        """``carried``: boards ride on the arm; ``free_lens``: which of fx, fy, cx, cy, k1, k2, p1, p2, k3."""
        self._sightings = sightings
        self._carried = carried
        self._spread = spread
        self._free = np.flatnonzero(np.zeros(9, dtype=bool) if free_lens is None else free_lens)
        self._per_camera = 6 + len(self._free)

    def solve(self, start: Rig) -> tuple[Rig, RigEquations]:
        """Return the rig that explains the corners best, from a start near enough."""
        rest = descend_to_rest(self.equations, self._stepped, start)
        return rest.at, rest.equations

    def _mount_at(self, rig: Rig) -> int:
        return self._per_camera * len(rig.cameras)

    def _instances_at(self, rig: Rig) -> int:
        return self._mount_at(rig) + (6 if self._carried else 0)

    def _stepped(self, rig: Rig, step: Array) -> Rig:
        cameras = []
        for c, camera in enumerate(rig.cameras):
            own = step[c * self._per_camera : (c + 1) * self._per_camera]
            lens = np.concatenate([camera.lens.intrinsics_px, camera.lens.distortion])
            lens[self._free] += own[6:]
            changed = Lens(lens[:4], lens[4:], camera.lens.size_px)
            cameras.append(replace(camera.moved(own[:6]), lens=changed))
        mount = rig.mount
        if self._carried:
            move = step[self._mount_at(rig) :][:6]
            turn = rotation_of(move[:3])
            mount = Pose(turn @ mount.rotation, turn @ mount.place_m + move[3:])
        moves = step[self._instances_at(rig) :].reshape(-1, 6)
        if self._carried:
            return Rig(tuple(cameras), mount, rig.instances, rig.errors + moves)
        turns = rotation_of(moves[:, :3])
        lying = tuple(
            Pose(turn @ pose.rotation, pose.place_m + move[3:])
            for turn, pose, move in zip(turns, rig.instances, moves, strict=True)
        )
        return Rig(tuple(cameras), mount, lying, rig.errors)

    def equations(self, rig: Rig) -> RigEquations:
        """Return the weighted equations, in units of the corners' deviation."""
        first = self._instances_at(rig)
        size = first + 6 * len(rig.instances)
        normal, pull, cost = np.zeros((size, size)), np.zeros(size), 0.0
        residuals = []
        for sighting in self._sightings:
            r, j, columns = self._slopes(rig, sighting)
            residuals.append(r)
            far = np.linalg.norm(r, axis=1) / self._spread.px
            weights = np.minimum(1.0, _HUBER_SIGMAS / np.maximum(far, 1e-12)) / self._spread.px**2
            heavy = (j * weights[:, None, None]).reshape(-1, j.shape[-1])
            normal[np.ix_(columns, columns)] += heavy.T @ j.reshape(heavy.shape)
            pull[columns] += heavy.T @ r.ravel()
            k = _HUBER_SIGMAS
            cost += float(np.where(far <= k, far**2, 2 * k * far - k**2).sum())
        hold = self._hold(len(rig.instances)) ** -2
        normal[range(first, size), range(first, size)] += hold.ravel()
        pull[first:] += (hold * rig.errors).ravel()
        cost += float((hold * rig.errors**2).sum())
        return RigEquations(cost, normal, pull, tuple(residuals))

    def _hold(self, instances: int) -> Array:
        """Return how far each instance's six error coordinates may go, as deviations (k, 6)."""
        if self._carried:
            one = [*[self._spread.arm_turn_rad] * 3, *[self._spread.arm_shift_m] * 3]
            return np.tile(one, (instances, 1))
        hold = np.full((instances, 6), np.inf)
        hold[0] = _WORLD_HOLD
        return hold

    def _slopes(self, rig: Rig, sighting: BoardSighting) -> tuple[Array, Array, NDArray[np.int64]]:
        """Return residuals (n, 2), their slopes (n, 2, columns) and the columns' places."""
        camera, pose = rig.cameras[sighting.camera], rig.instances[sighting.instance]
        on_flange = sighting.corners_m @ rig.mount.rotation.T + rig.mount.place_m
        error = rig.errors[sighting.instance]
        carried = on_flange @ pose.rotation.T
        turned = carried @ rotation_of(error[:3]).T
        world = turned + pose.place_m + error[3:]
        inside = camera.in_camera(world)
        depth = np.maximum(inside[:, 2:], _NEAREST_M)
        rays = inside[:, :2] / depth
        residuals = camera.lens.pixels(rays) - sighting.corners_px
        p = np.zeros((len(rays), 2, 3))
        p[:, 0, 0] = p[:, 1, 1] = 1 / depth[:, 0]
        p[:, :, 2] = -rays / depth
        in_camera = camera.lens.px_per_ray(rays) @ p
        in_world = in_camera @ camera.rotation
        columns = [cross(inside[:, None], in_camera), in_camera]
        if len(self._free):
            focal = camera.lens.intrinsics_px[:2]
            lens = np.zeros((len(rays), 2, 9))
            bent = (camera.lens.pixels(rays) - camera.lens.intrinsics_px[2:]) / focal
            lens[:, 0, 0], lens[:, 1, 1] = bent.T
            lens[:, 0, 2] = lens[:, 1, 3] = 1.0
            lens[:, :, 4:] = distortion_slopes(rays) * focal[:, None]
            columns.append(lens[:, :, self._free])
        first = sighting.camera * self._per_camera
        places = [np.arange(first, first + self._per_camera)]
        if self._carried:
            in_flange = in_world @ rotation_of(error[:3]) @ pose.rotation
            columns += [cross(on_flange[:, None], in_flange), in_flange]
            places.append(np.arange(6) + self._mount_at(rig))
        # The error's turn is added as a vector: its slope is that of a small turn, as it is small itself.
        columns += [cross(turned[:, None], in_world), in_world]
        places.append(np.arange(6) + self._instances_at(rig) + 6 * sighting.instance)
        return residuals, np.concatenate(columns, axis=-1), np.concatenate(places)
