"""The lookup: which row of the table brings the tool tip to a target, and why that one.

from lib.lookup import Table, place
table = Table.open(data_dir)
place(table, -0.170, 0.1899).joints_deg
"""

from lib.lookup.batch import explain, funnel, lookup, lookup_many, pick, place
from lib.lookup.binding import ABSENCE_OF_POINTS, SCORE_WEIGHTS, with_binding_filters
from lib.lookup.culprits import Culprit, Protected, culprits
from lib.lookup.filters import Filter
from lib.lookup.funnel import FunnelEntry
from lib.lookup.reach import Area, Reach, distances, reach
from lib.lookup.request import PICK_FILTERS, PickRequest, PlaceRequest, Request
from lib.lookup.result import NO_CANDIDATES, OUT_OF_RANGE, LookupResult
from lib.lookup.sweep import Axis, SweepPoint, bound_names, read_axis, sweep
from lib.lookup.table import Table

__all__ = [
    "ABSENCE_OF_POINTS",
    "NO_CANDIDATES",
    "OUT_OF_RANGE",
    "PICK_FILTERS",
    "SCORE_WEIGHTS",
    "Area",
    "Axis",
    "Culprit",
    "Filter",
    "FunnelEntry",
    "LookupResult",
    "PickRequest",
    "PlaceRequest",
    "Protected",
    "Reach",
    "Request",
    "SweepPoint",
    "Table",
    "bound_names",
    "culprits",
    "distances",
    "explain",
    "funnel",
    "lookup",
    "lookup_many",
    "pick",
    "place",
    "reach",
    "read_axis",
    "sweep",
    "with_binding_filters",
]
