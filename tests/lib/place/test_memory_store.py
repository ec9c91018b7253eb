"""Memories survive the process in the run log, with their whole history."""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from lib.place import Measured, Memory, cell_of, forget, keep, learn, load_memories, new_memory
from lib.runlog import connect
from lib.settings_place import MemoryRules

RULES = MemoryRules()
LEFT, RIGHT = cell_of(-0.180, 0.200), cell_of(-0.160, 0.200)


def learned(data_dir: Path) -> Memory:
    """Place three times in one cell and once in another; return what the first holds."""
    memory = new_memory(LEFT, RULES, 2, "h1")
    for k in range(3):
        memory = learn(memory, Measured((0.0041, -0.0023 + k * 1e-4, 0.0017), (0.0015,) * 3, 0.97), RULES)
        keep(data_dir, memory, f"run_{k + 1:04d}_20261130_220000")
    other = learn(new_memory(RIGHT, RULES, 2, "h1"), Measured((0.001,) * 3, (0.001,) * 3, 0.9), RULES)
    keep(data_dir, other, "run_0004_20261130_220000")
    return memory


def test_what_was_learned_is_there_again_exactly(tmp_path: Path) -> None:
    memory = learned(tmp_path)
    there = load_memories(tmp_path)
    assert list(there) == [RIGHT, LEFT]  # the one that learned last comes first
    again = there[LEFT]
    assert again.bias_m == pytest.approx(memory.bias_m, abs=1e-18)
    assert dataclasses.replace(again, bias_m=memory.bias_m) == memory


def test_every_revision_stays_in_the_history(tmp_path: Path) -> None:
    learned(tmp_path)
    with connect(tmp_path) as con:
        rows = con.execute(
            "SELECT revision, run_stem FROM memory_cell WHERE memory_cell = ? ORDER BY revision",
            [LEFT.name],
        ).fetchall()
    assert rows == [(k, f"run_{k:04d}_20261130_220000") for k in (1, 2, 3)]


def test_a_cell_started_anew_is_as_unsure_as_a_new_one_and_keeps_its_history(tmp_path: Path) -> None:
    memory = learned(tmp_path)
    forget(tmp_path, [LEFT], RULES, "reset by hand")
    fresh = load_memories(tmp_path)[LEFT]
    assert (fresh.bias_m, fresh.placements, fresh.revision) == ((0, 0, 0), 0, memory.revision + 1)
    assert np.asarray(fresh.covariance_m2) == pytest.approx(np.eye(3) * RULES.prior_sigma_m**2)
    with connect(tmp_path) as con:
        assert con.execute("SELECT count(*) FROM memory_cell").fetchone() == (5,)


def nightpick(data_dir: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "flows.cli", *arguments],
        env={**os.environ, "NIGHTPICK_DATA_DIR": str(data_dir)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_memory_show_says_what_each_cell_has_learned(tmp_path: Path) -> None:
    assert "nothing was placed" in nightpick(tmp_path, "memory", "show").stdout
    memory = learned(tmp_path)
    shown = json.loads(nightpick(tmp_path, "memory", "show", "--json").stdout)
    assert [cell["memory_cell"] for cell in shown] == [RIGHT.name, LEFT.name]
    assert shown[1]["bias_m"] == pytest.approx(memory.bias_m)
    assert "place_x-180_z200   x +4.1 +-0.9, height" in nightpick(tmp_path, "memory", "show").stdout


def test_memory_reset_names_what_there_is(tmp_path: Path) -> None:
    learned(tmp_path)
    assert nightpick(tmp_path, "memory", "reset").returncode == 2
    wrong = nightpick(tmp_path, "memory", "reset", "place_x0_z0")
    assert (wrong.returncode, wrong.stderr.count("\n")) == (2, 1)
    assert "place_x-160_z200 or place_x-180_z200" in wrong.stderr
    assert "expected a name such as" in nightpick(tmp_path, "memory", "reset", "x").stderr
    assert nightpick(tmp_path, "memory", "reset", LEFT.name).returncode == 0
    assert load_memories(tmp_path)[LEFT].placements == 0
    assert load_memories(tmp_path)[RIGHT].placements == 1
