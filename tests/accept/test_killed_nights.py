"""Ten-run nights killed at random moments: no run is lost, none done twice, the arm stands still.

    pytest -m slow -s tests/accept/test_killed_nights.py

The flow, the worker, both and the server are killed with -9 in turn, forty times in all. What a kill
interrupts is ``unknown``; the next start settles that, shows it as Crashed in the UI, waits for no slot
longer than its lease, and goes on.
"""

from __future__ import annotations

import os
import random
import sqlite3
import subprocess
import time
from collections import Counter
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from lib.arm import device_of
from lib.arm.lock import holder_of
from lib.runlog import connect
from tests.accept.killed_nights import Night, kill, stands_still_within_s
from tests.flows.processes import wait_until
from tests.small_table import give_small_table

pytestmark = [pytest.mark.slow, pytest.mark.timeout(7200)]

RUNS = 10
KILLS = ["flow", "flow", "server", "worker", "flow", "both", "flow", "server"] * 5
# Fewer for a first look: NP_KILLS=4.
KILLS = KILLS[: int(os.environ.get("NP_KILLS", len(KILLS)))]
LEASE_S = 60.0
REST_S = 1.0


def test_forty_kills_lose_nothing_and_do_nothing_twice(tmp_path: Path) -> None:
    night = Night(tmp_path / "data", tmp_path, time_scale=20.0)
    give_small_table(night.data_dir)
    random_s = random.Random(6)
    told: Counter[str] = Counter()
    with night.emulated_arm() as (cell, _):
        for k, what in enumerate(KILLS):
            before = night.runs()
            name = f"{k:02d}-{what}"
            began_s = time.monotonic()
            process = _begun(night, what, name, {run[1] for run in before})
            back_s = time.monotonic() - began_s
            time.sleep(random_s.uniform(0.0, 12.0))
            _kill(night, what, process)
            if what != "server":
                still_s = stands_still_within_s(cell, REST_S)
                assert still_s is not None, f"{name}: the arm goes on"
                _is_let_go(night)
            _finish(night, what, process)
            after = night.runs()
            _nothing_lost(before, after)
            told[what] += 1
            print(f"{name}: {len(after)} runs, back at work within {back_s:.0f} s")
        last = night.start("night", "--runs", str(RUNS), name="last")
        last.wait(timeout=600)
    _all_done_once(night)
    print(dict(told))


def _begun(night: Night, what: str, name: str, known: set[str]) -> subprocess.Popen[bytes]:
    """Start what is to be killed, and wait until it is in a new run.

    A night by hand that finds one without a run left finishes that, and ends: then the next is begun.
    """
    process = _begin(night, what, name)
    is_new = partial(_is_in_a_new_run, night, known)
    wait_until(lambda: is_new() or process.poll() is not None, 900, f"{name} places", every_s=0.5)
    if process.poll() is None:
        return process
    process = _begin(night, what, f"{name}-anew")
    wait_until(is_new, 900, f"{name} places", every_s=0.5)
    return process


def _begin(night: Night, what: str, name: str) -> subprocess.Popen[bytes]:
    if what in ("flow", "server"):
        return night.start("night", "--runs", str(RUNS), name=name)
    up = night.start("up", name=name)
    wait_until(lambda: "nightpick is up" in night.said(name) or up.poll() is not None, 180, f"{name} is up")
    asked = ["-m", "prefect", "deployment", "run", "night/night", "--param", f"runs={RUNS}"]
    night.prefect(*asked)
    return up


def _is_in_a_new_run(night: Night, known: set[str]) -> bool:
    return any(state == "unfinished" and stem not in known for _, stem, state, _ in night.runs())


def _kill(night: Night, what: str, process: subprocess.Popen[bytes]) -> None:
    worker, flow = night.processes("worker", "start"), night.processes("prefect", "engine")
    if what == "flow":
        kill(process.pid)
    elif what == "server":
        kill(*night.processes("server", "start"))
    elif what == "worker":
        kill(*worker)
    else:
        kill(*worker, *flow)


def _is_let_go(night: Night) -> None:
    device = device_of(night.settings())
    assert device is not None
    wait_until(lambda: holder_of(device) is None, 10, "the arm's lock is free")


def _finish(night: Night, what: str, process: subprocess.Popen[bytes]) -> None:
    """End what a kill left over, as a person would who starts again."""
    if what == "server":
        placed = len([run for run in night.runs() if run[2] == "finished"])
        wait_until(
            lambda: (
                len([run for run in night.runs() if run[2] == "finished"]) > placed
                or process.poll() is not None
            ),
            120,
            "a night without its server goes on placing",
            every_s=0.5,
        )
        kill(process.pid)
    process.wait(timeout=60)
    wait_until(lambda: night.processes("prefect") == [], 60, "all processes of the night are gone")


def _nothing_lost(
    before: list[tuple[int, str, str, str | None]], after: list[tuple[int, str, str, str | None]]
) -> None:
    ended = {run[1]: run for run in before if run[2] != "unfinished"}
    now = {run[1]: run for run in after}
    assert all(now[stem] == run for stem, run in ended.items())


def _all_done_once(night: Night) -> None:
    with connect(night.data_dir) as con:
        nights = con.execute(
            "SELECT night_id, count(*), count(DISTINCT run_number), max(run_number), "
            "count(*) FILTER (WHERE run.state = 'unfinished'), count(*) FILTER (WHERE run.state = 'unknown') "
            "FROM run GROUP BY night_id ORDER BY night_id"
        ).fetchall()
        twice = con.execute("SELECT run_stem FROM place GROUP BY run_stem HAVING count(*) > 1").fetchall()
    print(nights)
    assert twice == []
    for _, runs, numbers, last, unfinished, _ in nights:
        assert (runs, numbers, last, unfinished) == (RUNS, RUNS, RUNS, 0)
    with closing(sqlite3.connect(night.data_dir / "prefect" / "prefect.db")) as prefect:
        shown = dict(prefect.execute("SELECT state_name, count(*) FROM flow_run GROUP BY 1").fetchall())
    print(shown)
    assert shown["Crashed"] >= sum(what != "worker" for what in KILLS) / 2
    assert not {"Running", "Pending", "Cancelling"} & set(shown)
