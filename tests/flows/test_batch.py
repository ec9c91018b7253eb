"""The batch as a flow: real server, real library, emulated arm, physics; what it did is not done twice."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from prefect.client.orchestration import get_client
from prefect.client.schemas.objects import State

from flows.pick_place_batch import pick_place_batch
from flows.serving.server import Server
from lib.runlog import Night, connect, record_night, run_log, run_stem, tied
from tests.small_table import give_small_table

pytestmark = pytest.mark.xdist_group("prefect")


@pytest.fixture
def fast_cell(data_dir: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    give_small_table(data_dir)
    monkeypatch.setenv("NIGHTPICK_CELL__TIME_SCALE", "50")
    return data_dir


def test_a_night_that_was_killed_in_its_second_run_of_three_goes_on_with_the_third(
    prefect_api: Server, fast_cell: Path
) -> None:
    now = datetime.now(UTC)
    night = Night("mecharm270", now.astimezone().date(), 1, now, runs=3, kind="batch")
    with tied(night_id=night.night_id):
        record_night(fast_cell, night, "unfinished")
        for number, was in ((1, "finished"), (2, "unfinished")):
            stem = run_stem(number, now)
            run_log(fast_cell).append("run", run_stem=stem, run_number=number, arm=night.arm, state=was)

    state = pick_place_batch(runs=7, return_state=True)
    assert isinstance(state, State)
    assert state.name == "Completed", state.message
    with connect(fast_cell) as con:
        runs = con.execute(
            "SELECT run_number, state, night_id, homing_id IS NOT NULL FROM run ORDER BY run_number"
        ).fetchall()
        placed = con.execute("SELECT place, in_box_dist_mm, fk_row, table_version FROM place").fetchall()
        states = con.execute("SELECT state FROM run_state ORDER BY seq").fetchall()
        ((ended, asked, kind),) = con.execute("SELECT state, runs, kind FROM night").fetchall()
        looked = con.execute("SELECT count(*) FROM lookup_observation WHERE tag = 'stage8'").fetchone()
        warm = con.execute("SELECT min(warmest_c), count(*) FROM arm_health").fetchone()
    assert (ended, asked, kind) == ("finished", 3, "batch")
    assert runs == [
        (1, "finished", night.night_id, False),
        (2, "unknown", night.night_id, False),
        (3, "finished", night.night_id, True),
    ]
    ((place, distance_mm, fk_row, version),) = placed
    assert (place, version) == ("yes", 1)
    assert 0.0 < distance_mm < 15.0
    assert fk_row > 0
    assert states[-1] == ("COMPLETE",)
    assert looked == (1,)
    assert warm is not None
    assert warm[0] > 15.0
    with get_client(sync_client=True) as client:
        (bar,) = [a for a in client.read_artifacts() if a.key == "batch-progress"]
    assert bar.data == 100.0
    assert "run 3 of 3; 1 of 3 runs done, 1 placed" in (bar.description or "")


def test_without_a_sure_homing_no_run_is_begun_and_the_night_says_which_joints(
    prefect_api: Server, fast_cell: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NIGHTPICK_HOMING__BOARD_LIMIT_PX", "0.01")  # no camera is that good: none is believed
    state = pick_place_batch(runs=2, return_state=True)
    assert isinstance(state, State)
    assert state.name == "Attention"
    with connect(fast_cell) as con:
        ((ended, runs),) = con.execute("SELECT state, (SELECT count(*) FROM run) FROM night").fetchall()
        homed = con.execute("SELECT state FROM homing").fetchall()
    assert (ended, runs) == ("attention", 0)
    assert homed in ([("failed",)], [("unsure",)])
    assert state.message


def test_a_stop_condition_ends_the_batch_before_the_run_and_the_night_says_so(
    prefect_api: Server, fast_cell: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NIGHTPICK_BATCH__LEAST_FREE_GB", "1000000")
    state = pick_place_batch(runs=2, return_state=True)
    assert isinstance(state, State)
    assert state.name == "Attention"
    assert "the batch ended before run 1 of 2: disk: " in (state.message or "")
    with connect(fast_cell) as con:
        ((ended, end),) = con.execute("SELECT state, batch_end FROM night").fetchall()
        runs = con.execute("SELECT count(*) FROM run").fetchone()
    assert ended == "attention"
    assert end.startswith("disk: ")
    assert runs == (0,)


def test_a_rehearsal_that_fails_begins_no_run_and_says_why(
    prefect_api: Server, fast_cell: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NIGHTPICK_BATCH__REHEARSE", "true")
    monkeypatch.setenv("NIGHTPICK_CELL__BOX_CENTRE_M", "[-0.180, 0.300]")
    state = pick_place_batch(runs=2, return_state=True)
    assert isinstance(state, State)
    assert state.name == "Attention"
    said = "the rehearsal in the simulated cell failed, so no run was begun: "
    assert said in (state.message or "")
    with connect(fast_cell) as con:
        tasks = con.execute("SELECT task, state FROM task_run ORDER BY started_utc").fetchall()
        ((ended, runs, homings),) = con.execute(
            "SELECT state, (SELECT count(*) FROM run), (SELECT count(*) FROM homing) FROM night"
        ).fetchall()
    assert ("rehearse run", "failed") in tasks
    assert "film arm" not in [task for task, _ in tasks]
    assert (ended, runs, homings) == ("attention", 0, 0)


def test_a_batch_that_placed_nothing_asks_for_attention(
    prefect_api: Server, fast_cell: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NIGHTPICK_CELL__BOX_CENTRE_M", "[-0.180, 0.300]")
    state = pick_place_batch(runs=1, return_state=True)
    assert isinstance(state, State)
    assert state.name == "Attention"
    assert "no block came to lie in the box in 1 run; the last: the nearest pose to" in (state.message or "")
    with connect(fast_cell) as con:
        rows = con.execute("SELECT night.state, run.state FROM night JOIN run USING (night_id)").fetchall()
    assert rows == [("attention", "refused")]
