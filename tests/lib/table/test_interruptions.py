"""Killed or crowded, a merge leaves a whole table, and the same command completes the job."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from lib.errors import Busy, Damaged
from lib.runlog import fk_file
from lib.settings import Settings
from lib.table import history, merge_scan, pending_scans, rollback, verify
from lib.table.staged import merge_lock
from tests.lib.table.conftest import Ingest, measured, merged, poses

NIGHTPICK = [sys.executable, "-m", "flows.cli"]
MERGE = ("table", "merge")
# Random rows make some probe select a worse row nearly always; that is not what is tested here.
ANY_ROW_WILL_DO = {
    "NIGHTPICK_MERGE__PLACE_WORSE_LIMIT_M": "1",
    "NIGHTPICK_MERGE__PICK_WORSE_LIMIT_M": "1",
    "NIGHTPICK_LOOKUP__PLACE__GUARD_M": "1",
    "NIGHTPICK_LOOKUP__PICK__GUARD_M": "1",
}
ROOT = Path(__file__).parents[3]


def command(settings: Settings, *arguments: str) -> subprocess.Popen[str]:
    environment = {**os.environ, **ANY_ROW_WILL_DO, "NIGHTPICK_DATA_DIR": str(settings.data_dir)}
    return subprocess.Popen(
        [*NIGHTPICK, *arguments],
        cwd=ROOT,
        env=environment,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


@pytest.mark.parametrize("kills", [6, pytest.param(20, marks=pytest.mark.slow)])
def test_a_merge_killed_at_any_moment_leaves_a_whole_table(
    settings: Settings, ingest: Ingest, kills: int
) -> None:
    merged(settings, ingest(settings, "base.csv", measured(poses(5_000))))
    ingest(settings, "more.csv", measured(poses(5_000, seed=1)))
    started = time.monotonic()
    dry = command(settings, *MERGE, "--dry-run")
    assert dry.wait() == 0
    whole_s = time.monotonic() - started
    chance = random.Random(0)
    for _ in range(kills):
        process = command(settings, *MERGE)
        time.sleep(chance.uniform(0.2, 1.05) * whole_s)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        assert verify(settings.data_dir).ok
        if not pending_scans(settings):
            break
    process = command(settings, *MERGE)
    assert process.communicate() and process.returncode == 0
    versions, current = history(settings.data_dir)
    assert [v.rows for v in versions] == [5_000, 10_000] and current == 2
    assert verify(settings.data_dir).ok


def test_two_merges_at_once_both_end_in_the_table(settings: Settings, ingest: Ingest) -> None:
    for seed, name in enumerate(("a.csv", "b.csv", "c.csv")):
        ingest(settings, name, measured(poses(2_000, seed)))
    both = [command(settings, *MERGE) for _ in range(2)]
    ends = [process.communicate()[1] for process in both]
    assert [process.returncode for process in both] == [0, 0], ends
    versions, _ = history(settings.data_dir)
    assert [v.rows for v in versions] == [2_000, 4_000, 6_000] and verify(settings.data_dir).ok


def test_a_table_that_stays_locked_is_busy_by_name(settings: Settings, ingest: Ingest) -> None:
    settings = replace(settings, merge=replace(settings.merge, lock_wait_s=0.2))
    scan = ingest(settings, "a.csv", measured(poses(10)))
    with merge_lock(settings.data_dir, 0.0):
        for act in (lambda: merge_scan(settings, scan), lambda: command_busy(settings)):
            with pytest.raises(Busy, match=f"changed by process {os.getpid()}"):
                act()


def command_busy(settings: Settings) -> None:
    environment = {
        **os.environ,
        "NIGHTPICK_DATA_DIR": str(settings.data_dir),
        "NIGHTPICK_MERGE__LOCK_WAIT_S": "0.2",
    }
    run = subprocess.run(
        [*NIGHTPICK, "table", "merge"], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert run.returncode == Busy.exit_code
    raise Busy(run.stderr)


def test_a_reader_keeps_the_table_it_opened_while_a_merge_publishes(
    settings: Settings, ingest: Ingest
) -> None:
    merged(settings, ingest(settings, "a.csv", measured(poses(100))))
    with fk_file.open_read(settings.data_dir) as connection:
        merged(settings, ingest(settings, "b.csv", measured(poses(100, seed=1))))
        assert fk_file.current_version(connection) == 1
        assert len(fk_file.read_points(connection, 1)[0]) == 100
    with fk_file.open_read(settings.data_dir) as connection:
        assert fk_file.current_version(connection) == 2


def test_a_rollback_waits_for_the_merge_lock(settings: Settings, ingest: Ingest) -> None:
    merged(settings, ingest(settings, "a.csv", measured(poses(10))))
    impatient = replace(settings, merge=replace(settings.merge, lock_wait_s=0.1))
    with merge_lock(settings.data_dir, 0.0), pytest.raises(Busy):
        rollback(impatient, 1)


def test_a_file_that_is_no_table_is_said_to_be_none(settings: Settings) -> None:
    settings.data_dir.mkdir()
    np.random.default_rng(0).bytes(4096)
    fk_file.path(settings.data_dir).write_bytes(np.random.default_rng(0).bytes(4096))
    with pytest.raises(Damaged, match="not readable as a table"):
        verify(settings.data_dir)
