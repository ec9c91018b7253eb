"""An export is the version's rows exactly, proved after writing, whole or not there."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from lib.errors import BadInput
from lib.scan import COLUMNS, ScanOptions, content_md5, read_scan
from lib.settings import Settings
from lib.table import export, rollback
from tests.lib.table.conftest import Ingest, measured, merged, poses


@pytest.fixture
def points(settings: Settings, ingest: Ingest) -> np.ndarray:
    rows = measured(poses(300))
    merged(settings, ingest(settings, "a.csv", rows))
    return rows


def test_each_format_gives_back_every_bit(settings: Settings, points: np.ndarray, tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("fk.csv", "fk.parquet", "fk.npz")]
    written = export(settings.data_dir, paths)
    assert [e.error for e in written] == [None, None, None]
    assert {e.content_md5 for e in written} == {content_md5(points)}
    # Read by what other people use, not by our own reader.
    assert np.array_equal(np.loadtxt(paths[0], delimiter=",", skiprows=1), points)
    frame = pd.read_csv(paths[0], float_precision="round_trip")
    assert list(frame.columns) == list(COLUMNS) and np.array_equal(frame.to_numpy(), points)
    with np.load(paths[2], allow_pickle=False) as kept:
        assert np.array_equal(np.hstack([kept["ee_m"], kept["joints_deg"]]), points)
        assert kept["fk_row"].tolist() == list(range(300))
    again = read_scan(paths[1], ScanOptions(angle_unit="deg", length_unit="m"))
    assert np.array_equal(again.points, points)


def test_a_read_only_place_is_an_error_and_the_others_are_whole(
    settings: Settings, points: np.ndarray, tmp_path: Path
) -> None:
    folders = [tmp_path / name for name in ("one", "two", "three")]
    for folder in folders:
        folder.mkdir()
    folders[1].chmod(0o555)
    written = export(settings.data_dir, [folder / "fk.csv" for folder in folders])
    folders[1].chmod(0o755)
    assert [e.error is None for e in written] == [True, False, True]
    assert written[1].error is not None and f"{folders[1]}: is read-only" in written[1].error
    assert [len(list(folder.iterdir())) for folder in folders] == [1, 0, 1]
    assert written[0].file_md5 == written[2].file_md5


def test_a_read_only_file_is_not_replaced(settings: Settings, points: np.ndarray, tmp_path: Path) -> None:
    kept = tmp_path / "fk.csv"
    kept.write_text("mine")
    kept.chmod(0o444)
    (written,) = export(settings.data_dir, [kept])
    assert written.error is not None and kept.read_text() == "mine"


def test_an_older_version_can_be_exported(
    settings: Settings, points: np.ndarray, ingest: Ingest, tmp_path: Path
) -> None:
    merged(settings, ingest(settings, "b.csv", measured(poses(100, seed=1))))
    (written,) = export(settings.data_dir, [tmp_path / "old.npz"], version=1)
    assert (written.version, written.rows, written.content_md5) == (1, 300, content_md5(points))
    rollback(settings, 1)
    (current,) = export(settings.data_dir, [tmp_path / "now.npz"])
    assert current.version == 1


def test_an_unknown_format_or_folder_is_refused_before_anything_is_written(
    settings: Settings, points: np.ndarray, tmp_path: Path
) -> None:
    with pytest.raises(BadInput, match=r"no format goes by '.xlsx'; expected .csv, .parquet, .npz"):
        export(settings.data_dir, [tmp_path / "fk.csv", tmp_path / "fk.xlsx"])
    assert not (tmp_path / "fk.csv").exists()
    (written,) = export(settings.data_dir, [tmp_path / "absent" / "fk.csv"])
    assert written.error is not None and "no such folder" in written.error
