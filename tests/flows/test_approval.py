"""A person's word before anything moves: asked for only where a setting and a worse probe give reason to."""

from __future__ import annotations

import threading
from contextvars import copy_context
from dataclasses import replace
from pathlib import Path

import pytest
from prefect import flow
from prefect.client.orchestration import SyncPrefectClient, get_client
from prefect.client.schemas.objects import FlowRun
from prefect.flow_runs import resume_flow_run

from flows.approval import wait_for_approval
from flows.serving.server import Server
from lib.errors import CheckFailed
from lib.runlog import run_log, tied
from lib.settings import Settings, load
from tests.flows.processes import wait_until

pytestmark = pytest.mark.xdist_group("prefect")
NIGHT = "mecharm270-2026-11-30-1"


def settings(data_dir: Path, wait_s: float = 60.0) -> Settings:
    loaded = load()
    return replace(loaded, batch=replace(loaded.batch, ask_approval=True, approval_wait_s=wait_s))


def merged(data_dir: Path, worse: int, state: str = "published") -> None:
    with tied(night_id=NIGHT):
        run_log(data_dir).append("merge", merge_id=f"m{worse}", state=state, worse=worse, dry_run=False)


@flow(name="asking", persist_result=False)
def asking(settings: Settings) -> None:
    wait_for_approval(settings, NIGHT)


def test_nobody_is_asked_where_nothing_got_worse_or_no_setting_wants_it(
    prefect_api: Server, data_dir: Path
) -> None:
    merged(data_dir, worse=0)
    merged(data_dir, worse=7, state="blocked")
    asking(settings(data_dir))
    merged(data_dir, worse=2)
    asking(load())


@pytest.mark.parametrize("answer", [True, False])
def test_a_worse_probe_waits_for_the_word_and_a_no_is_a_no(
    prefect_api: Server, data_dir: Path, answer: bool
) -> None:
    merged(data_dir, worse=2)
    answering = threading.Thread(target=copy_context().run, args=(_answer, answer))
    answering.start()
    try:
        if answer:
            asking(settings(data_dir))
        else:
            with pytest.raises(CheckFailed, match="2 probes are worse on the new table and a person said no"):
                asking(settings(data_dir))
    finally:
        answering.join()


def test_without_an_answer_nothing_moves(prefect_api: Server, data_dir: Path) -> None:
    merged(data_dir, worse=2)
    with pytest.raises(CheckFailed, match=r"nobody said yes within .*: no run was begun"):
        asking(settings(data_dir, wait_s=2.0))


def _answer(answer: bool) -> None:
    with get_client(sync_client=True) as client:
        wait_until(lambda: bool(_paused(client)), 30, "the flow asks")
        (run,) = _paused(client)
    resume_flow_run(run.id, run_input={"run_the_batch": answer})


def _paused(client: SyncPrefectClient) -> list[FlowRun]:
    return [run for run in client.read_flow_runs() if run.state is not None and run.state.is_paused()]
