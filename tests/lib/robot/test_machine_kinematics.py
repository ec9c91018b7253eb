"""Every link of a machine is where its joints put it, and moves as they say."""

from __future__ import annotations

import numpy as np

from lib.robot import Machine, Tree, flange_poses, load_machine, load_robot, origin_motions, point_motions
from lib.robot import tree_frames as frames_of


def random_values(machine: Machine, count: int, seed: int) -> np.ndarray:
    random = np.random.default_rng(seed)
    low, high = np.array([(v.low, v.high) for v in machine.variables]).T
    return random.uniform(low, high, (count, len(low)))


def test_the_last_link_of_the_mecharm_is_its_flange() -> None:
    machine, robot = load_machine("mecharm270"), load_robot("mecharm270")
    assert robot is not None
    values = random_values(machine, 500, 1)
    rotations, places_m = flange_poses(robot, np.degrees(values))
    frames = frames_of(Tree.of(machine), values)
    np.testing.assert_allclose(frames.rotations[:, -1], rotations, atol=1e-13)
    np.testing.assert_allclose(frames.places_m[:, -1], places_m, atol=1e-13)


def test_the_rail_machine_stretched_up_is_as_long_as_its_parts() -> None:
    machine = load_machine("rail7")
    frames = frames_of(Tree.of(machine), [[0.2, 0, 0, 0, 0, 0, 0]])
    finger = machine.link_index("FingerA")
    np.testing.assert_allclose(
        frames.places_m[0, finger], [0.2, 0.1011 + 0.016, 0.0552 + 0.22 + 0.09 + 0.12 + 0.05 + 0.04]
    )


def test_the_fingers_open_against_each_other() -> None:
    machine = load_machine("rail7")
    frames = frames_of(Tree.of(machine), [[0, 0, 0, 0, 0, 0, 0.3]])
    tips = [frames.rotations[0, machine.link_index(name)] @ [0, 0, 1] for name in ("FingerA", "FingerB")]
    np.testing.assert_allclose(tips, [[0, np.sin(0.3), np.cos(0.3)], [0, -np.sin(0.3), np.cos(0.3)]])


def test_points_move_as_finite_differences_say() -> None:
    machine = load_machine("rail7")
    tree = Tree.of(machine)
    values = random_values(machine, 20, 2)
    links = np.repeat(np.arange(len(machine.links)), 2)
    local = np.random.default_rng(3).normal(0, 0.05, (len(links), 3))

    def points(q: np.ndarray) -> np.ndarray:
        frames = frames_of(tree, q)
        moved = (frames.rotations[:, links] @ local[:, :, None])[..., 0]
        return np.asarray(moved + frames.places_m[:, links])

    moves = point_motions(tree, frames_of(tree, values), points(values), links, range(7))
    step = 1e-6
    for k in range(len(machine.variables)):
        ahead, behind = values.copy(), values.copy()
        ahead[:, k] += step
        behind[:, k] -= step
        measured = (points(ahead) - points(behind)) / (2 * step)
        np.testing.assert_allclose(moves[:, :, k], measured, atol=1e-9)


def test_an_origin_moved_along_its_parents_axis_carries_its_link_along() -> None:
    machine = load_machine("rail7")
    tree = Tree.of(machine)
    values = random_values(machine, 5, 4)
    arm2 = machine.link_index("Arm2")
    moved = np.broadcast_to(tree.origins_m, (5, *tree.origins_m.shape)).copy()
    moved[:, arm2 - 1, 1] += 0.003
    shift = frames_of(tree, values, moved).places_m - frames_of(tree, values).places_m
    expected = 0.003 * origin_motions(machine, tree, frames_of(tree, values), arm2)[:, :, 1]
    carried = machine.moves[:, arm2 - 1]
    np.testing.assert_allclose(shift[:, carried], np.repeat(expected[:, None], carried.sum(), 1), atol=1e-15)
    np.testing.assert_allclose(shift[:, ~carried], 0.0)
