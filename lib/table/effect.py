"""What a merge changes for the targets people use: every probe looked up before and after."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Literal

import numpy as np

from lib.lookup import LookupResult, PickRequest, PlaceRequest, Table, lookup_many, with_binding_filters
from lib.settings import Settings
from lib.table.audits.audit import Audit, Figure
from lib.table.probes import Probe, standard_probes

# Residuals closer than this are the same place: a micrometre, as everywhere in the audits.
SAME_M = 1e-6
LARGEST = 20

Verdict = Literal["improved", "worse", "unchanged"]


@dataclass(frozen=True)
class Change:
    """One probe before and after."""

    probe: Probe
    before: LookupResult
    after: LookupResult

    @property
    def verdict(self) -> Verdict:
        """Judge by standing first (nothing in reach, not sendable, sendable), then by distance."""
        before, after = _standing(self.before), _standing(self.after)
        if before != after:
            return "improved" if after > before else "worse"
        change_m = self.change_m
        if change_m is None or abs(change_m) <= SAME_M:
            return "unchanged"
        return "improved" if change_m < 0 else "worse"

    @property
    def change_m(self) -> float | None:
        """How much farther the selected row got [m]; None where one of the two is out of reach."""
        if self.before.xz_distance_m is None or self.after.xz_distance_m is None:
            return None
        return self.after.xz_distance_m - self.before.xz_distance_m

    @property
    def degraded(self) -> bool:
        """Whether the probe fell a standing: found to out of range, sendable to not sendable."""
        return _standing(self.after) < _standing(self.before)

    def as_json(self) -> dict[str, object]:
        """Return the change as the merge's JSON and the run log give it."""
        return {
            "mode": self.probe.mode,
            "target_m": [self.probe.x_m, self.probe.z_m],
            "verdict": self.verdict,
            "change_m": self.change_m,
            "before": _selection(self.before),
            "after": _selection(self.after),
            "binding_filter": self.after.binding_filter,
        }


@dataclass(frozen=True)
class Effect:
    """All probes of a merge."""

    changes: tuple[Change, ...]

    def count(self, verdict: Verdict) -> int:
        """Count the probes with one verdict."""
        return sum(change.verdict == verdict for change in self.changes)

    @property
    def largest(self) -> list[Change]:
        """The changes people should look at: a changed standing first, then by distance."""
        changed = [c for c in self.changes if c.verdict != "unchanged"]
        return sorted(changed, key=lambda c: -np.inf if c.change_m is None else -abs(c.change_m))[:LARGEST]

    @property
    def binding(self) -> Counter[str]:
        """What binds the probes that did not improve: filter by filter, the commonest first."""
        return Counter(
            c.after.binding_filter for c in self.changes if c.verdict != "improved" and c.after.binding_filter
        )

    def as_json(self) -> dict[str, object]:
        """Return what `table merge --json` prints of it."""
        return {
            "probes": len(self.changes),
            "improved": self.count("improved"),
            "worse": self.count("worse"),
            "unchanged": self.count("unchanged"),
            "binding": dict(self.binding.most_common()),
            "largest": [change.as_json() for change in self.largest],
        }


def compare(settings: Settings, before: Table, after: Table) -> Effect:
    """Look every standard probe up in both tables, with the arguments that the batch uses."""
    probes = standard_probes(settings)
    requests = [probe_request(settings, probe) for probe in probes]
    now = with_binding_filters(after, requests, lookup_many(after, requests))
    pairs = zip(probes, lookup_many(before, requests), now, strict=True)
    return Effect(tuple(Change(probe, old, new) for probe, old, new in pairs))


def effect_audit(effect: Effect, must_improve: bool) -> Audit:
    """Say what changed; fails only where an improvement was asked for and there is none."""
    improved, worse = effect.count("improved"), effect.count("worse")
    probes = len(effect.changes)
    figures: dict[str, Figure] = {
        "probes": probes,
        "improved": improved,
        "worse": worse,
        "unchanged": probes - improved - worse,
    }
    said = f"{improved} of {probes} probes improved, {worse} got worse"
    if all(change.before.xz_distance_m is None for change in effect.changes):
        said = f"{improved} of {probes} probes come into reach, before none was"
    if effect.binding:
        name, times = effect.binding.most_common(1)[0]
        said += f"; what binds most of the rest is {name} ({times})"
        figures["bound_by_commonest"] = times
    if must_improve and not improved:
        return Audit("effect", False, f"{said}: an improvement was asked for and there is none", figures)
    return Audit("effect", True, said, figures)


def probe_request(settings: Settings, probe: Probe) -> PlaceRequest | PickRequest:
    """Ask for a probe's target under the settings' bounds."""
    if probe.mode == "place":
        return PlaceRequest.from_settings(settings.lookup.place, probe.x_m, probe.z_m)
    return PickRequest.from_settings(settings.lookup.pick, probe.x_m, probe.z_m)


def _standing(result: LookupResult) -> int:
    if result.xz_distance_m is None:
        return 0
    return 2 if result.sendable else 1


def _selection(result: LookupResult) -> dict[str, object]:
    return {"fk_row": result.fk_row, "xz_distance_m": result.xz_distance_m, "method": result.method}
