"""Memories in the run log: every revision is appended, the highest one holds."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np

from lib.place.memory import Memory, new_memory
from lib.place.memory_cell import CellKey, cell_named
from lib.runlog import connect, run_log, sql_text
from lib.settings_place import MemoryRules


def load_memories(data_dir: Path) -> dict[CellKey, Memory]:
    """Return what every memory cell holds, the cell that learned last first."""
    with connect(data_dir) as con:
        rows = con.execute(sql_text("resume/memories")).fetchall()
    memories = [_memory(*row) for row in rows]
    return {memory.cell: memory for memory in memories}


def keep(data_dir: Path, memory: Memory, run_stem: str | None = None) -> None:
    """Append a revision; ``run_stem`` names the run that made it, None a person or a change of table."""
    (bx, by, bz), (sx, sy, sz) = np.multiply(memory.bias_m, 1e3), np.multiply(memory.sigma_m, 1e3)
    run_log(data_dir).append(
        "memory_cell",
        memory_cell=memory.cell.name,
        revision=memory.revision,
        bias_x_mm=float(bx),
        bias_y_mm=float(by),
        bias_z_mm=float(bz),
        sigma_x_mm=float(sx),
        sigma_y_mm=float(sy),
        sigma_z_mm=float(sz),
        fall_x_mm=memory.fall_m[0] * 1e3,
        fall_z_mm=memory.fall_m[1] * 1e3,
        covariance_m2=memory.covariance_m2,
        placements=memory.placements,
        outliers=memory.outliers,
        table_version=memory.table_version,
        calibration=memory.calibration,
        reason=memory.reason,
        run_stem=run_stem,
    )


def forget(data_dir: Path, cells: list[CellKey], rules: MemoryRules, reason: str) -> list[Memory]:
    """Start cells anew; what they held stays in their history. Returns what they hold now."""
    held = load_memories(data_dir)
    fresh = []
    for cell in cells:
        memory = held[cell]
        start = new_memory(cell, rules, memory.table_version, memory.calibration)
        start = replace(start, revision=memory.revision + 1, reason=reason)
        keep(data_dir, start)
        fresh.append(start)
    return fresh


def _memory(
    name: str,
    revision: int,
    bias_x_mm: float,
    bias_y_mm: float,
    bias_z_mm: float,
    fall_x_mm: float,
    fall_z_mm: float,
    covariance_m2: str,
    placements: int,
    outliers: int,
    table_version: int | None,
    calibration: str | None,
    reason: str,
) -> Memory:
    a, b, c = ((float(x), float(y), float(z)) for x, y, z in json.loads(covariance_m2))
    return Memory(
        cell_named(name),
        (bias_x_mm / 1e3, bias_y_mm / 1e3, bias_z_mm / 1e3),
        (a, b, c),
        placements,
        outliers,
        revision,
        table_version,
        calibration,
        reason,
        (fall_x_mm / 1e3, fall_z_mm / 1e3),
    )
