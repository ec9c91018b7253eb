"""The original's four ways from marker positions and normals to joint values.

sequential_vector  the chain's closed forms, joint by joint (chain.py)
sequential_fk      block by block a fit over that block's variables, the earlier ones kept
global_ba          all variables at once, from a seed or the chain's state
hybrid             sequential_fk, then all variables at once
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from lib.homing.blocks import Block, blocks_of
from lib.homing.lens import Array
from lib.homing.marker_methods.chain import settle_block
from lib.homing.marker_methods.residual import MarkerEvidence, fit_markers
from lib.homing.marker_methods.starts import solve_block
from lib.robot import Machine


def estimate(
    machine: Machine, evidence: MarkerEvidence, method: str, seed: Mapping[int, float] | None = None
) -> Array:
    """Return joint values (variables,) [rad or m] by one of the four methods; unseen ones at mid-range.

    ``seed`` [rad or m] may cover any variables: a block it covers whole begins there, every other
    from many starts.
    """
    values = np.array([(v.low + v.high) / 2 for v in machine.variables])
    known = dict(seed or {})
    values[list(known)] = list(known.values())
    blocks = blocks_of(machine, sorted(set(evidence.link.tolist())))
    by_vector = method in ("sequential_vector", "global_ba")
    for block in blocks:
        mine = evidence.rows(np.isin(evidence.link, block.links))
        if not set(block.variables) <= known.keys():
            values = _settled(machine, mine, block, values, by_vector)
        elif method == "sequential_fk":
            values = fit_markers(mine, values[None], block.variables)[0][0]
    if method in ("global_ba", "hybrid"):
        free = [k for block in blocks for k in block.variables]
        values = fit_markers(evidence, values[None], free)[0][0]
    return values


def _settled(machine: Machine, mine: MarkerEvidence, block: Block, values: Array, by_vector: bool) -> Array:
    """Settle one block; ``pose_estimation.per_link_method`` may say otherwise for its links."""
    per_link = machine.pose_estimation.per_link_method
    told = {per_link[machine.links[i].name] for i in block.links if machine.links[i].name in per_link}
    if "sequential_vector" in told or (by_vector and "sequential_fk" not in told):
        return settle_block(machine, mine, block, values)[1]
    return solve_block(machine, mine, block, values)
