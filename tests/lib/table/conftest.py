"""Small tables made as people make them: a scan file, ingested, merged."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from lib.robot import load_robot, tip_points
from lib.scan import COLUMNS, KeptScan, ScanOptions, ScanStore
from lib.settings import Settings
from lib.table import MergeOptions, MergeResult, merge_scan

REFERENCE = np.array([36.215, 57.0, 20.0, -12.0, -86.0, -30.0])


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return replace(Settings(), data_dir=tmp_path / "data")


@pytest.fixture
def without_robot(settings: Settings) -> Settings:
    return replace(settings, robot="none")


def measured(joints: np.ndarray) -> np.ndarray:
    """Return rows (n, 9) as the twin would measure these joints (n, 6)."""
    robot = load_robot("mecharm270")
    assert robot is not None
    joints = np.asarray(joints, dtype=float)
    return np.hstack([tip_points(robot, joints), joints])


def poses(rows: int, seed: int = 0) -> np.ndarray:
    """Return poses (rows, 6) scattered around the PLACE reference."""
    spread = np.random.default_rng(seed).uniform(-14, 14, size=(rows, 6))
    return np.round(REFERENCE + spread * [1, 1, 1, 1, 0.25, 0], 3)


Ingest = Callable[[Settings, str, np.ndarray], KeptScan]


@pytest.fixture
def ingest(tmp_path: Path) -> Ingest:
    def run(settings: Settings, name: str, points: np.ndarray) -> KeptScan:
        path = tmp_path / name
        lines = [",".join(COLUMNS), *(",".join(repr(float(v)) for v in row) for row in points)]
        path.write_text("\n".join(lines) + "\n")
        store = ScanStore(settings.data_dir)
        options = ScanOptions(angle_unit="deg", length_unit="m")
        store.ingest(path, options, load_robot(settings.robot))
        return next(scan for scan in store.kept() if scan.file == name)

    return run


def merged(settings: Settings, scan: KeptScan, **options: object) -> MergeResult:
    """Merge one kept scan and return what came of it.

    Random rows make some probe select a worse row nearly always; tests that are not about this
    accept it.
    """
    result = merge_scan(settings, scan, MergeOptions(**{"accept_worse": 1_000, **options}))  # type: ignore[arg-type]
    assert result is not None
    return result


def verdict(result: MergeResult, name: str) -> bool | None:
    """Return what one audit said."""
    return next(audit.ok for audit in result.audits if audit.name == name)


def message(result: MergeResult, name: str) -> str:
    """Return one audit's line."""
    return next(audit.message for audit in result.audits if audit.name == name)
