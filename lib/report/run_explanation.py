"""Why a run's lookup gave what it gave: asked again of the same table version, under the settings' bounds."""

from __future__ import annotations

from dataclasses import dataclass, replace

from lib.errors import NightpickError
from lib.lookup import Culprit, FunnelEntry, LookupResult, PlaceRequest, Table, culprits, explain
from lib.report.batch_facts import Row
from lib.settings import Settings

_CULPRITS_SHOWN = 2


@dataclass(frozen=True)
class Explanation:
    """One lookup explained."""

    request: PlaceRequest
    result: LookupResult
    funnel: tuple[FunnelEntry, ...]
    culprits: tuple[Culprit, ...]
    """The relaxations that would help most."""


def explain_run(settings: Settings, run: Row, lookups: list[Row]) -> Explanation | None:
    """Explain the last PLACE lookup of a run; None where it made none or its table version is gone."""
    asked = next((look for look in reversed(lookups) if look["tag"] != "pick"), None)
    if asked is None or asked["aim_x_m"] is None or asked["aim_z_m"] is None:
        return None
    bounds = settings.lookup.place
    if run["aim_y_m"] is not None:
        bounds = replace(bounds, ee_y_target_m=run["aim_y_m"])
    try:
        table = Table.open(settings.data_dir, asked["table_version"] or run["table_version"])
        request = PlaceRequest.from_settings(bounds, asked["aim_x_m"], asked["aim_z_m"])
        result, funnel = explain(table, request)
        helping = [c for c in culprits(table, request) if len(c.relax) == 1 and _is_nearer(c, result)]
    except NightpickError:  # rolled back, damaged or not there: the rows of the log still tell
        return None
    return Explanation(request, result, funnel, tuple(helping[:_CULPRITS_SHOWN]))


def _is_nearer(culprit: Culprit, than: LookupResult) -> bool:
    now_m = than.xz_distance_m if than.sendable else None
    nearer_m = culprit.xz_distance_m
    return nearer_m is not None and (now_m is None or nearer_m < now_m - 1e-6)
