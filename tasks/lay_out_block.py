"""In the simulated cell: lay out the next block and take the last one out of the box.

At a real cell a person or a feeder does this, and nothing here is called.
"""

from __future__ import annotations

from lib.arm import cell_behind
from lib.cell import CellLink, Stagehand
from lib.settings import Settings
from tasks.evidence import Evidence, evidence_task


@evidence_task("lay out block")
def lay_out_block(settings: Settings, number: int) -> Evidence[None]:
    """Set the simulated stage for a run; the same number and seed give the same stage."""
    cell_at = cell_behind(settings)
    assert cell_at is not None, "a real cell's blocks are laid out by whoever feeds it"
    with CellLink(cell_at) as cell:
        name = Stagehand(cell, settings.cell).set_for(number)
    return Evidence(None, headline=f"{name} lies in the PICK area")
