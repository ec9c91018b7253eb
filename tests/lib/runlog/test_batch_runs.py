"""Which runs of a night there are: none is done twice, one that was cut off is unknown and stays so."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from lib.runlog import RunLog, connect, run_log, run_stem, runs_left, runs_of_night, settle_interrupted, tied

NIGHT = "mecharm270-2026-11-30-1"


def begin(log: RunLog, number: int, arm: str = "mecharm270", night_id: str = NIGHT) -> str:
    stem = run_stem(number, datetime(2026, 11, 30, 22, number, tzinfo=UTC))
    started = datetime.now(UTC)
    log.append(
        "run",
        run_stem=stem,
        run_number=number,
        arm=arm,
        state="unfinished",
        night_id=night_id,
        started_utc=started,
    )
    return stem


def test_the_name_of_a_run_is_its_number_and_when_it_began_by_the_clock_on_the_wall() -> None:
    local = datetime(2026, 11, 30, 22, 15, 7).astimezone()
    assert run_stem(3, local) == "run_0003_20261130_221507"
    assert run_stem(3, local.astimezone(UTC)) == "run_0003_20261130_221507"


def test_a_night_of_five_that_was_cut_off_in_its_third_run_has_two_left(tmp_path: Path) -> None:
    log = run_log(tmp_path)
    for number in (1, 2):
        log.append("run", run_stem=begin(log, number), state="finished")
    with tied(flow_run_id="the flow that died", task_run_id="its task"):
        third = begin(log, 3)
    begin(log, 4, arm="another", night_id="another-2026-11-30-1")
    with tied(flow_run_id="the flow that goes on"):
        assert settle_interrupted(tmp_path, "mecharm270") == [third]
        assert settle_interrupted(tmp_path, "mecharm270") == []
    begun = runs_of_night(tmp_path, NIGHT)
    assert [(run.number, run.state) for run in begun] == [(1, "finished"), (2, "finished"), (3, "unknown")]
    assert runs_left(begun, 5) == [4, 5]
    assert runs_left(begun, 3) == []
    with connect(tmp_path) as con:
        row = con.execute(
            "SELECT night_id, flow_run_id, task_run_id, reason FROM run WHERE run_stem = ?", [third]
        ).fetchone()
        other = con.execute("SELECT state FROM run WHERE arm = 'another'").fetchone()
    assert row == (NIGHT, "the flow that died", "its task", "its process ended in the middle of it")
    assert other == ("unfinished",)
