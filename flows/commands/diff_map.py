"""`nightpick table diff N M --map OUT`: where on the PLACE area a version is better, drawn."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path

from flows.commands.table_map import add_step, check_step, drawn_area
from lib.settings import Settings


def add_diff_map(diff: argparse.ArgumentParser) -> None:
    """Add the map to the arguments of `table diff`."""
    diff.add_argument(
        "--map", type=Path, metavar="OUT",
        help="draw where on the PLACE area version M selects a nearer row (.svg, .png or .html)",
    )  # fmt: skip
    add_step(diff)


@dataclass(frozen=True)
class DrawnDiff:
    """What the map shows, counted."""

    file: Path
    targets: int
    better: int
    worse: int
    newly_in_reach: int
    out_of_reach_now: int

    def as_json(self) -> dict[str, object]:
        """Return what `table diff --map --json` prints of it."""
        return {**vars(self), "file": str(self.file)}

    def __str__(self) -> str:
        """Say it in one line."""
        return (
            f"  {self.file}: of {self.targets:,} PLACE targets {self.better:,} are nearer, "
            f"{self.worse:,} farther, {self.newly_in_reach:,} newly in reach, "
            f"{self.out_of_reach_now:,} out of reach now"
        )


def draw_diff_map(args: argparse.Namespace, settings: Settings) -> DrawnDiff:
    """Look the PLACE area up in both versions and draw the change.

    Raises BadInput for a version there is not, or a name that is no figure's.
    """
    import numpy as np

    from flows.terminal import progress_bar
    from lib.lookup import Table, distances
    from lib.report.figures import DiffCells, check_figure_file, write_diff_map
    from lib.table import SAME_M

    check_figure_file(args.map)
    check_step(args.step_m)
    area, frame = drawn_area(settings, "place")
    grids = []
    with progress_bar("looking the PLACE area up in both versions") as progress:
        for done, version in enumerate((args.of, args.to)):
            progress(done, 2)
            grids.append(
                distances(Table.open(settings.data_dir, version), settings.lookup.place, area, args.step_m)
            )
    before, after = grids
    change_m = after - before
    reached = np.isfinite(before), np.isfinite(after)
    drawn = DrawnDiff(
        file=args.map,
        targets=before.size,
        better=int((change_m < -SAME_M).sum()),
        worse=int((change_m > SAME_M).sum()),
        newly_in_reach=int((reached[1] & ~reached[0]).sum()),
        out_of_reach_now=int((reached[0] & ~reached[1]).sum()),
    )
    xs_m, zs_m = area.axes(args.step_m)
    cells = DiffCells(1e3 * xs_m, 1e3 * zs_m, 1e3 * before, 1e3 * after)
    subtitle = (
        f"{drawn.better:,} of {drawn.targets:,} targets nearer, {drawn.worse:,} farther\n"
        f"{drawn.newly_in_reach:,} newly in reach, {drawn.out_of_reach_now:,} out of reach now"
    )
    write_diff_map(args.map, f"PLACE: version {args.to} against version {args.of}", subtitle, cells, frame)
    return drawn
