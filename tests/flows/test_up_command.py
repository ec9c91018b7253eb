"""`nightpick up`: server, deployments and worker in one process, which one Ctrl-C ends."""

from __future__ import annotations

import signal
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from flows.serving.server import is_healthy
from tests.flows.processes import nightpick, processes_of, wait_until, with_database

pytestmark = pytest.mark.xdist_group("prefect")


def test_up_serves_refuses_a_second_and_ends_whole_on_one_interrupt_with_its_schedules_kept(
    tmp_path: Path, migrated_database: Path
) -> None:
    data_dir = tmp_path / "data"
    with_database(data_dir, migrated_database)
    said = tmp_path / "up.txt"
    up = nightpick("up", data_dir=data_dir, output=said)
    wait_until(lambda: "nightpick is up: " in said.read_text() or up.poll() is not None, 180, "it is up")
    (line,) = [line for line in said.read_text().splitlines() if line.startswith("nightpick is up: ")]
    address = line.split()[3]
    assert is_healthy(f"{address}/api")
    (deployed,) = [line for line in said.read_text().splitlines() if line.startswith("deployed ")]
    flows = [
        "calibrate",
        "home-arm",
        "ingest-scans",
        "merge-table",
        "motion-study",
        "night",
        "pick-place-batch",
        "report",
    ]
    assert sorted(deployed.removeprefix("deployed ").split(", ")) == [f"{name}/{name}" for name in flows]
    assert sum("worker start" in command for command in processes_of(data_dir)) == 2  # and its guardian

    second = nightpick("up", data_dir=data_dir, output=tmp_path / "second.txt")
    assert second.wait(timeout=60) == 4
    assert f"({address})" in (tmp_path / "second.txt").read_text()

    doctor = nightpick("doctor", data_dir=data_dir, output=tmp_path / "doctor.txt")
    assert doctor.wait(timeout=60) == 0
    assert f"{address} answers (run by up)" in (tmp_path / "doctor.txt").read_text()

    up.send_signal(signal.SIGINT)
    assert up.wait(timeout=60) == 0, said.read_text()
    assert processes_of(data_dir) == []
    assert not is_healthy(f"{address}/api")
    with closing(sqlite3.connect(data_dir / "prefect" / "prefect.db")) as prefect:
        schedules = prefect.execute("SELECT slug, active FROM deployment_schedule ORDER BY slug").fetchall()
        paused = prefect.execute("SELECT name FROM deployment WHERE paused").fetchall()
    assert schedules == [("every-hour", 1), ("every-morning", 1), ("every-night", 1)]
    assert paused == []
