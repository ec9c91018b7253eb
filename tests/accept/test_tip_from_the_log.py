"""The tool tip found again from the published residuals alone, and what it then foretells."""

from __future__ import annotations

import csv
import itertools
from collections import defaultdict
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest

from lib.cell import simulate_scan
from lib.lookup import PlaceRequest, Table, culprits, lookup
from lib.robot import Robot, flange_poses, load_robot, tip_points
from lib.scan import read_request
from lib.settings import PlaceLookup

ROOT = Path(__file__).parents[2]
SOURCES = {
    "published": ROOT / "../shared/accept/log54/expected.csv",
    "kept here": ROOT / "tests" / "data" / "log54" / "expected.csv",
}
PUBLISHED_TIP_MM = (-6.5936, 5.6447, 98.9832)
PRINTED_TO_M = 5e-5  # residuals are printed to a tenth of a millimetre: half of that is rounding

A = (36.215, 57.0, 20.0, -7.0, -86.0, -30.0)
B = (36.215, 57.0, 20.0, -12.0, -86.0, -30.0)
C = (31.215, 57.0, 20.0, -17.0, -86.0, -30.0)
D = (31.215, 57.0, 20.0, -22.0, -86.0, -30.0)
F = (36.215, 57.0, 25.0, -7.0, -86.0, -30.0)

Pose = tuple[float, ...]


@dataclass(frozen=True)
class Printed:
    """What the log says of one pose: its residuals to the targets it was chosen for."""

    x_m: frozenset[tuple[float, float]]
    """Targets and residuals in x [m]."""
    z_m: frozenset[tuple[float, float]]

    def places(self, axis: str) -> list[float]:
        """Return the one or two coordinates that all residuals of an axis allow [m], none where unprinted."""
        printed = sorted(getattr(self, axis))
        if not printed:
            return []
        target, residual = printed[0]
        return [
            place
            for place in dict.fromkeys((target - residual, target + residual))
            if all(abs(abs(place - t) - r) <= 2 * PRINTED_TO_M + 1e-9 for t, r in printed)
        ]


def read(source: Path) -> dict[Pose, Printed]:
    x_m, z_m = defaultdict(set), defaultdict(set)
    with source.open() as lines:
        for line in csv.DictReader(lines):
            pose = tuple(float(line[f"j{k}"]) for k in range(6))
            z_m[pose].add((float(line["target_z_m"]), float(line["z_residual_m"])))
            if line["x_residual_m"]:
                x_m[pose].add((float(line["target_x_m"]), float(line["x_residual_m"])))
    return {pose: Printed(frozenset(x_m[pose]), frozenset(z_m[pose])) for pose in z_m}


def fitted_tip(robot: Robot, log: dict[Pose, Printed]) -> tuple[np.ndarray, np.ndarray]:
    """Return the tip [m] (3,) and the ten residuals' errors [m] (10,) of the best choice of their signs.

    A tip t in the flange is at A (R t + p) in the twin's axes: linear in t, least squares for each choice.
    """
    rows, offsets, choices = [], [], []
    for pose, printed in log.items():
        rotations, places_m = flange_poses(robot, [pose])
        for k, axis in ((0, "x_m"), (2, "z_m")):
            if printed.places(axis):
                rows.append((robot.twin_axes @ rotations[0])[k])
                offsets.append((robot.twin_axes @ places_m[0])[k])
                choices.append(printed.places(axis))
    assert len(rows) == 10
    best: tuple[np.ndarray, np.ndarray] | None = None
    for places in itertools.product(*choices):
        wanted = np.array(places) - offsets
        tip_m = np.linalg.lstsq(np.array(rows), wanted, rcond=None)[0]
        errors_m = np.array(rows) @ tip_m - wanted
        if best is None or np.abs(errors_m).max() < np.abs(best[1]).max():
            best = tip_m, errors_m
    assert best is not None
    return best


@pytest.fixture(scope="module", params=SOURCES)
def log(request: pytest.FixtureRequest) -> dict[Pose, Printed]:
    source = SOURCES[request.param]
    if not source.exists():
        pytest.skip(f"{source} is not here")
    return read(source)


@pytest.fixture(scope="module")
def robot() -> Robot:
    found = load_robot("mecharm270")
    assert found is not None
    # Whatever tip the file holds: it must be found without it.
    return replace(found, tip_m=np.zeros(3))


@pytest.fixture(scope="module")
def found(log: dict[Pose, Printed], robot: Robot) -> Robot:
    return replace(robot, tip_m=fitted_tip(robot, log)[0])


def tip(robot: Robot, pose: Pose) -> np.ndarray:
    return np.asarray(tip_points(robot, [pose])[0])


def test_ten_residuals_give_the_published_tip_within_their_rounding(
    log: dict[Pose, Printed], robot: Robot
) -> None:
    tip_m, errors_m = fitted_tip(robot, log)
    assert np.abs(errors_m).max() <= PRINTED_TO_M
    assert tip_m * 1e3 == pytest.approx(PUBLISHED_TIP_MM, abs=0.05)


def test_it_foretells_the_two_x_residuals_that_were_not_printed(found: Robot) -> None:
    assert f"{abs(tip(found, B)[0] + 0.17) * 1e3:.1f}" == "16.6"
    assert f"{abs(tip(found, D)[0] + 0.17) * 1e3:.1f}" == "16.9"


def test_they_are_inside_what_the_logs_choices_allow(found: Robot) -> None:
    # The weights let only rows win that keep j1, j2 and j4: among those the nearest in x and z.
    def off_m(pose: Pose, z_m: float) -> float:
        x, _, z = tip(found, pose)
        return float(np.hypot(x + 0.17, z - z_m))

    for chosen, other, z_m in (
        (B, A, 0.180), (B, A, 0.185), (A, B, 0.190), (A, B, 0.200),
        (D, C, 0.180), (C, D, 0.185), (C, D, 0.190), (C, D, 0.195),
    ):  # fmt: skip
        assert off_m(chosen, z_m) < off_m(other, z_m)


def test_heights_pass_and_fail_the_filter_as_logged(log: dict[Pose, Printed], found: Robot) -> None:
    heights_m = {pose: tip(found, pose)[1] for pose in log}
    assert all(abs(height - 0.1) <= 0.005 for pose, height in heights_m.items() if pose != F)
    assert 0.005 < abs(heights_m[F] - 0.1) <= 0.015


def test_of_the_whole_scan_the_corrected_lookup_picks_the_published_row(found: Robot) -> None:
    bases = ROOT / "lib" / "cell" / "requests" / "place-low-z.csv"
    table = Table.from_points(simulate_scan(found, read_request(bases), seed=54))
    assert len(table) == 67_228
    selected = lookup(table, PlaceRequest(-0.170, 0.1899))
    assert selected.joints_deg == F
    assert f"{selected.z_residual_m:.4f}" == "0.0079" and f"{selected.x_residual_m:.4f}" == "0.0023"
    nearest = culprits(table, PlaceRequest(-0.170, 0.1899, PlaceLookup()))
    pure = next(c for c in nearest if c.relax == ("score_weights",))
    (hidden,) = pure.protected
    assert hidden.filter == "j4_safe" and hidden.joints_deg[4] == -101.0
    assert hidden.xz_distance_m < (selected.xz_distance_m or 0.0)
