"""The flow report: the last night's page and its gist under a stable key; nothing to tell is no failure."""

from __future__ import annotations

from pathlib import Path

import pytest
from prefect.client.orchestration import get_client
from prefect.client.schemas.filters import ArtifactFilter, ArtifactFilterFlowRunId
from prefect.client.schemas.objects import State

from flows.report import report
from flows.serving.server import Server
from lib.runlog import connect
from tests.lib.runlog.batch_sample import night_id, write_batch

pytestmark = pytest.mark.xdist_group("prefect")


def test_the_last_night_is_written_as_a_page_and_told_in_the_ui(prefect_api: Server, data_dir: Path) -> None:
    empty = report(return_state=True)
    assert isinstance(empty, State)
    assert (empty.name, empty.message) == ("Completed", "no night has run yet")
    write_batch(data_dir, range(2), 4)
    state = report(return_state=True)
    assert isinstance(state, State)
    assert state.message == f"the page of {night_id(1)}"
    page = data_dir / "reports" / f"{night_id(1)}.html"
    assert "<h2>The batch</h2>" in page.read_text()
    assert state.state_details.flow_run_id is not None
    with get_client(sync_client=True) as client:
        of_run = ArtifactFilterFlowRunId(any_=[state.state_details.flow_run_id])
        (gist,) = client.read_artifacts(artifact_filter=ArtifactFilter(flow_run_id=of_run))
    assert (gist.key, gist.type) == ("night-report", "markdown")
    assert "### The batch" in str(gist.data) and str(page) in str(gist.data)
    with connect(data_dir) as con:
        ran = con.execute("SELECT task, state FROM task_run WHERE task = 'write report'").fetchall()
    assert ran == [("write report", "finished")]
