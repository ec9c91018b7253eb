"""A week of the night shift by schedule: `up`, an arm of its own, and everything that can happen to it.

    pytest -m slow -s tests/accept/test_week.py

Seven scheduled nights of three runs, back to back, each with the time 22:00 of its own day. A good scan
comes in before the second, a bad one before the third; a camera is bumped before the fourth, the line to the
arm goes bad in the fifth, the flow of the sixth is killed, the server of the seventh loses its power.
"""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import datetime, timedelta
from pathlib import Path

import numpy as np
import pytest

from lib.cell import write_simulated_scan
from lib.robot import load_robot
from lib.runlog import connect
from lib.scan import inbox_folder
from tests.accept.killed_nights import Night, kill
from tests.flows.processes import wait_until
from tests.lib.arm.conftest import ask
from tests.small_table import give_small_table

pytestmark = [pytest.mark.slow, pytest.mark.timeout(7200)]

RUNS = 3
# The week is a past one, so that nobody waits for it: its nights are all late.
SETTINGS = {"NIGHTPICK_BATCH__RUNS": str(RUNS), "NIGHTPICK_BATCH__WINDOW_H": "240"}
SCHEDULE = """
import sys
from datetime import datetime
from prefect.client.orchestration import get_client
from prefect.states import Scheduled
with get_client(sync_client=True) as client:
    night = client.read_deployment_by_name("night/night")
    at = datetime.fromisoformat(sys.argv[1])
    run = client.create_flow_run_from_deployment(
        night.id, state=Scheduled(scheduled_time=at), parameters={"window_h": 9000.0}
    )
    print(run.id)
"""


def test_a_week_with_everything_in_it(tmp_path: Path) -> None:
    week = Night(tmp_path / "data", tmp_path, time_scale=20.0, more=SETTINGS)
    give_small_table(week.data_dir)
    first = (datetime.now().astimezone() - timedelta(days=7)).replace(
        hour=22, minute=0, second=0, microsecond=0
    )
    dates = [first + timedelta(days=day) for day in range(7)]
    with week.emulated_arm() as (cell, socket):
        up = _up(week, "up1")
        _night(week, dates[0])
        _scan(week, "good", "33,60,15,-12,-86,-30\n30,62,10,-5,-84,-30\n")
        _night(week, dates[1])
        _scan(week, "moved", "38,58,12,-12,-86,-30\n", shifted_m=0.003)
        _night(week, dates[2])
        cell.bump_camera("left", (0.015, 0.0, 0.0), (0.0, 0.0, 0.0))
        _night(week, dates[3])
        _schedule(week, dates[4])
        _placing(week, dates[4])
        ask(socket, "faults", set={"reply_share": 0.6})
        wait_until(lambda: _ended(week, dates[4]), 600, "a night with a bad line ends", every_s=1.0)
        ask(socket, "faults", set={"reply_share": 0.0})
        _schedule(week, dates[5])
        _placing(week, dates[5])
        kill(*week.processes("prefect", "engine"))
        _schedule(week, dates[6])  # first it finishes the one that was killed
        _placing(week, dates[6])
        kill(*week.processes("server", "start"))
        up.wait(timeout=120)
        by_hand = week.start("night", name="by-hand")  # finishes what the power cut left
        assert by_hand.wait(timeout=600) in (0, 1), week.said("by-hand")
    _tell(week)
    _holds(week, dates)


def _up(week: Night, name: str) -> subprocess.Popen[bytes]:
    up = week.start("up", name=name)
    wait_until(lambda: "nightpick is up" in week.said(name) or up.poll() is not None, 180, f"{name} is up")
    assert up.poll() is None, week.said(name)
    return up


def _schedule(week: Night, at: datetime) -> None:
    where = json.loads((week.data_dir / "prefect" / "server.json").read_text())
    environment = {**week.environment(), "PREFECT_API_URL": where["api_url"]}
    subprocess.run(
        [sys.executable, "-c", SCHEDULE, at.isoformat()], env=environment, check=True, capture_output=True
    )


def _ended(week: Night, at: datetime) -> bool:
    with connect(week.data_dir) as con:
        row = con.execute(
            "SELECT count(*) FROM night WHERE local_date = ? AND sequence = 0 AND state <> 'unfinished'",
            [at.date()],
        ).fetchone()
    return row == (1,)


def _night(week: Night, at: datetime) -> None:
    _schedule(week, at)
    wait_until(lambda: _ended(week, at), 600, f"the night of {at:%Y-%m-%d} ends", every_s=1.0)
    print(f"{at:%Y-%m-%d} ended")


def _scan(week: Night, name: str, bases: str, shifted_m: float = 0.0) -> None:
    """Drop a scan of these base poses into the inbox, its tips shifted along x by so much [m]."""
    folder = inbox_folder(week.data_dir)
    folder.mkdir(parents=True, exist_ok=True)
    request, scan = week.output / f"{name}.bases.csv", week.output / f"{name}.csv"
    request.write_text(bases)
    write_simulated_scan(load_robot("mecharm270"), request, scan, seed=1)
    if shifted_m:
        points = np.loadtxt(scan, delimiter=",", skiprows=1)
        points[:, 0] += shifted_m
        header = scan.read_text().splitlines()[0]
        np.savetxt(scan, points, fmt="%.9g", delimiter=",", header=header, comments="")
    scan.rename(folder / scan.name)


def _placing(week: Night, at: datetime) -> None:
    """Wait until the night of a date is in the middle of a run."""

    def begun() -> bool:
        with connect(week.data_dir) as con:
            row = con.execute(
                "SELECT count(*) FROM run JOIN night USING (night_id) "
                "WHERE run.state = 'unfinished' AND local_date = ? AND sequence = 0",
                [at.date()],
            ).fetchone()
        return row == (1,)

    wait_until(begun, 600, f"the night of {at:%Y-%m-%d} is in a run", every_s=1.0)


def _tell(week: Night) -> None:
    """Print the week as people ask for it."""
    for question in ("nights", "night-changes", "success-by-cell", "distances", "memory-drift", "refusals"):
        told = week.start("ask", question, name=f"ask-{question}")
        assert told.wait(timeout=60) == 0
        print(f"== ask {question}\n{week.said(f'ask-{question}')}")


def _holds(week: Night, dates: list[datetime]) -> None:
    with connect(week.data_dir) as con:
        nights = con.execute(
            "SELECT local_date, state, batch_end FROM night WHERE sequence = 0 ORDER BY local_date"
        ).fetchall()
        runs = con.execute(
            "SELECT local_date, list(run_number ORDER BY run_number), list(run.state ORDER BY run_number) "
            "FROM run JOIN night USING (night_id) WHERE sequence = 0 GROUP BY local_date ORDER BY local_date"
        ).fetchall()
        merges = con.execute("SELECT scan_file, state FROM merge ORDER BY seq").fetchall()
        reopened = con.execute("SELECT count(*) FROM memory_cell WHERE reason LIKE 'reopened%'").fetchone()
    print(nights, runs, merges, reopened)
    assert [date for date, _, _ in nights] == [at.date() for at in dates]
    assert {state for _, state, _ in nights} <= {"finished", "attention"}
    assert ("good.csv", "published") in merges
    assert ("moved.csv", "blocked") in merges
    by_date = {date: (numbers, states) for date, numbers, states in runs}
    for day in (0, 1, 2, 3, 5, 6):
        assert by_date[dates[day].date()][0] == list(range(1, RUNS + 1)), day  # none lost, none twice
    assert by_date[dates[5].date()][1].count("unknown") == 1
