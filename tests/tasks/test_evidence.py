"""Evidence: what a task leaves in the run log, in Prefect and in files, also when it or the server fails."""

from __future__ import annotations

import ast
import base64
import importlib
import json
import pkgutil
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from prefect import Task, flow
from prefect.client.orchestration import get_client
from prefect.client.schemas.filters import ArtifactFilter, ArtifactFilterTaskRunId
from prefect.settings import PREFECT_API_URL, temporary_settings

import tasks
from flows.serving.server import Server, any_free_port
from lib.errors import BadInput
from lib.runlog import connect
from lib.settings import Settings
from tasks import evidence
from tasks.artifacts import Figure, Image, Link, Markdown, Progress, Rows
from tasks.evidence import Evidence, SaidNo, evidence_task
from tasks.publishing import Publisher

pytestmark = pytest.mark.xdist_group("prefect")

PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010806000000"
    "1f15c4890000000d49444154789c63f8cfc0f01f0005000201a5f645450000000049454e44ae426082"
)


@evidence_task("weigh block", run_name="weigh {block}")
def weigh(settings: Settings, block: str) -> Evidence[float]:
    return Evidence(
        0.031,
        headline=f"{block} weighs 31 g",
        metrics={"mass": (0.031, "kg"), "tries": (2, "tries")},
        artifacts=(Markdown("weigh-report", "## 31 g"),),
    )


@evidence_task("check block")
def check(settings: Settings) -> Evidence[None]:
    return Evidence(
        None, headline="checked", metrics={"excess": (0.5, "kg")}, refusal="the block is too heavy"
    )


@evidence_task("drop block")
def drop(settings: Settings) -> Evidence[None]:
    raise BadInput("no block in the gripper\nsecond line")


def test_the_flow_gets_the_value_and_the_run_log_the_time_the_figures_and_both_ids(
    prefect_api: Server, data_dir: Path
) -> None:
    flow_run_id, value = _in_flow(lambda: weigh(Settings(data_dir=data_dir), "red"))
    assert value == 0.031
    (run,) = _asked(data_dir, "SELECT * FROM task_run")
    assert (run["task"], run["state"], run["error"]) == ("weigh block", "finished", None)
    assert 0 <= run["duration_s"] < 1
    assert run["prefect_flow_run_id"] == flow_run_id
    figures = _asked(data_dir, "SELECT name, value, unit, task, task_run_id FROM observation ORDER BY name")
    assert [(f["name"], f["value"], f["unit"]) for f in figures] == [
        ("mass", 0.031, "kg"),
        ("tries", 2, "tries"),
    ]
    assert {(f["task"], f["task_run_id"]) for f in figures} == {("weigh block", run["task_run_id"])}
    (artifact,) = _artifacts(run["prefect_task_run_id"])
    assert (artifact.key, artifact.type, artifact.data) == ("weigh-report", "markdown", "## 31 g")
    assert str(artifact.flow_run_id) == flow_run_id


def test_a_refusal_fails_the_task_and_keeps_its_evidence(prefect_api: Server, data_dir: Path) -> None:
    with pytest.raises(SaidNo, match="the block is too heavy") as caught:
        _in_flow(lambda: check(Settings(data_dir=data_dir)))
    assert caught.value.exit_code == 1
    (run,) = _asked(data_dir, "SELECT state, error FROM task_run")
    assert (run["state"], run["error"]) == ("failed", "the block is too heavy")
    assert _asked(data_dir, "SELECT value FROM observation") == [{"value": 0.5}]


def test_an_error_is_recorded_in_one_line_and_raised_as_it_was(prefect_api: Server, data_dir: Path) -> None:
    with pytest.raises(BadInput, match="no block in the gripper"):
        _in_flow(lambda: drop(Settings(data_dir=data_dir)))
    (run,) = _asked(data_dir, "SELECT state, error, duration_s FROM task_run")
    assert (run["state"], run["error"]) == ("failed", "BadInput: no block in the gripper")
    assert run["duration_s"] is not None


def test_all_five_kinds_of_artifact_arrive_as_prefect_reads_them(
    prefect_api: Server, data_dir: Path, tmp_path: Path
) -> None:
    (tmp_path / "dot.png").write_bytes(PNG)
    artifacts = (
        Markdown("a-text", "# Text"),
        Rows("a-table", [{"cell": 1, "distance_m": float("nan")}]),
        Progress("a-progress", 130.0),
        Link("a-link", "http://127.0.0.1/page", "the page"),
        Image("an-image", tmp_path / "dot.png", "a red *dot*"),
    )
    found = {a.key: (a.type, a.data) for a in _shown(data_dir, artifacts)}
    assert found["a-text"] == ("markdown", "# Text")
    assert found["a-table"][0] == "table"
    assert json.loads(found["a-table"][1]) == [{"cell": 1, "distance_m": None}]
    assert found["a-progress"] == ("progress", 100.0)
    assert found["a-link"] == ("markdown", "[the page](http://127.0.0.1/page)")
    # The UI's own kind for images would print the whole address below the picture.
    assert found["an-image"][0] == "markdown"
    assert found["an-image"][1].startswith("![a red \\*dot\\*](data:image/png;base64,iVBORw0KGgo")


def test_a_figure_below_a_text_is_in_it_or_named_where_it_is_too_large(
    prefect_api: Server, data_dir: Path, tmp_path: Path
) -> None:
    (tmp_path / "dot.png").write_bytes(PNG)
    (tmp_path / "large.png").write_bytes(PNG + bytes(200 * 1024))
    artifacts = tuple(
        Markdown(name, "## Text\n", figure=Figure(tmp_path / f"{name}.png", "a dot"))
        for name in ("dot", "large")
    )
    found = {a.key: a.data for a in _shown(data_dir, artifacts)}
    picture = base64.b64encode(PNG).decode()
    assert found["dot"] == f"## Text\n\n![a dot](data:image/png;base64,{picture})\n"
    assert found["large"] == f"## Text\n\na dot: `{tmp_path / 'large.png'}`\n"


def test_what_exceeds_256_kib_is_shortened_and_names_the_whole_file(
    prefect_api: Server, data_dir: Path
) -> None:
    text = "".join(f"- probe {n}: 7.9 mm ✓\n" for n in range(20_000))
    rows = [{"probe": n, "distance_mm": 7.9, "filter": "ee_y_target"} for n in range(10_000)]
    shown = {a.key: a for a in _shown(data_dir, (Markdown("long-text", text), Rows("long-table", rows)))}
    files = {f.suffix: f for f in (data_dir / "reports" / "artifacts").iterdir()}

    long_text = shown["long-text"].data
    assert len(long_text.encode()) <= 256 * 1024
    body, note = long_text.split("\n\n*Shortened")
    assert text.startswith(body + "\n")  # cut between lines
    assert str(files[".md"]) in note
    assert files[".md"].read_text() == text

    assert len(shown["long-table"].data.encode()) <= 256 * 1024
    kept = json.loads(shown["long-table"].data)
    assert kept == rows[: len(kept)]
    assert f"The first {len(kept):,} of 10,000 rows" in shown["long-table"].description
    assert json.loads(files[".json"].read_text()) == rows


def test_when_the_server_does_not_take_an_artifact_the_work_still_counts_and_it_is_said_once(
    prefect_api: Server, data_dir: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evidence, "PUBLISHER", Publisher())

    @evidence_task("three weighings")
    def three(settings: Settings) -> Evidence[list[float]]:
        nobody = f"http://127.0.0.1:{any_free_port()}/api"
        with temporary_settings({PREFECT_API_URL: nobody}):
            return Evidence([weigh.fn(settings, "red") for _ in range(3)], headline="three weighed")

    _, values = _in_flow(lambda: three(Settings(data_dir=data_dir)))
    assert values == [0.031] * 3
    warnings = [r for r in caplog.records if "Prefect does not take the artifact" in r.getMessage()]
    assert len(warnings) == 1
    lost = _asked(data_dir, "SELECT sum(value) AS lost FROM observation WHERE name = 'artifacts_not_shown'")
    assert lost == [{"lost": 3}]
    assert {r["state"] for r in _asked(data_dir, "SELECT state FROM task_run")} == {"finished"}


def test_every_task_is_made_by_evidence_task() -> None:
    found = 0
    for module in pkgutil.walk_packages(tasks.__path__, "tasks."):
        for name, member in vars(importlib.import_module(module.name)).items():
            if isinstance(member, Task):
                found += 1
                maker = member.fn.__code__.co_qualname
                assert maker == "evidence_task.<locals>.decorate.<locals>.recorded", (
                    f"{module.name}.{name} is not made by evidence_task"
                )
    assert found >= 5


def test_no_flow_makes_a_task_of_its_own() -> None:
    for file in (Path(tasks.__path__[0]).parent / "flows").rglob("*.py"):
        imported = [
            alias.name
            for node in ast.walk(ast.parse(file.read_text()))
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("prefect")
            for alias in node.names
        ]
        assert "task" not in imported, f"{file} makes Prefect tasks; tasks/ is where they live"


def test_a_task_without_settings_first_is_refused_when_it_is_defined() -> None:
    with pytest.raises(TypeError, match="must take settings as its first argument"):

        @evidence_task("lost")  # type: ignore[arg-type]
        def lost(block: str) -> Evidence[None]:
            return Evidence(None, headline="")


def _in_flow(body: Callable[[], Any]) -> tuple[str, Any]:
    from prefect.runtime import flow_run

    @flow(name="test-flow")
    def wrapper() -> tuple[str, Any]:
        return str(flow_run.get_id()), body()

    return wrapper()


def _shown(data_dir: Path, artifacts: tuple[Any, ...]) -> list[Any]:
    @evidence_task("show")
    def show(settings: Settings) -> Evidence[None]:
        return Evidence(None, headline="shown", artifacts=artifacts)

    _in_flow(lambda: show(Settings(data_dir=data_dir)))
    (run,) = _asked(data_dir, "SELECT prefect_task_run_id AS id FROM task_run")
    return _artifacts(run["id"])


def _artifacts(task_run_id: str) -> list[Any]:
    with get_client(sync_client=True) as client:
        return client.read_artifacts(
            artifact_filter=ArtifactFilter(task_run_id=ArtifactFilterTaskRunId(any_=[UUID(task_run_id)]))
        )


def _asked(data_dir: Path, question: str) -> list[dict[str, Any]]:
    with connect(data_dir) as con:
        answer = con.execute(question)
        names = [column[0] for column in answer.description or []]
        return [dict(zip(names, row, strict=True)) for row in answer.fetchall()]
