"""A name, whatever is in it, is shown as a name: on the terminal, in the UI, in logs and on the page."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from prefect.client.orchestration import get_client
from prefect.client.schemas.filters import (
    ArtifactFilter,
    ArtifactFilterFlowRunId,
    FlowRunFilter,
    FlowRunFilterId,
)
from prefect.client.schemas.objects import State

from flows.night import night
from flows.serving.server import Server
from flows.stage_lines import stage_lines
from lib.cell import write_simulated_scan
from lib.robot import load_robot
from lib.runlog import connect
from lib.scan import inbox_folder

pytestmark = pytest.mark.xdist_group("prefect")

# A colour, a line of its own, a table row, a heading, HTML, Markdown, rich's markup, a formula, a turn
# of the writing and a byte that is no UTF-8.
ODD = "\x1b[31m\n# <img src=x> *y* `z` [bold]_q_ $a^b$ | c :smile: \u202e\udcff"
SHOWN = r"\x1b[31m\n# <img src=x> *y* `z` [bold]_q_ $a^b$ | c :smile: \u202e\udcff"


def test_an_odd_name_is_visible_everywhere_and_obeyed_nowhere(
    prefect_api: Server, data_dir: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    inbox = inbox_folder(data_dir)
    inbox.mkdir(parents=True)
    request = data_dir / "bases.csv"
    request.write_text("36.215,57,20,-12,-86,-30\n")
    write_simulated_scan(load_robot("mecharm270"), request, inbox / "plain.csv", seed=1)
    (inbox / "plain.csv").rename(inbox / f"good {ODD}.csv")
    (inbox / "plain.request.csv").unlink()
    (inbox / f"cut {ODD}.csv").write_text("ee_x,ee_y,ee_z,j0,j1,j2,j3,j4,j5\n0.1,0.2,0.3,1,2,3,4,5,6\n0.1,0.")

    capfd.readouterr()
    with stage_lines():
        state = night(return_state=True)
    assert isinstance(state, State)
    assert state.message is not None
    assert state.message.isprintable() and f"cut {SHOWN}.csv" in state.message
    lines = capfd.readouterr().err.splitlines()
    assert all(line.isprintable() for line in lines)
    assert any(f"good {SHOWN}.csv: 16,807 rows" in line for line in lines)
    assert any(f"cut {SHOWN}.csv refused: " in line for line in lines)

    flow_run = state.state_details.flow_run_id
    assert flow_run is not None
    with get_client(sync_client=True) as client:
        tasks = client.read_task_runs(flow_run_filter=FlowRunFilter(id=FlowRunFilterId(any_=[flow_run])))
        only = ArtifactFilter(flow_run_id=ArtifactFilterFlowRunId(any_=[flow_run]))
        artifacts = client.read_artifacts(artifact_filter=only, limit=200)
    names = {task.name for task in tasks}
    assert {f"ingest good {SHOWN}.csv", f"ingest cut {SHOWN}.csv", f"merge good {SHOWN}.csv"} <= names
    named = [
        artifact for artifact in artifacts if "good" in str(artifact.data) or "cut" in str(artifact.data)
    ]
    assert {artifact.key for artifact in named} >= {"scan-report", "merge-report", "night-report"}
    for artifact in named:
        for text in (str(artifact.data), artifact.description or ""):
            assert all(line.isprintable() for line in text.splitlines())
            if SHOWN[:6] in text:
                assert SHOWN in Text(MarkdownIt("commonmark").enable("table").render(text)).read

    with connect(data_dir) as con:
        ((page,),) = con.execute("SELECT report_path FROM night").fetchall()
    html = (data_dir / page).read_text(encoding="utf-8")
    assert all(line.isprintable() for line in html.splitlines())
    assert "<img" not in html
    assert f"cut {SHOWN}.csv" in Text(html).read and f"good {SHOWN}.csv" in Text(html).read
    (log,) = (data_dir / "prefect" / "logs").glob("*.log")
    assert all(re.match(r"\d{4}-\d\d-\d\d ", line) for line in log.read_text().splitlines())
    assert all(line.isprintable() for line in log.read_text().splitlines())


class Text(HTMLParser):
    """What a person reads of HTML."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.read = ""
        self.feed(html)

    def handle_data(self, data: str) -> None:
        self.read += data
