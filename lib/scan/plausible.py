"""Rows that cannot be measurements of the scan's arm: absurd numbers, and rows in another unit than the rest.

A file in one wrong unit is another matter, see units.py: here most rows say which unit the file has,
and the few that do not fit are problems of their lines, like any bad cell.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from lib.errors import Problem
from lib.scan.content import COLUMNS, Points
from lib.scan.options import ScanOptions
from lib.scan.refusal import SHOWN_PROBLEMS
from lib.scan.rows import Rows
from lib.scan.strict import RAW_CHARACTERS, Reject
from lib.scan.units import LONGEST_REACH_M, WIDEST_JOINT_DEG, largest

FARTHEST_TIP_M = 10.0
"""No tip is measured farther from its base [m]."""
FARTHEST_TURN_DEG = 36_000.0
"""No joint turns further, a hundred times around [deg]."""
# Rows in another unit are a row's problem up to this share; beyond it the file's.
FEW = 0.5

Mask = NDArray[np.bool_]


def without_implausible(rows: Rows, options: ScanOptions, raw_of: Callable[[int], str]) -> Rows:
    """Return the rows without those that are no measurements, these counted as problems.

    ``raw_of`` tells a line's text. With quarantine they are rejects, each with its first reason.
    """
    if _are_all_plain(rows.points, options):
        return rows
    reasons = _reasons(rows.points, options)
    bad = np.zeros(len(rows.points), dtype=bool)
    for cells, _ in reasons:
        bad |= cells.any(axis=1)
    if not bad.any():
        return rows
    places = np.flatnonzero(bad)
    wanted = places if options.quarantine else places[:SHOWN_PROBLEMS]
    problems = [_problem(rows, place, reasons) for place in wanted.tolist()]
    rejects = [
        Reject(p.line or 0, raw_of(p.line or 0)[:RAW_CHARACTERS], p.column, p.found, p.rule) for p in problems
    ]
    shown = sorted([*rows.problems, *problems], key=lambda problem: problem.line or 0)
    return replace(
        rows,
        points=rows.points[~bad],
        lines=rows.lines[~bad],
        rejects=tuple(sorted([*rows.rejects, *rejects], key=lambda r: r.line)) if options.quarantine else (),
        problems=tuple(shown[:SHOWN_PROBLEMS]),
        problem_count=rows.problem_count + len(places),
    )


def _are_all_plain(points: Points, options: ScanOptions) -> bool:
    """Say by the largest numbers alone, without a copy of a full-size scan, that no row can be doubted."""
    widest = np.radians(WIDEST_JOINT_DEG) if options.angle_unit == "rad" else FARTHEST_TURN_DEG
    is_near = options.length_unit != "mm" and largest(points[:, :3]) <= LONGEST_REACH_M
    return is_near and largest(points[:, 3:]) <= widest


def _problem(rows: Rows, place: int, reasons: list[tuple[Mask, str]]) -> Problem:
    cells, rule = next((cells, rule) for cells, rule in reasons if cells[place].any())
    column = int(np.argmax(cells[place]))
    return Problem(int(rows.lines[place]), COLUMNS[column], f"{rows.points[place, column]:g}", rule)


def _reasons(points: Points, options: ScanOptions) -> list[tuple[Mask, str]]:
    """Return each rule with the cells (n, 9) that break it, the plainest rule first."""
    sizes = np.abs(points)
    as_millimetres = 1.0 if options.length_unit == "m" else 1_000.0  # not said: they may be
    as_radians = np.degrees(1.0) if options.angle_unit == "rad" else 1.0
    absurd = np.concatenate(
        [
            sizes[:, :3] > FARTHEST_TIP_M * as_millimetres,
            sizes[:, 3:] > FARTHEST_TURN_DEG / as_radians,
        ],
        axis=1,
    )
    rule = f"not a measurement: beyond {FARTHEST_TIP_M:g} m or {FARTHEST_TURN_DEG:,.0f} deg"
    return [(absurd, rule), *_in_another_unit(sizes, np.logical_not(absurd.any(axis=1)), options)]


def _in_another_unit(sizes: Points, measured: Mask, options: ScanOptions) -> list[tuple[Mask, str]]:
    """Return the rules that tell a few rows' unit from most rows' by their size alone."""
    none = np.zeros_like(sizes, dtype=bool)
    far = none.copy()
    far[:, :3] = sizes[:, :3] > LONGEST_REACH_M
    near = none.copy()
    near[:, :3] = ~far[:, :3].any(axis=1, keepdims=True)
    wide = none.copy()
    wide[:, 3:] = sizes[:, 3:] > np.radians(WIDEST_JOINT_DEG)
    candidates = []
    if options.length_unit is None:
        rule = f"looks like millimetres among metres: a tip farther than {LONGEST_REACH_M:g} m"
        candidates.append((far, f"{rule} (--length-unit m: it is metres)"))
    if options.length_unit == "mm":
        rule = (
            f"looks like metres among millimetres: a tip within {LONGEST_REACH_M:g} mm of the base's middle"
        )
        candidates.append((near, rule))
    if options.angle_unit == "rad":
        rule = f"looks like degrees among radians: a joint beyond {np.radians(WIDEST_JOINT_DEG):.2f} rad"
        candidates.append((wide, rule))
    return [
        (cells, rule)
        for cells, rule in candidates
        if (cells.any(axis=1) & measured).sum() <= FEW * measured.sum()
    ]
