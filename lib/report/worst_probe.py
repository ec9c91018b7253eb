"""Why the worst probe of a merge is no better: its lookup, under the batch's arguments, filter by filter."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

from lib.disk import disk
from lib.lookup import LookupResult, Table, funnel, lookup
from lib.report.figures import write_explanation
from lib.report.markdown import code, millimetres, plain
from lib.settings import Settings
from lib.table import Change, MergeResult, probe_request


@dataclass(frozen=True)
class WorstProbe:
    """A probe that did not improve, explained."""

    figure: Path
    said: str
    """What is drawn, in a sentence."""
    command: str
    """What tells more."""

    def markdown(self) -> str:
        """Return what stands above the figure."""
        headline = "### The worst of the probes that did not improve"
        return f"\n{headline}\n\n{plain(self.said)}. More: {code(self.command)}\n"


def explain_worst_probe(settings: Settings, result: MergeResult, folder: Path) -> WorstProbe | None:
    """Draw the funnel of the worst probe that a merge did not improve into ``folder``.

    It is asked of the table as it is now: with the merge, or without it where it was blocked. None
    where every probe improved, or there is no table. Raises DiskRefused where it cannot be written.
    """
    version = result.version if result.promoted else result.parent
    change = worst_change(result)
    if version is None or change is None:
        return None
    request = probe_request(settings, change.probe)
    table = Table.open(settings.data_dir, version)
    answer = lookup(table, request)
    figure = folder / f"worst-probe-{result.scan_md5[:12]}.png"
    with disk(folder):
        folder.mkdir(parents=True, exist_ok=True)
    write_explanation(figure, request, answer, len(table), funnel(table, request))
    place = f"{request.x_m:g} {request.z_m:g}"
    bound = f", bound by {change.after.binding_filter}" if change.after.binding_filter else ""
    distance = millimetres(answer.xz_distance_m)
    said = f"{request.mode.upper()} at x {request.x_m:+.3f}, z {request.z_m:.3f} m: {distance}{bound}"
    return WorstProbe(figure, said, f"nightpick lookup {request.mode} {place} --explain")


def worst_change(result: MergeResult) -> Change | None:
    """Return the probe farthest from its row of those that did not improve; out of reach is farthest."""
    same = [change for change in result.effect.changes if change.verdict != "improved"]
    return max(same, key=lambda change: _distance_m(change.after), default=None)


def _distance_m(result: LookupResult) -> tuple[float, float]:
    """Rank by the distance; of those out of reach by how far the nearest row behind the guard is."""
    if result.xz_distance_m is not None:
        return result.xz_distance_m, 0.0
    return math.inf, -1.0 if result.beyond_guard is None else result.beyond_guard[1]
