"""What the tasks for scans and merges show: every step known to the bar, the worst probe explained."""

from __future__ import annotations

import base64
import re
from dataclasses import replace
from pathlib import Path
from uuid import UUID

import pytest
from prefect import flow
from prefect.client.orchestration import get_client
from prefect.client.schemas.filters import ArtifactFilter, ArtifactFilterFlowRunId
from prefect.runtime import flow_run

from flows.serving.server import Server
from lib.lookup import PlaceRequest, Table, lookup
from lib.report.worst_probe import worst_change
from lib.scan import ScanStore, inbox_folder, ingest_file
from lib.settings import Settings
from lib.table import merge_scan, pending_scans
from tasks import ingest_scan as ingest_task
from tasks import merge_scan as merge_task

LOG54 = Path(__file__).parents[1] / "data" / "log54"


def test_the_steps_that_ingest_and_merge_tell_are_those_the_bars_know(tmp_path: Path) -> None:
    settings = replace(Settings(), data_dir=tmp_path)
    told: list[str] = []
    ingest_file(tmp_path, LOG54 / "rows_before.csv", progress=told.append)
    assert told == list(ingest_task.BEGINS_AT)
    told.clear()
    (scan,) = pending_scans(settings)
    assert merge_scan(settings, scan, progress=told.append) is not None
    assert told == list(merge_task.BEGINS_AT)
    for begins_at in (ingest_task.BEGINS_AT, merge_task.BEGINS_AT):
        shares = list(begins_at.values())
        assert shares == sorted(shares) and shares[0] >= 0 and shares[-1] < 1


@pytest.mark.xdist_group("prefect")
def test_the_effect_report_explains_the_worst_probe_that_did_not_improve(
    prefect_api: Server, data_dir: Path
) -> None:
    settings = replace(Settings(), data_dir=data_dir)
    inbox_folder(data_dir).mkdir(parents=True)

    @flow
    def two_merges() -> str:
        for name in ("rows_before.csv", "rows_scan.csv"):
            (inbox_folder(data_dir) / name).write_bytes((LOG54 / name).read_bytes())
            ingest_task.ingest_scan(settings, inbox_folder(data_dir) / name)
            (scan,) = pending_scans(settings)
            merge_task.merge_scan(settings, scan)
        return str(flow_run.get_id())

    run = UUID(two_merges())
    with get_client(sync_client=True) as client:
        only = ArtifactFilter(flow_run_id=ArtifactFilterFlowRunId(any_=[run]))
        reports = [a for a in client.read_artifacts(artifact_filter=only) if a.key == "effect-report"]
    assert len(reports) == len(ScanStore(data_dir).kept()) == 2
    for report in reports:
        text = str(report.data)
        (mode, x, z) = re.findall(r"`nightpick lookup (place|pick) (\S+) (\S+) --explain`", text)[0]
        assert f"{mode.upper()} at x {float(x):+.3f}, z {float(z):.3f} m: " in text
        (picture,) = re.findall(r"\(data:image/png;base64,([^)]+)\)", text)
        figures = [file.read_bytes() for file in (data_dir / "reports" / "figures").glob("*.png")]
        assert base64.b64decode(picture) in figures


def test_the_worst_probe_is_out_of_reach_or_the_farthest_and_no_improved_one(tmp_path: Path) -> None:
    settings = replace(Settings(), data_dir=tmp_path)
    for name in ("rows_before.csv", "rows_scan.csv"):
        ingest_file(tmp_path, LOG54 / name)
        (scan,) = pending_scans(settings)
        result = merge_scan(settings, scan)
        assert result is not None
        worst = worst_change(result)
        assert worst is not None and worst.verdict != "improved"
        same = [change for change in result.effect.changes if change.verdict != "improved"]
        if any(change.after.xz_distance_m is None for change in same):
            assert worst.after.xz_distance_m is None
        else:
            assert worst.after.xz_distance_m == max(change.after.xz_distance_m or 0 for change in same)
        if worst.probe.mode == "place":
            request = PlaceRequest.from_settings(settings.lookup.place, worst.probe.x_m, worst.probe.z_m)
            assert lookup(Table.open(tmp_path), request).fk_row == worst.after.fk_row
