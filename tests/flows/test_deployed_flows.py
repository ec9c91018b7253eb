"""Everything of prefect.yaml, deployed by `prefect deploy --all` and run by a worker in another folder."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from prefect.client.orchestration import get_client
from prefect.client.schemas.filters import (
    ArtifactFilter,
    ArtifactFilterFlowRunId,
    FlowRunFilter,
    FlowRunFilterId,
)
from prefect.client.schemas.objects import FlowRun
from prefect.client.schemas.schedules import CronSchedule, IntervalSchedule
from prefect.deployments import run_deployment
from prefect.settings import PREFECT_API_URL, temporary_settings

from flows.serving import prefect_environment
from flows.serving.child import Child
from flows.serving.server import Server
from flows.serving.server_setup import POOL, ZOMBIES, prepare_server
from flows.serving.this_machine import local_zone
from lib.cell import write_simulated_scan
from lib.robot import load_robot
from lib.runlog import connect
from lib.scan import inbox_folder
from lib.settings import Settings
from tests.flows.processes import ROOT

pytestmark = pytest.mark.xdist_group("prefect")


@pytest.fixture(scope="module")
def machine(prefect_server: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settings]:
    """A data folder whose flows are deployed and have a worker, started where no flow file is."""
    settings = Settings(data_dir=tmp_path_factory.mktemp("machine") / "data")
    environment = {
        **os.environ,
        **prefect_environment.for_flows(settings, prefect_server.api_url, None),
        "PREFECT_WORKER_QUERY_SECONDS": "1",
    }
    with temporary_settings({PREFECT_API_URL: prefect_server.api_url}):
        prepare_server("mecharm270")
        prepare_server("mecharm270")  # asking again changes nothing
        worker = Child(
            [sys.executable, "-m", "prefect", "worker", "start", "--pool", POOL, "--type", "process"],
            settings.data_dir.parent / "worker.log",
            environment=environment,
            directory=tmp_path_factory.mktemp("elsewhere"),
        )
        try:
            deploy = [sys.executable, "-m", "prefect", "--no-prompt", "deploy", "--all"]
            subprocess.run(deploy, cwd=ROOT, env=environment, check=True, capture_output=True)
            _hold_schedules()
            yield settings
        finally:
            worker.stop()


def test_night_and_report_are_scheduled_by_the_wall_clock_and_ingest_by_interval(machine: Settings) -> None:
    with get_client(sync_client=True) as client:
        (night,) = client.read_deployment_by_name("night/night").schedules
        (ingest,) = client.read_deployment_by_name("ingest-scans/ingest-scans").schedules
        (report,) = client.read_deployment_by_name("report/report").schedules
        assert client.read_deployment_by_name("merge-table/merge-table").schedules == []
    assert isinstance(night.schedule, CronSchedule)
    assert (night.slug, night.schedule.cron) == ("every-night", "0 22 * * *")
    assert night.parameters == {"window_h": 6}
    assert night.schedule.timezone == local_zone()
    assert isinstance(ingest.schedule, IntervalSchedule)
    assert (ingest.slug, ingest.schedule.interval) == ("every-hour", timedelta(hours=1))
    assert isinstance(report.schedule, CronSchedule)
    assert (report.slug, report.schedule.cron) == ("every-morning", "0 7 * * *")
    assert report.schedule.timezone == local_zone()


def test_limit_pool_and_watch_over_dead_runs_are_there_once(machine: Settings) -> None:
    with get_client(sync_client=True) as client:
        assert client.read_work_pool(POOL).type == "process"
        limits = [
            limit for limit in client.read_global_concurrency_limits() if limit.name == "arm-mecharm270"
        ]
        assert [limit.limit for limit in limits] == [1]
        assert len(client.read_automations_by_name(ZOMBIES)) == 1


def test_ingest_then_merge_run_by_the_worker_leave_rows_and_readable_reports(machine: Settings) -> None:
    inbox = inbox_folder(machine.data_dir)
    inbox.mkdir(parents=True, exist_ok=True)
    request = machine.data_dir.parent / "bases.csv"
    request.write_text("36.215,57,20,-12,-86,-30\n")
    write_simulated_scan(load_robot("mecharm270"), request, inbox / "one-base.csv", seed=1)

    ingest = _run("ingest-scans/ingest-scans")
    assert _end(ingest) == ("Completed", "1 scans taken in")
    assert sorted(path.name for path in (inbox / "done").iterdir()) == [
        "one-base.csv",
        "one-base.request.csv",
    ]
    merge = _run("merge-table/merge-table")
    assert _end(merge) == ("Completed", "1 scans merged")

    reports = _artifacts(ingest) | _artifacts(merge)
    bars = {key for key in reports if key.endswith("-progress")}  # only what takes a while has one
    assert set(reports) - bars == {"scan-report", "merge-report", "effect-report"}
    assert reports["scan-report"].startswith("## one-base.csv: ingested, 16,807 rows")
    assert reports["merge-report"].startswith("## Version 1: 16,807 of 16,807 rows added, ")
    assert "- ✓ **count**: 0 + 16,807 - 0 duplicates = 16,807 rows" in reports["merge-report"]
    assert "| PLACE | 121 |" in reports["effect-report"]

    with connect(machine.data_dir) as con:
        ours = con.execute("SELECT prefect_task_run_id, task, state FROM task_run").fetchall()
        flows = con.execute("SELECT prefect_flow_run_id, flow, state FROM flow_run").fetchall()
        merges = con.execute("SELECT t.task FROM merge m JOIN task_run t USING (task_run_id)").fetchall()
    assert {(task, state) for _, task, state in ours} == {
        ("ingest scan", "finished"),
        ("merge scan", "finished"),
    }
    assert {UUID(row[0]) for row in ours} == _task_runs(ingest, merge)
    assert {(UUID(run), flow, state) for run, flow, state in flows} == {
        (ingest.id, "ingest-scans", "finished"),
        (merge.id, "merge-table", "finished"),
    }
    assert merges == [("merge scan",)]  # what lib/table recorded knows its task

    log = (machine.data_dir / "prefect" / "logs" / f"{merge.id}.log").read_text()
    assert "merge scan: Version 1: 16,807 of 16,807 rows added" in log


def _hold_schedules() -> None:
    """Keep the clock from starting a run beside the ones that are asked for."""
    with get_client(sync_client=True) as client:
        for name in ("night/night", "ingest-scans/ingest-scans", "report/report"):
            deployment = client.read_deployment_by_name(name)
            for schedule in deployment.schedules:
                client.update_deployment_schedule(
                    deployment.id, schedule.id, active=False, parameters=schedule.parameters
                )


def _run(name: str) -> FlowRun:
    run = run_deployment(name, timeout=120, poll_interval=0.5, as_subflow=False)
    assert isinstance(run, FlowRun)
    assert run.state is not None
    assert run.state.is_final(), f"{name} did not end in time"
    return run


def _end(run: FlowRun) -> tuple[str | None, str | None]:
    assert run.state is not None
    return run.state.name, run.state.message


def _artifacts(run: FlowRun) -> dict[str, Any]:
    with get_client(sync_client=True) as client:
        found = client.read_artifacts(
            artifact_filter=ArtifactFilter(flow_run_id=ArtifactFilterFlowRunId(any_=[run.id]))
        )
    return {str(artifact.key): artifact.data for artifact in found}


def _task_runs(*runs: FlowRun) -> set[UUID]:
    with get_client(sync_client=True) as client:
        wanted = FlowRunFilter(id=FlowRunFilterId(any_=[run.id for run in runs]))
        return {run.id for run in client.read_task_runs(flow_run_filter=wanted)}
