"""How wide Huber's loss and how heavy normals should be, by what stored captures themselves foretell.

Without a truth to compare with, every marker in turn is left out, the rest fitted, and the marker's
centre foretold; what it is off by is the figure a setting is ranked by. Markers whose link has no
other marker are not foretold.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from lib.errors import CheckFailed
from lib.homing.blocks import blocks_of
from lib.homing.lens import Array
from lib.homing.marker_methods import MarkerEvidence, estimate, evidence_of, residuals_mm
from lib.homing.marker_methods.residual import fit_markers
from lib.homing.marker_pose import MarkerPose
from lib.robot import Machine

HUBER_DELTAS_MM = (1.0, 2.0, 4.0, 8.0, 16.0)
NORMAL_WEIGHTS = (0.0, 10.0, 30.0, 100.0, 300.0)
LEAST_MARKERS = 10


@dataclass(frozen=True)
class TunedSetting:
    """One setting and how well it foretells."""

    huber_delta_mm: float
    normal_weight: float
    median_mm: float
    """Median distance of left-out markers from where the others put them."""
    rms_mm: float
    markers: int

    def as_json(self) -> dict[str, float]:
        """Return the row by its column names."""
        return dict(vars(self))


def tune(
    machine: Machine,
    captures: Sequence[Sequence[MarkerPose]],
    huber_deltas_mm: Sequence[float] = HUBER_DELTAS_MM,
    normal_weights: Sequence[float] = NORMAL_WEIGHTS,
) -> tuple[TunedSetting, ...]:
    """Return all settings, the best first, over the captures' marker poses.

    Raises CheckFailed where there are too few markers to tell settings apart.
    """
    starts = []
    for poses in captures:
        evidence = evidence_of(machine, poses)
        if len(evidence.link):
            starts.append((evidence, estimate(machine, evidence, "hybrid")))
    rows = []
    for delta_mm, weight in itertools.product(huber_deltas_mm, normal_weights):
        off_mm = [
            distance
            for evidence, values in starts
            for distance in _foretold(
                machine, replace(evidence, huber_delta_mm=delta_mm, normal_weight=weight), values
            )
        ]
        if len(off_mm) < LEAST_MARKERS:
            raise CheckFailed(
                f"{len(captures)} captures foretell {len(off_mm)} markers; expected {LEAST_MARKERS} or more, "
                "on links that show two markers at least"
            )
        median, rms = float(np.median(off_mm)), float(np.sqrt(np.mean(np.square(off_mm))))
        rows.append(TunedSetting(delta_mm, weight, median, rms, len(off_mm)))
    return tuple(sorted(rows, key=lambda row: row.rms_mm))


def _foretold(machine: Machine, evidence: MarkerEvidence, values: Array) -> list[float]:
    """Return how far [mm] each marker is from where the fit to all others puts it."""
    every = [k for b in blocks_of(machine, set(evidence.link.tolist())) for k in b.variables]
    values = fit_markers(evidence, values[None], every)[0][0]
    distances = []
    for m in range(len(evidence.link)):
        others = np.arange(len(evidence.link)) != m
        if evidence.num_cameras[m] < 2 or (evidence.link[others] == evidence.link[m]).sum() < 1:
            continue
        rest = evidence.rows(others)
        free = [k for b in blocks_of(machine, set(rest.link.tolist())) for k in b.variables]
        fitted, _ = fit_markers(rest, values[None], free)
        one = evidence.rows(~others)
        distances.append(float(np.linalg.norm(residuals_mm(one, fitted)[0][0, 0, :3])))
    return distances
