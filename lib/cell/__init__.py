"""The simulated cell: what stands where, an arm with physics, cameras, and what the twin measures.

A name is imported when it is first used: a layout does not wait for physics and pictures to load.
"""

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lib.cell.body import Body, KinematicBody
    from lib.cell.cell import Cell, Pose, Touch
    from lib.cell.first_requests import base_request, write_first_requests
    from lib.cell.flaws import no_errors
    from lib.cell.floor_plan import Box, Layout, layout
    from lib.cell.link import CellLink, answer
    from lib.cell.scan_csv import SimulatedScan, write_simulated_scan
    from lib.cell.stagehand import Stagehand
    from lib.cell.thing_markers import BLOCK_COLOURS, BOX_COLOUR, ThingMarker, block_markers, box_markers
    from lib.cell.twin_scan import simulate_scan
    from lib.settings_cell import SCENES

__all__ = [
    "BLOCK_COLOURS",
    "BOX_COLOUR",
    "SCENES",
    "Body",
    "Box",
    "Cell",
    "CellLink",
    "KinematicBody",
    "Layout",
    "Pose",
    "SimulatedScan",
    "Stagehand",
    "ThingMarker",
    "Touch",
    "answer",
    "base_request",
    "block_markers",
    "box_markers",
    "layout",
    "no_errors",
    "simulate_scan",
    "write_first_requests",
    "write_simulated_scan",
]

# MuJoCo looks for windows and GL when it is imported, by a process of its own; nothing here uses them.
os.environ.setdefault("MUJOCO_GL", "disable")

_HOMES = {
    "body": ("Body", "KinematicBody"),
    "cell": ("Cell", "Pose", "Touch"),
    "first_requests": ("base_request", "write_first_requests"),
    "flaws": ("no_errors",),
    "floor_plan": ("Box", "Layout", "layout"),
    "link": ("CellLink", "answer"),
    "scan_csv": ("SimulatedScan", "write_simulated_scan"),
    "stagehand": ("Stagehand",),
    "thing_markers": ("BLOCK_COLOURS", "BOX_COLOUR", "ThingMarker", "block_markers", "box_markers"),
    "twin_scan": ("simulate_scan",),
}


def __getattr__(name: str) -> Any:
    if name == "SCENES":
        return import_module("lib.settings_cell").SCENES
    for home, names in _HOMES.items():
        if name in names:
            return getattr(import_module(f"lib.cell.{home}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
