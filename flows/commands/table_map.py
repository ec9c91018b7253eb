"""`nightpick table map`: where the table reaches, drawn, and what binds where it does not."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flows.commands.verb import add_verb, print_json
from lib.errors import BadInput
from lib.settings import PickLookup, PlaceLookup, Settings

if TYPE_CHECKING:
    from lib.lookup import Area, Reach
    from lib.report.figures import Frame, ReachCells

_MARGIN_M = 0.020


def add_map(table: Any, common: argparse.ArgumentParser) -> None:
    """Add `map` to the verbs of `table`."""
    parser = add_verb(
        table, common, "map", _map,
        does="draw where the table reaches, and which filter binds where it does not",
        example="nightpick table map reach.svg --height 0.085 0.115",
    )  # fmt: skip
    parser.add_argument("out", type=Path, metavar="OUT", help="the figure (.svg, .png or .html)")
    parser.add_argument("--mode", choices=("place", "pick"), default="place")
    parser.add_argument(
        "--height", type=float, nargs=2, metavar=("LOW", "HIGH"),
        help="heights of the tool tip [m] (default: the settings' band); PLACE then aims at their middle",
    )  # fmt: skip
    add_step(parser)
    parser.add_argument("--table", type=int, metavar="N", help="table version (default: the current one)")


def add_step(parser: argparse.ArgumentParser) -> None:
    """Add how fine a map is."""
    parser.add_argument(
        "--step", dest="step_m", type=float, default=0.004, metavar="M",
        help="distance of the map's targets [m] (default: 0.004)",
    )  # fmt: skip


def _map(args: argparse.Namespace, settings: Settings) -> None:
    from flows.terminal import progress_bar
    from lib.lookup import Table, reach
    from lib.report.figures import check_figure_file, write_reach_map

    check_figure_file(args.out)
    bounds = _with_heights(
        settings.lookup.place if args.mode == "place" else settings.lookup.pick, args.height
    )
    area, frame = drawn_area(settings, args.mode)
    check_step(args.step_m)
    table = Table.open(settings.data_dir, args.table)
    with progress_bar("explaining what is out of reach") as progress:
        found = reach(table, bounds, area, args.step_m, progress)
    low_mm, high_mm = (1e3 * height for height in bounds.ee_y_band_m)
    title = f"{args.mode.upper()} reach of table version {found.table_version}"
    subtitle = f"{share_text(found)}\ntip height {low_mm:g} to {high_mm:g} mm, the settings' filters"
    write_reach_map(args.out, title, subtitle, _cells(found), frame)
    if args.json:
        print_json({"file": str(args.out), "mode": args.mode, **found.as_json()})
    else:
        print(f"{args.out}: {title}: {share_text(found)}")


def _with_heights(bounds: PlaceLookup | PickLookup, heights: list[float] | None) -> PlaceLookup | PickLookup:
    if heights is None:
        return bounds
    band = (heights[0], heights[1])
    if isinstance(bounds, PlaceLookup):
        return replace(bounds, ee_y_band_m=band, ee_y_target_m=None)
    return replace(bounds, ee_y_band_m=band)


def check_step(step_m: float) -> None:
    """Raise BadInput for a step that makes no map."""
    if not 0.0005 <= step_m <= 0.05:
        raise BadInput(f"--step {step_m:g}; expected metres, 0.0005 to 0.05, like 0.004")


def drawn_area(settings: Settings, mode: str) -> tuple[Area, Frame]:
    """Return the area of a mode's map, and the rectangle to draw into it."""
    from lib.lookup import Area
    from lib.report.figures import Frame

    cell = settings.cell
    if mode == "place":
        label = "box"
        x_m, z_m = (
            (middle - outer / 2, middle + outer / 2)
            for middle, outer in zip(cell.box_centre_m, cell.box_outer_m, strict=True)
        )
    else:
        label, x_m, z_m = "PICK area", cell.pick_area_x_m, cell.pick_area_z_m
    area = Area((x_m[0] - _MARGIN_M, x_m[1] + _MARGIN_M), (z_m[0] - _MARGIN_M, z_m[1] + _MARGIN_M))
    return area, Frame(label, (1e3 * x_m[0], 1e3 * x_m[1]), (1e3 * z_m[0], 1e3 * z_m[1]))


def share_text(found: Reach) -> str:
    """Say how much of a map is in reach."""
    import numpy as np

    reached = int(found.reached.sum())
    said = f"{reached:,} of {found.reached.size:,} targets in reach"
    if not reached:
        return said
    return f"{said}, median {float(np.nanmedian(found.distance_m)) * 1e3:.1f} mm"


def _cells(found: Reach) -> ReachCells:
    from lib.report.figures import ReachCells

    return ReachCells(1e3 * found.xs_m, 1e3 * found.zs_m, 1e3 * found.distance_m, found.bound_by)
