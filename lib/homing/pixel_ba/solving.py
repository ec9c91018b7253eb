"""`pixel_ba`: joint values straight from the pixels, at what the pixels can tell.

Guesses come from a seed or from nothing (cold_start.py). Each is fitted under a loss gross errors
do not pull, then to the corners that can be true of it by plain least squares: no information is
thrown away, and the stated deviation is the true one. What is left between two guesses, if
anything, widens the deviation of the variables they disagree about.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lib.homing.blocks import Block, blocks_of
from lib.homing.camera import Camera
from lib.homing.lens import Array
from lib.homing.noise import DETECTOR_NOISE, GATE_SIGMAS, Noise, noise_of_best, trusted_corners
from lib.homing.pixel_ba.bundle import Bundle, Fit, Unknowns, fit
from lib.homing.pixel_ba.cold_start import FINE_SCALE_PX, SCALES_PX, Progress, cold_start, within_turn
from lib.homing.pixel_ba.descent import Problem, descend
from lib.homing.pixel_ba.reprojection import CameraPoses, reproject
from lib.homing.pixel_ba.sightings import Sightings
from lib.robot import Machine, Tree

_GATINGS = 3
_ROBUST_STEPS = 4
_NEAR_PX = 3 * FINE_SCALE_PX
"""A seed whose corners are nearer than this, half of them, needs no pulling in."""
_FALSE_CORNER_COST = GATE_SIGMAS**2
"""What a corner that is not trusted costs, in squared deviations."""
_HONEST_SHARE = 0.5
"""A seed is doubted where a link has fewer than this share of its corners near."""
_SURE_VIEWS = 3
"""A link seen less often than this is scanned even where the seed says where it is."""


@dataclass(frozen=True, eq=False)
class PixelSolution:
    """Joint values, how sure they are, and what they rest on."""

    values: Array
    """Of shape (variables,) [rad or m]; those in no block are at mid-range and mean nothing."""
    covariance: Array
    """Of the values, what several readings of the images disagree about included (variables, variables)."""
    blocks: tuple[Block, ...]
    placed: tuple[Camera, ...]
    """As the board alone places them."""
    cameras: tuple[Camera, ...]
    """As placed by everything together."""
    sightings: Sightings
    """With the corners that are trusted."""
    residuals_px: Array
    """Of shape (n, 4, 2)."""
    noise_px: float
    """Deviation of a trusted coordinate, without its view's own floor."""
    rivals: int
    """Other readings of the images that cannot be excluded."""


@dataclass(frozen=True, eq=False)
class _Candidate:
    fit: Fit
    usable: NDArray[np.bool_]
    trusted: NDArray[np.bool_]
    noise: Noise

    @property
    def cost(self) -> float:
        return self.fit.cost + _FALSE_CORNER_COST * float((self.usable & ~self.trusted).sum())


def solve_pixels(
    machine: Machine,
    cameras: tuple[Camera, ...],
    sightings: Sightings,
    seed: Mapping[int, float] | None = None,
    noise: Noise = DETECTOR_NOISE,
    progress: Progress = lambda block, values: None,
) -> PixelSolution:
    """Return the joint values; ``seed`` maps variables to values [rad or m] to begin from.

    Raises nothing for what cannot be seen: such variables have a deviation far beyond their range.
    """
    blocks = blocks_of(machine, sorted(set(sightings.link_seen.tolist())))
    problem = Problem(Tree.of(machine), sightings, CameraPoses.of(cameras))
    trusted_seed = _trusted_seed(machine, sightings, blocks, seed or {})
    if {k for block in blocks for k in block.variables} <= trusted_seed.keys():
        guesses = _warm_start(machine, problem, blocks, trusted_seed)
        for block in blocks:
            progress(block, guesses[0])
    else:
        guesses = cold_start(machine, problem, blocks, trusted_seed, progress)
    candidates = [_settled(machine, cameras, sightings, guess, noise) for guess in guesses]
    if trusted_seed and not _explains(sightings, blocks, min(candidates, key=lambda c: c.cost)):
        guesses = cold_start(machine, problem, blocks, {}, progress)
        candidates += [_settled(machine, cameras, sightings, guess, noise) for guess in guesses]
    best = min(candidates, key=lambda c: c.cost)
    values, covariance, rivals = _mixed(machine, candidates, best)
    return PixelSolution(
        values=values,
        covariance=covariance,
        blocks=blocks,
        placed=cameras,
        cameras=best.fit.cameras,
        sightings=sightings.trusting(best.trusted),
        residuals_px=best.fit.residuals_px[0],
        noise_px=best.noise.px,
        rivals=rivals,
    )


def _warm_start(
    machine: Machine, problem: Problem, blocks: tuple[Block, ...], seed: Mapping[int, float]
) -> Array:
    """Return one guess (1, variables) from a whole seed, pulled in where it is degrees away."""
    guess = np.array([[seed.get(k, (v.low + v.high) / 2) for k, v in enumerate(machine.variables)]])
    residuals = reproject(problem.tree, problem.sightings, problem.poses, guess).residuals_px
    if float(np.median(np.abs(residuals))) > _NEAR_PX:
        free = [k for block in blocks for k in block.variables]
        guess = descend(problem, guess, free, SCALES_PX)
    return guess


def _settled(
    machine: Machine, cameras: tuple[Camera, ...], sightings: Sightings, guess: Array, prior: Noise
) -> _Candidate:
    """Fit a guess robustly, then exactly to the corners that can be true of it."""
    bundle = Bundle(machine, cameras, (sightings,))
    found = fit(bundle, Unknowns.of(bundle, guess[None]), prior, FINE_SCALE_PX, _ROBUST_STEPS)
    residuals = found.residuals_px[0]
    noise, floor_px = prior, sightings.floor_px
    usable = sightings.usable
    start_px = max(prior.px, noise_of_best(residuals[usable]))
    trusted = trusted_corners(residuals, start_px, floor_px, usable)
    for _ in range(_GATINGS):
        bundle = Bundle(machine, cameras, (sightings.trusting(trusted),))
        found = fit(bundle, found.unknowns, noise)
        residuals = found.residuals_px[0]
        noise = prior.after(residuals, trusted, floor_px, _unknowns(machine, sightings, trusted))
        before, trusted = trusted, trusted_corners(residuals, noise.px, floor_px, usable)
        if (before == trusted).all():
            break
    return _Candidate(found, usable, trusted, noise)


def _unknowns(machine: Machine, sightings: Sightings, trusted: NDArray[np.bool_]) -> int:
    links = set(sightings.link_seen[trusted.any(axis=1)].tolist())
    return sum(len(block.variables) for block in blocks_of(machine, links))


def _trusted_seed(
    machine: Machine, sightings: Sightings, blocks: tuple[Block, ...], seed: Mapping[int, float]
) -> dict[int, float]:
    """Return the seed without the blocks that too few views would correct it in."""
    sure = {
        k
        for block in blocks
        if np.isin(sightings.link_seen, block.links).sum() >= _SURE_VIEWS
        for k in block.variables
    }
    wrapped = within_turn(machine, np.array([[seed.get(k, 0.0) for k in range(len(machine.variables))]]))[0]
    return {k: float(wrapped[k]) for k in seed if k in sure}


def _explains(sightings: Sightings, blocks: tuple[Block, ...], candidate: _Candidate) -> bool:
    """Tell whether most corners of every seen link fit: a solver that converged proves nothing."""
    for link in {link for block in blocks for link in block.links}:
        mine = sightings.link_seen == link
        if candidate.trusted[mine].sum() < _HONEST_SHARE * candidate.usable[mine].sum():
            return False
    return True


def _mixed(machine: Machine, candidates: list[_Candidate], best: _Candidate) -> tuple[Array, Array, int]:
    """Return the best values and the covariance about them, rivals weighted by their likelihood."""
    joints = len(machine.variables)
    values = within_turn(machine, best.fit.values)[0]
    weights, spreads = [], []
    for candidate in candidates:
        apart = within_turn_of_difference(machine, candidate.fit.values[0] - values)
        known = candidate is best or not _near(apart, best, joints)
        weights.append(np.exp(0.5 * (best.cost - candidate.cost)) if known else 0.0)
        covariance = candidate.fit.covariance[:joints, :joints]
        spreads.append(covariance + np.outer(apart, apart))
    share = np.array(weights) / sum(weights)
    mixed = np.einsum("c,cij->ij", share, np.array(spreads))
    return values, mixed, int((share > 1e-6).sum()) - 1


def _near(apart: Array, best: _Candidate, joints: int) -> bool:
    """Tell whether two fits are the same: within a deviation in every variable."""
    deviations = np.sqrt(np.diag(best.fit.covariance)[:joints])
    return bool((np.abs(apart) < deviations).all())


def within_turn_of_difference(machine: Machine, apart: Array) -> Array:
    """Return differences of joint values with angles in +-180 degrees."""
    revolute = np.array([v.kind == "revolute" for v in machine.variables])
    return np.where(revolute, (apart + np.pi) % (2 * np.pi) - np.pi, apart)
