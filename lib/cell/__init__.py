"""The simulated cell: what stands where, what the twin measures, and what it is asked to scan first."""

from lib.cell.base_request import base_request, write_first_requests
from lib.cell.body import Body, KinematicBody
from lib.cell.cell import Cell, Pose, Touch
from lib.cell.flaws import no_errors
from lib.cell.layout import Box, Layout, layout
from lib.cell.scan_csv import SimulatedScan, write_simulated_scan
from lib.cell.twin_scan import simulate_scan
from lib.cell.world import SCENES, Scene

__all__ = [
    "SCENES",
    "Body",
    "Box",
    "Cell",
    "KinematicBody",
    "Layout",
    "Pose",
    "Scene",
    "SimulatedScan",
    "Touch",
    "base_request",
    "layout",
    "no_errors",
    "simulate_scan",
    "write_first_requests",
    "write_simulated_scan",
]
