"""A merge is concatenation without exact repeats; row numbers never change and a hash proves it."""

from __future__ import annotations

import hashlib
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from lib.runlog import fk_file
from lib.scan import COLUMNS, content_md5
from lib.settings import Settings
from lib.table import MergeOptions, history, merge_scan, pending_scans
from tests.lib.table.conftest import Ingest, measured, merged, message, poses, verdict


def table_rows(settings: Settings) -> tuple[np.ndarray, np.ndarray]:
    with fk_file.open_read(settings.data_dir) as connection:
        current = fk_file.current_version(connection)
        assert current is not None
        return fk_file.read_points(connection, current)


def test_counts_add_up_and_new_rows_follow_in_scan_order(settings: Settings, ingest: Ingest) -> None:
    base, further = measured(poses(50)), measured(poses(20, seed=1))
    first = merged(settings, ingest(settings, "base.csv", base))
    mixed = np.vstack([further[:10], base[:5], further[10:], further[:3]])
    second = merged(settings, ingest(settings, "more.csv", mixed))
    assert (first.rows, first.scanned, first.added, first.duplicates) == (50, 50, 50, 0)
    assert (second.rows, second.scanned, second.added, second.duplicates) == (70, 28, 20, 8)
    fk_rows, points = table_rows(settings)
    assert fk_rows.tolist() == list(range(70))
    assert np.array_equal(points, np.vstack([base, further]))


def test_the_content_md5_is_that_of_the_rows_read_back(settings: Settings, ingest: Ingest) -> None:
    for seed, name in enumerate(("a.csv", "b.csv", "c.csv")):
        result = merged(settings, ingest(settings, name, measured(poses(30, seed))))
        assert result.content_md5 == content_md5(table_rows(settings)[1])


def test_equal_rows_in_other_bytes_add_nothing_and_change_no_hash(settings: Settings, ingest: Ingest) -> None:
    points = measured(poses(40))
    first = merged(settings, ingest(settings, "a.csv", points))
    shuffled = points[np.random.default_rng(0).permutation(40)]
    second = merged(settings, ingest(settings, "b.csv", shuffled))
    assert (second.added, second.rows, second.content_md5) == (0, 40, first.content_md5)


def test_a_scan_is_merged_once(settings: Settings, ingest: Ingest) -> None:
    scan = ingest(settings, "a.csv", measured(poses(10)))
    assert [s.md5 for s in pending_scans(settings)] == [scan.md5]
    merged(settings, scan)
    assert pending_scans(settings) == []
    assert merge_scan(settings, scan) is None


def test_a_dry_run_judges_and_publishes_nothing(settings: Settings, ingest: Ingest) -> None:
    scan = ingest(settings, "a.csv", measured(poses(10)))
    result = merged(settings, scan, dry_run=True)
    assert result.state == "dry run" and result.added == 10 and not result.promoted
    assert not fk_file.path(settings.data_dir).exists()
    assert merged(settings, scan).promoted


def test_without_a_robot_the_chain_does_not_apply(without_robot: Settings, ingest: Ingest) -> None:
    result = merged(without_robot, ingest(without_robot, "a.csv", measured(poses(10))))
    assert result.promoted and verdict(result, "self_consistency") is None
    assert "not applicable" in message(result, "self_consistency")


def test_a_robot_set_later_judges_by_the_whole_table(
    settings: Settings, without_robot: Settings, ingest: Ingest
) -> None:
    merged(without_robot, ingest(without_robot, "a.csv", measured(poses(60))))
    result = merged(settings, ingest(settings, "b.csv", measured(poses(10, seed=1))))
    assert verdict(result, "self_consistency") is True
    fit = history(settings.data_dir)[0][-1].fit
    assert fit is not None and fit.rows == 70


def test_a_merge_leaves_no_file_behind_and_takes_the_leavings_of_a_killed_one(
    settings: Settings, ingest: Ingest
) -> None:
    settings.data_dir.mkdir()
    (settings.data_dir / "fk.staged-4242.duckdb").write_bytes(b"half a table")
    (settings.data_dir / "fk.staged-4242.duckdb.wal").write_bytes(b"half a log")
    merged(settings, ingest(settings, "a.csv", measured(poses(10))))
    assert sorted(p.name for p in settings.data_dir.glob("fk*")) == ["fk.duckdb"]


def test_the_file_keeps_the_pinned_storage_format(settings: Settings, ingest: Ingest) -> None:
    merged(settings, ingest(settings, "a.csv", measured(poses(10))))
    with duckdb.connect() as connection:
        connection.execute(f"ATTACH '{fk_file.path(settings.data_dir)}' AS fk (READ_ONLY)")
        tags = connection.execute("SELECT tags FROM duckdb_databases() WHERE database_name = 'fk'").fetchone()
    assert tags is not None and tags[0]["storage_version"].startswith("v1.0.0")


_VALUES = st.sampled_from([-1.5, -0.25, 0.0, 0.125, 0.1, 1.0])
_ROWS = st.lists(st.tuples(*[_VALUES] * 9), min_size=1, max_size=8)


@hypothesis_settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck))
@given(scans=st.lists(_ROWS, min_size=1, max_size=3))
def test_any_sequence_of_scans_merges_as_concat_and_drop_duplicates(
    scans: list[list[tuple[float, ...]]], tmp_path_factory: pytest.TempPathFactory, ingest: Ingest
) -> None:
    from dataclasses import replace

    folder: Path = tmp_path_factory.mktemp("property")
    settings = replace(Settings(), data_dir=folder / "data", robot="none")
    accepted = {"conflicts": "poses are made up"}
    for k, rows in enumerate(scans):
        # A comment column of the number of the file keeps equal files different in their bytes.
        scan = ingest(settings, f"{k}.csv", np.array(rows)) if not k or rows not in scans[:k] else None
        if scan is not None:
            assert merged(settings, scan, accepted=accepted, accept_worse=10_000).promoted
    expected = pd.concat([pd.DataFrame(rows, columns=list(COLUMNS)) for rows in scans]).drop_duplicates()
    assert np.array_equal(table_rows(settings)[1], expected.to_numpy())


def test_a_blocked_merge_leaves_the_file_byte_for_byte(settings: Settings, ingest: Ingest) -> None:
    points = measured(poses(200))
    merged(settings, ingest(settings, "a.csv", points))
    file = fk_file.path(settings.data_dir)
    before = hashlib.md5(file.read_bytes()).hexdigest()
    moved = measured(poses(100, seed=1))
    moved[:, 0] += 0.003
    result = merged(settings, ingest(settings, "b.csv", moved))
    assert result.blocked and hashlib.md5(file.read_bytes()).hexdigest() == before


def test_an_audit_is_accepted_only_by_a_name_that_can_be(settings: Settings) -> None:
    from lib.errors import BadInput

    for name in ("prefix", "count", "nonsense"):
        with pytest.raises(BadInput, match="cannot be accepted; those that can: conflicts"):
            MergeOptions(accepted={name: "because"})
