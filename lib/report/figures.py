"""The room's figures that stand alone, as the command line writes them: an SVG, a PNG or a page each."""

from lib.report.diff_map import DiffCells, write_diff_map
from lib.report.explanation_figure import write_explanation
from lib.report.figure_file import check_figure_file
from lib.report.funnel_figure import FunnelStep, Selected, write_funnel
from lib.report.reach_map import Frame, ReachCells, write_reach_map

__all__ = [
    "DiffCells",
    "Frame",
    "FunnelStep",
    "ReachCells",
    "Selected",
    "check_figure_file",
    "write_diff_map",
    "write_explanation",
    "write_funnel",
    "write_reach_map",
]
