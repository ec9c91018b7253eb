"""Which variables can be told apart only together, and by which links' markers.

Walking from the root to the tips, variables pile up until a link with seen markers fixes them: the
variables of links without markers are solved together with the next one's. A chain whose Base
carries nothing gives {x, y} at Arm1; markerless Hand and Palm give {b, c, e} at the fingers.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from lib.robot import Machine


@dataclass(frozen=True)
class Block:
    """Variables that are solved together."""

    variables: tuple[int, ...]
    """Places in ``Machine.variables``, root first."""
    links: tuple[int, ...]
    """Links with seen markers whose place they settle, in the machine's order."""


def blocks_of(machine: Machine, links_seen: Collection[int]) -> tuple[Block, ...]:
    """Return the blocks from root to tip; variables no seen link depends on are in none.

    Variables of ``pose_estimation.finger_block_joints`` go together wherever one of them is needed.
    """
    names = [variable.name for variable in machine.variables]
    together = {names.index(name) for name in machine.pose_estimation.finger_block_joints}
    reached = {k for i in links_seen for k in _path(machine, i)}
    solved: dict[int, int] = {}  # variable to its block
    variables: list[list[int]] = []
    links: list[list[int]] = []
    for i in sorted(links_seen):
        needed = [k for k in _path(machine, i) if k not in solved]
        if together & set(needed):
            needed = sorted({*needed, *(together & reached)} - solved.keys())
        if needed:
            solved |= dict.fromkeys(needed, len(variables))
            variables.append(needed)
            links.append([])
        on_path = [solved[k] for k in _path(machine, i)]
        if on_path:  # a link the root carries stands still whatever the variables are
            links[max(on_path)].append(i)
    return tuple(Block(tuple(v), tuple(i)) for v, i in zip(variables, links, strict=True))


def unseen_variables(machine: Machine, blocks: Iterable[Block]) -> tuple[int, ...]:
    """Return the variables no block settles."""
    seen = {k for block in blocks for k in block.variables}
    return tuple(k for k in range(len(machine.variables)) if k not in seen)


def _path(machine: Machine, link: int) -> list[int]:
    return [k for k in range(len(machine.variables)) if machine.depends[link, k]]
