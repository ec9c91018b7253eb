"""The flow motion-study: a task a variant, evidence of each, the ranking where people look for it."""

from __future__ import annotations

import json
from pathlib import Path
from uuid import UUID

import pytest
from prefect.client.orchestration import get_client
from prefect.client.schemas.filters import ArtifactFilter, ArtifactFilterFlowRunId
from prefect.client.schemas.objects import State

from flows.motion_study import motion_study
from flows.serving.server import Server
from lib.errors import CheckFailed
from lib.runlog import connect

pytestmark = pytest.mark.xdist_group("prefect")


@pytest.fixture
def two_variants(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NIGHTPICK_MOTION__SPEEDS_S__FAST", "1.5")
    monkeypatch.setenv("NIGHTPICK_MOTION__APPROACHES__HIGH__UP_M", "0.08")
    monkeypatch.setenv("NIGHTPICK_MOTION__APPROACHES__STANDARD__BACK_M", "0.04")
    monkeypatch.setenv("NIGHTPICK_MOTION__APPROACHES__FAR__UP_M", "0.45")


@pytest.mark.usefixtures("two_variants")
def test_variants_are_played_side_by_side_as_tasks_and_ranked_with_figure_and_page(
    prefect_api: Server, data_dir: Path
) -> None:
    state = motion_study(repeats=1, return_state=True)
    assert isinstance(state, State)
    assert state.is_completed(), state.message
    with connect(data_dir) as con:
        tasks = con.execute("SELECT task, state, task_run_id FROM task_run ORDER BY started_utc").fetchall()
        ((flow_run_id, prefect_id, ended),) = con.execute(
            "SELECT flow_run_id, prefect_flow_run_id, state FROM flow_run"
        ).fetchall()
        runs = con.execute(
            "SELECT variant, state, placed, task_run_id, flow_run_id FROM motion_run ORDER BY variant"
        ).fetchall()
        ranks = con.execute("SELECT variant, place, flow_run_id FROM motion_rank").fetchall()
        steps = con.execute("SELECT DISTINCT flow_run_id, task_run_id FROM run_state").fetchall()
        metrics = {row[0] for row in con.execute("SELECT DISTINCT name FROM observation").fetchall()}
    assert ended == "finished"
    assert [(task, state) for task, state, _ in tasks] == [
        ("plan motions", "finished"), ("play variant", "finished"), ("play variant", "finished"),
        ("rank motions", "finished"),
    ]  # fmt: skip
    played = {run for task, _, run in tasks if task == "play variant"}
    assert [(variant, state, placed) for variant, state, placed, *_ in runs] == [
        ("far-fast", "infeasible", None),
        ("high-fast", "complete", True),
        ("standard-fast", "complete", True),
    ]
    assert {
        run for *_, run, _ in runs[1:]
    } == played  # recorded in other processes, tied to their tasks all the same
    assert {run[-1] for run in runs} | {rank[-1] for rank in ranks} | {step[0] for step in steps} == {
        flow_run_id
    }
    assert {step[1] for step in steps} == played
    assert {"variants_infeasible", "motion_passed", "motion_variants_ranked"} <= metrics

    (folder,) = (data_dir / "motions").iterdir()
    assert {path.name for path in folder.iterdir()} == {
        "variants",
        "frames",
        "motions.png",
        "ranking.png",
        "motions.html",
        "ranking.json",
    }
    shown = _artifacts(UUID(prefect_id))
    assert set(shown) == {"motion-ranking", "motion-figure", "motion-page"}
    assert "](data:image/png;base64," in shown["motion-figure"]
    assert "| high-fast |" in shown["motion-ranking"]
    assert "- **far-fast**: waypoint before the cup: the nearest pose" in shown["motion-ranking"]
    assert json.loads((folder / "ranking.json").read_text())["study_id"] == folder.name


def test_where_no_variant_puts_the_cup_down_the_flow_fails_with_its_evidence(
    prefect_api: Server, data_dir: Path, two_variants: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NIGHTPICK_CELL__GRIP_FORCE_N", "0.2")
    with pytest.raises(CheckFailed, match="no variant passed the gates in every repeat"):
        motion_study(repeats=1)
    with connect(data_dir) as con:
        runs = con.execute("SELECT variant, placed FROM motion_run WHERE state <> 'infeasible'").fetchall()
        ended = con.execute("SELECT state FROM flow_run").fetchall()
    assert sorted(runs) == [("high-fast", False), ("standard-fast", False)]
    assert ended == [("failed",)]


def _artifacts(flow_run_id: UUID) -> dict[str, str]:
    with get_client(sync_client=True) as client:
        found = client.read_artifacts(
            artifact_filter=ArtifactFilter(flow_run_id=ArtifactFilterFlowRunId(any_=[flow_run_id]))
        )
    return {str(artifact.key): str(artifact.data) for artifact in found}
