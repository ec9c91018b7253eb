"""Variables are solved together where only a later link's markers can tell them apart."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lib.homing.blocks import blocks_of, unseen_variables
from lib.robot import Machine, PoseEstimation, load_machine


def named(machine: Machine, links_seen: str, together: tuple[str, ...] = ()) -> list[tuple[str, str]]:
    machine = replace(machine, pose_estimation=PoseEstimation(finger_block_joints=together))
    blocks = blocks_of(machine, {machine.link_index(name) for name in links_seen.split()})
    return [
        (
            "".join(machine.variables[k].name for k in block.variables),
            " ".join(machine.links[i].name for i in block.links),
        )
        for block in blocks
    ]


RAIL7 = load_machine("rail7")


@pytest.mark.parametrize(
    ("seen", "blocks"),
    [
        ("Arm1 Ellbow Arm2 FingerA FingerB",
         [("xy", "Arm1"), ("z", "Ellbow"), ("a", "Arm2"), ("bce", "FingerA FingerB")]),
        ("Arm1 Ellbow Arm2", [("xy", "Arm1"), ("z", "Ellbow"), ("a", "Arm2")]),
        ("Ellbow FingerB", [("xyz", "Ellbow"), ("abce", "FingerB")]),
        ("FingerA", [("xyzabce", "FingerA")]),
        ("", []),
    ],
)  # fmt: skip
def test_markerless_links_join_the_next_that_is_seen(seen: str, blocks: list[tuple[str, str]]) -> None:
    assert named(RAIL7, seen) == blocks


def test_variables_meant_to_go_together_do() -> None:
    assert named(RAIL7, "Arm1 Ellbow Arm2", ("y", "z")) == [("xyz", "Arm1 Ellbow"), ("a", "Arm2")]


def test_a_variable_nothing_sees_joins_no_block_it_is_meant_for() -> None:
    assert named(RAIL7, "Arm1 Ellbow Arm2", ("a", "b")) == [("xy", "Arm1"), ("z", "Ellbow"), ("a", "Arm2")]


def test_what_no_seen_link_depends_on_is_unseen() -> None:
    blocks = blocks_of(RAIL7, {RAIL7.link_index(name) for name in ("Arm1", "Ellbow", "Arm2")})
    assert [RAIL7.variables[k].name for k in unseen_variables(RAIL7, blocks)] == ["b", "c", "e"]
