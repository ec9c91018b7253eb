"""A long task's bar moves while it runs, a short one has none, and a server that is gone holds nobody up."""

from __future__ import annotations

import time
from pathlib import Path
from uuid import UUID

import pytest
from prefect import flow
from prefect.client.orchestration import get_client
from prefect.client.schemas.filters import ArtifactFilter, ArtifactFilterTaskRunId
from prefect.runtime import task_run
from prefect.settings import PREFECT_API_URL, temporary_settings

from flows.serving.server import Server, any_free_port
from lib.errors import BadInput
from lib.settings import Settings
from tasks import live_progress
from tasks.evidence import Evidence, evidence_task
from tasks.progress import step
from tasks.publishing import Publisher

pytestmark = pytest.mark.xdist_group("prefect")

SEEN: list[tuple[float, str] | None] = []


@evidence_task("count sheep", run_name="count sheep to {sheep}")
def count_sheep(settings: Settings, sheep: int, pause_s: float) -> Evidence[None]:
    for k in range(sheep):
        step(f"sheep {k} *of* {sheep}", k / sheep)
        SEEN.append(_bar(UUID(task_run.get_id())))
        if len(set(SEEN) - {None}) == 3:  # it moves, and that took as long as the machine wanted
            break
        time.sleep(pause_s)
    if sheep == 4:
        raise BadInput("the fourth sheep would not jump")
    return Evidence(None, headline="asleep")


@pytest.fixture(autouse=True)
def _nothing_seen() -> None:
    SEEN.clear()


def test_the_bar_of_a_long_task_moves_and_ends_with_what_was_done(
    prefect_api: Server, data_dir: Path
) -> None:
    end = _end(data_dir, sheep=200, pause_s=0.3)
    shares = [bar[0] for bar in SEEN if bar is not None]
    assert SEEN[0] is None  # not before it is known to take long
    assert len(set(shares)) == 3 and shares == sorted(shares)
    assert SEEN[-1] is not None
    assert SEEN[-1][1] == f"sheep {2 * SEEN[-1][0]:.0f} \\*of\\* 200"  # a text, no Markdown
    assert end == (100.0, "asleep")


def test_a_bar_stays_where_its_task_failed_and_says_why(prefect_api: Server, data_dir: Path) -> None:
    end = _end(data_dir, sheep=4, pause_s=0.8)
    assert end is not None and 0 < end[0] < 100
    assert end[1] == "failed: the fourth sheep would not jump"


def test_a_short_task_has_no_bar(prefect_api: Server, data_dir: Path) -> None:
    assert _end(data_dir, sheep=6, pause_s=0.0) is None


def test_without_a_server_a_task_with_a_bar_takes_no_longer(
    prefect_api: Server, data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_progress, "PUBLISHER", Publisher())  # this one will keep silent for a while

    @evidence_task("nobody listens")
    def alone(settings: Settings) -> Evidence[float]:
        started_s = time.monotonic()
        with temporary_settings({PREFECT_API_URL: f"http://127.0.0.1:{any_free_port()}/api"}):
            for k in range(20):
                step("on", k / 20)
                time.sleep(0.1)
        return Evidence(time.monotonic() - started_s, headline="done")

    @flow
    def lonely() -> float:
        return alone(Settings(data_dir=data_dir))

    assert lonely() < 2.0 + 5.0


def _end(data_dir: Path, sheep: int, pause_s: float) -> tuple[float, str] | None:
    """Count sheep in a flow; return the bar as it stands afterwards."""
    runs: list[UUID] = []

    @flow
    def night() -> None:
        state = count_sheep(Settings(data_dir=data_dir), sheep, pause_s, return_state=True)
        assert state.state_details.task_run_id is not None
        runs.append(state.state_details.task_run_id)

    night()
    return _bar(runs[0])


def _bar(run: UUID) -> tuple[float, str] | None:
    with get_client(sync_client=True) as client:
        only = ArtifactFilter(task_run_id=ArtifactFilterTaskRunId(any_=[run]))
        bars = client.read_artifacts(artifact_filter=only)
    assert len(bars) <= 1
    if not bars:
        return None
    assert (bars[0].key, bars[0].type) == ("count-sheep-progress", "progress")
    return float(str(bars[0].data)), bars[0].description or ""
