"""A base that stands a little beside where the board says: three short slides at the root.

Somebody screwed the arm down and laid the board beside it: millimetres between the two are nobody's
joint angle. With ``pose_estimation.base_slack_mm`` they are unknowns of their own, found with the
joint values and told as the base's shift.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from lib.homing.progress import JointFound, Progress
from lib.robot import Link, Machine, TreeJoint

BASE_SLIDES = ("base x", "base y", "base z")


def loose_base(machine: Machine) -> Machine:
    """Return the machine on three slides along the root's axes, or as it is where it has no slack.

    What the root carries rides on the slides; only the board stays.
    """
    reach_m = machine.pose_estimation.base_slack_mm / 1000.0
    if reach_m == 0:
        return machine
    root, count = machine.links[0], len(BASE_SLIDES)
    slides = [
        Link(
            name,
            k,
            TreeJoint("linear", name, np.zeros(3), np.eye(3), np.eye(3)[k], (-reach_m, reach_m)),
            root.markers if k == count - 1 else (),
        )
        for k, name in enumerate(BASE_SLIDES)
    ]
    moved = [replace(link, parent=link.parent + count) for link in machine.links[1:]]
    return replace(machine, links=(replace(root, markers=()), *slides, *moved))


def seed_on_base(machine: Machine, working: Machine, seed: Mapping[int, float] | None) -> dict[int, float]:
    """Return a machine's seed in the numbering of the one on slides."""
    names = [variable.name for variable in working.variables]
    return {names.index(machine.variables[k].name): value for k, value in (seed or {}).items()}


def own_joints(progress: Progress) -> Progress:
    """Return a progress that is told of joints only, not of the slides."""

    def tell(joint: JointFound) -> None:
        if joint.name not in BASE_SLIDES:
            progress(joint)

    return tell
