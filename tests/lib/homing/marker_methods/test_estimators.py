"""The chain and the original's four estimators find joint values from marker poses."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from lib.homing.marker_methods import (
    MarkerEvidence,
    accumulated_state,
    estimate,
    evidence_of,
    residuals_mm,
    walk_chain,
)
from lib.homing.marker_methods.residual import huber, loss_of, normal_equations
from lib.homing.marker_pose import MarkerPose, marker_poses
from lib.robot import METHODS, Machine, PoseEstimation, load_machine
from tests.lib.homing import original
from tests.lib.homing.scenes import markers_in_world, scene

MACHINE = load_machine("rail7")
MARKER_METHODS = [method for method in METHODS if method != "pixel_ba"]


def poses_at(values: np.ndarray, machine: Machine = MACHINE) -> list[MarkerPose]:
    """Return every marker exactly where it is."""
    ids, corners_m, normals = markers_in_world(machine, values)
    return [
        MarkerPose(int(i), c.mean(axis=0), n, 2)
        for i, c, n in zip(ids, corners_m, normals, strict=True)
        if i in machine.carrier
    ]


def without(poses: list[MarkerPose], *links: str) -> list[MarkerPose]:
    return [p for p in poses if MACHINE.links[MACHINE.carrier[p.id]].name not in links]


def off(values: np.ndarray, truth: np.ndarray) -> np.ndarray:
    """Return errors [rad or m], angles within half a turn."""
    away = values - truth
    away[1:] = (away[1:] + np.pi) % (2 * np.pi) - np.pi
    return np.asarray(away)


@pytest.mark.parametrize("method", MARKER_METHODS)
def test_exact_markers_give_exact_values(method: str) -> None:
    for seed in range(10):
        truth = scene(MACHINE, seed).values
        values = estimate(MACHINE, evidence_of(MACHINE, poses_at(truth)), method)
        np.testing.assert_allclose(off(values, truth), 0, atol=1e-6, err_msg=f"scene {seed}")


@pytest.mark.parametrize("method", MARKER_METHODS)
def test_every_variable_of_a_coupled_block_is_started_anew(method: str) -> None:
    # A shoulder behind a markerless rail, and finger joints behind markerless hand and palm, far from zero.
    truth = np.array([0.35, 1.5, -1.2, 3.0, -1.8, 2.9, 0.7])
    values = estimate(MACHINE, evidence_of(MACHINE, poses_at(truth)), method)
    np.testing.assert_allclose(off(values, truth), 0, atol=1e-6)


def test_the_originals_single_start_misses_what_all_starts_find() -> None:
    missed = 0
    for seed in range(6, 11):
        truth = scene(MACHINE, seed).values
        fingers = [m.id for link in MACHINE.links if "Finger" in link.name for m in link.markers]
        only_a_tip = [p for p in poses_at(truth) if p.id == 155 or p.id not in fingers]
        evidence = evidence_of(MACHINE, only_a_tip)
        missed += np.abs(off(original.sequential_fk(MACHINE, evidence), truth)).max() > 0.05
        ours = estimate(MACHINE, evidence, "sequential_fk")
        assert np.abs(off(ours, truth)).max() < 1e-4
    assert missed > 0


def test_the_slopes_are_what_finite_differences_measure() -> None:
    truth = scene(MACHINE, 3).values
    evidence = replace(evidence_of(MACHINE, poses_at(truth)), huber_delta_mm=1e9)
    at = truth[None] + 0.02
    normal, pull = normal_equations(evidence, at, range(7))

    def residuals(q: np.ndarray) -> np.ndarray:
        return residuals_mm(evidence, q)[0][0].ravel()

    step = 1e-6
    j = np.stack(
        [(residuals(at + step * e) - residuals(at - step * e)) / (2 * step) for e in np.eye(7)], axis=1
    )
    np.testing.assert_allclose(normal[0], j.T @ j, rtol=1e-6, atol=1e-3)
    np.testing.assert_allclose(pull[0], j.T @ residuals(at), rtol=1e-6, atol=1e-3)


def test_huber_is_quadratic_within_and_linear_beyond() -> None:
    np.testing.assert_allclose(huber(np.array([2.0, -8.0, 10.0]), 8.0), [4.0, 64.0, 2 * 8 * 10 - 64])


@pytest.mark.parametrize("method", ["sequential_fk", "global_ba", "hybrid"])
def test_one_marker_far_off_hardly_moves_the_fit(method: str) -> None:
    truth = scene(MACHINE, 4).values
    poses = poses_at(truth)
    poses[3] = replace(poses[3], position_m=poses[3].position_m + 0.1)
    values = estimate(MACHINE, evidence_of(MACHINE, poses), method)
    assert np.degrees(np.abs(off(values, truth)[1:])).max() < 3


def test_the_chain_says_which_way_each_joint_was_found() -> None:
    truth = scene(MACHINE, 5).values
    arm2 = [m.id for m in MACHINE.links[MACHINE.link_index("Arm2")].markers]
    poses = [p for p in without(poses_at(truth), "FingerA") if p.id not in arm2[1:]]
    values, joints = walk_chain(MACHINE, evidence_of(MACHINE, poses))
    assert [(MACHINE.variables[j.variable].name, j.method, j.markers) for j in joints] == [
        ("x", "fallback_2", 5), ("y", "fallback_2", 5), ("z", "primary", 7), ("a", "fallback_1", 1),
        ("b", "fallback_2", 5), ("c", "fallback_2", 5), ("e", "fallback_2", 5),
    ]  # fmt: skip
    np.testing.assert_allclose(off(values, truth), 0, atol=1e-5)
    assert max(j.residual_mm for j in joints) < 1e-2


def test_a_linear_joint_with_its_own_markers_is_read_along_its_axis() -> None:
    base = replace(MACHINE.links[1], markers=(replace(MACHINE.link_markers[197], id=300),))
    machine = replace(MACHINE, links=(MACHINE.links[0], base, *MACHINE.links[2:]))
    truth = scene(machine, 6).values
    values, joints = walk_chain(machine, evidence_of(machine, poses_at(truth, machine)))
    assert [j.method for j in joints[:2]] == ["fallback_1", "primary"]
    np.testing.assert_allclose(off(values, truth), 0, atol=1e-5)


def test_primary_does_not_ask_where_the_joint_is() -> None:
    truth = scene(MACHINE, 7).values
    shifted = [
        replace(p, position_m=p.position_m + np.array([0.004, -0.003, 0.002])) for p in poses_at(truth)
    ]
    mine = without(shifted, "Arm2", "FingerA", "FingerB")
    values, joints = walk_chain(MACHINE, evidence_of(MACHINE, mine), {0: truth[0], 1: truth[1]})
    assert [j.method for j in joints] == ["seed", "seed", "primary"]
    assert values[2] == pytest.approx(truth[2], abs=1e-9)


def test_what_the_chain_did_not_see_is_not_in_its_state() -> None:
    truth = scene(MACHINE, 8).values
    poses = without(poses_at(truth), "FingerA", "FingerB")
    _, joints = walk_chain(MACHINE, evidence_of(MACHINE, poses))
    state = accumulated_state(MACHINE, joints)
    assert list(state) == ["x", "y", "z", "a"]
    assert state["x"] == pytest.approx(1000 * truth[0])
    assert state["a"] == pytest.approx(np.degrees(truth[3]))


def test_a_flipped_normal_is_put_right_by_the_fit() -> None:
    truth = scene(MACHINE, 9).values
    poses = poses_at(truth)
    turned = poses[20].normal + 0.6 * np.roll(poses[20].normal, 1)
    turned /= np.linalg.norm(turned)
    poses[20] = replace(poses[20], normal=turned, flipped=(poses[20].position_m, poses[20].normal))
    values = estimate(MACHINE, evidence_of(MACHINE, poses), "hybrid")
    np.testing.assert_allclose(off(values, truth), 0, atol=1e-6)


@pytest.mark.parametrize("method", ["sequential_fk", "hybrid", "global_ba"])
def test_a_seed_in_part_or_whole_leads_to_the_same_answer(method: str) -> None:
    one = scene(MACHINE, 10)
    evidence = evidence_of(MACHINE, marker_poses(MACHINE, one.cameras, one.views))
    cold = estimate(MACHINE, evidence, method)
    for seed in ({0: one.values[0], 1: one.values[1]}, dict(enumerate(one.values)), {4: 0.2}):
        np.testing.assert_allclose(off(estimate(MACHINE, evidence, method, seed), cold), 0, atol=2e-3)


def test_the_robot_file_may_choose_the_way_of_a_link() -> None:
    one = scene(MACHINE, 11)
    poses = marker_poses(MACHINE, one.cameras, one.views)

    def z_by(per_link: dict[str, str], method: str) -> float:
        machine = replace(MACHINE, pose_estimation=PoseEstimation(per_link_method=per_link))
        return float(estimate(machine, evidence_of(machine, poses), method)[2])

    by_vector = z_by({"Ellbow": "sequential_vector"}, "sequential_fk")
    assert by_vector != z_by({}, "sequential_fk")
    assert z_by({"Ellbow": "sequential_fk"}, "sequential_vector") != z_by({}, "sequential_vector")


def test_the_loss_counts_positions_in_millimetres_and_weighted_normals() -> None:
    truth = scene(MACHINE, 12).values
    poses = poses_at(truth)
    poses[0] = replace(poses[0], position_m=poses[0].position_m + np.array([0.002, 0, 0]))
    evidence: MarkerEvidence = evidence_of(MACHINE, poses)
    assert loss_of(evidence, truth[None])[0] == pytest.approx(4.0)
    tilted = poses[1].normal + np.array([0.03, 0, 0])
    poses = [poses_at(truth)[0], replace(poses[1], normal=tilted)]
    assert loss_of(evidence_of(MACHINE, poses), truth[None])[0] == pytest.approx((100 * 0.03) ** 2)
