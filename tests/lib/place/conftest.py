"""A small table around the PLACE and PICK families, made as people make one: scanned, ingested, merged."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from lib.cell import write_simulated_scan
from lib.robot import load_robot
from lib.scan import ScanOptions, ScanRequest, ScanStore, write_request
from lib.settings import Settings
from lib.table import MergeOptions, merge_scan
from tests.lib.place.trial import Trial, trial, with_table

BASES = np.array(
    [
        (36.215, 57.0, 20.0, -12.0, -86.0, -30.0),
        (41.215, 62.0, 15.0, -17.0, -81.0, -30.0),
        (-30.0, 75.0, 20.0, 0.0, -75.0, -30.0),
        (-45.0, 75.0, 20.0, 0.0, -75.0, -30.0),
        (-30.0, 77.0, 0.0, 0.0, -75.0, -30.0),
        (-45.0, 77.0, 0.0, 0.0, -75.0, -30.0),
    ]
)
BOX_M = (-0.180, 0.200)


@pytest.fixture(scope="session")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder with the table; give it to others with ``with_table``."""
    folder = tmp_path_factory.mktemp("placing")
    settings = Settings(data_dir=folder / "data")
    robot = load_robot(settings.robot)
    assert robot is not None
    scan = folder / "small.csv"
    request = folder / "bases.csv"
    write_request(request, ScanRequest(BASES, exact=False))
    write_simulated_scan(robot, request, scan, 0)
    store = ScanStore(settings.data_dir)
    store.ingest(scan, ScanOptions(), robot)
    (kept,) = store.kept()
    merged = merge_scan(settings, kept, MergeOptions())
    assert merged is not None
    assert merged.promoted
    return settings.data_dir


@pytest.fixture
def settings(table: Path, tmp_path: Path) -> Settings:
    """Settings with a run log of their own on the small table."""
    with_table(table, tmp_path / "data")
    return Settings(data_dir=tmp_path / "data")


@pytest.fixture
def tried(settings: Settings) -> Iterator[Trial]:
    """A batch on a cell with all errors, its markers projected."""
    with trial(settings, 1, box_m=BOX_M, drawn=False) as made:
        yield made
