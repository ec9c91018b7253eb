"""A joint's origin among the unknowns of the marker methods: two short slides before the joint.

The original frees y and z of one link's origin in its fit over all variables. Here the machine gets
two linear joints more, along the parent's y and z, and the same fit serves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from lib.homing.lens import Array
from lib.homing.marker_methods.residual import evidence_of, fit_markers
from lib.homing.marker_pose import MarkerPose
from lib.robot import Link, Machine, TreeJoint

_FARTHEST_M = 0.1
_SLIDES = ("origin y", "origin z")


def loosened(machine: Machine, link: str) -> Machine:
    """Return the machine with ``origin y`` and ``origin z`` [m] as variables before a link's joint."""
    index = machine.link_index(link)
    parent = machine.links[index].parent
    slides = []
    for k, name in enumerate(_SLIDES):
        joint = TreeJoint(
            "linear", name, np.zeros(3), np.eye(3), np.eye(3)[k + 1], (-_FARTHEST_M, _FARTHEST_M)
        )
        slides.append(Link(name, parent if k == 0 else index, joint, ()))

    def place(i: int) -> int:
        return i if i < index else i + len(slides)

    moved = []
    for i, one in enumerate(machine.links):
        to = index + 1 if i == index else (place(one.parent) if one.parent >= 0 else -1)
        moved.append(replace(one, parent=to))
    return replace(machine, links=(*moved[:index], *slides, *moved[index:]))


def fit_loose_origin(
    machine: Machine, poses: Sequence[MarkerPose], values: Array, link: str, seen: Sequence[int]
) -> tuple[Machine, Array]:
    """Fit the seen variables and the origin's y and z together, from joint values (variables,).

    Returns the loosened machine and its values, ``origin y`` and ``origin z`` [m] among them.
    """
    loose = loosened(machine, link)
    names = [variable.name for variable in loose.variables]
    start = np.zeros(len(names))
    old = [names.index(variable.name) for variable in machine.variables]
    start[old] = values
    free = [old[k] for k in seen] + [names.index(name) for name in _SLIDES]
    return loose, fit_markers(evidence_of(loose, poses), start[None], free)[0][0]
