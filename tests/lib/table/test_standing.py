"""Where a scan stands decides whether it is merged; Python and the relation ``scan`` say the same."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from lib.errors import BadInput, Busy
from lib.runlog import connect, fk_file
from lib.scan import KeptScan, ScanOptions, ScanStore
from lib.settings import Settings
from lib.table import MergeOptions, history, merge_scan, pending_scans, rollback, set_aside, verify
from lib.table.staged import merge_lock
from tests.lib.table.conftest import Ingest, measured, merged, poses


def table_points(settings: Settings) -> np.ndarray:
    with fk_file.open_read(settings.data_dir) as connection:
        current = fk_file.current_version(connection)
        assert current is not None
        return fk_file.read_points(connection, current)[1]


def states(settings: Settings) -> dict[str, str]:
    """Return each scan's state as the relation tells it, and check that exactly the open ones are pending."""
    with connect(settings.data_dir) as connection:
        found = dict(connection.execute("SELECT file, state FROM scan ORDER BY sequence").fetchall())
    to_merge = [file for file, state in found.items() if state in ("pending", "blocked")]
    assert [scan.file for scan in pending_scans(settings)] == to_merge
    return found


def named(settings: Settings, scan: KeptScan, **options: object) -> object:
    return merge_scan(settings, scan, MergeOptions(named=True, accept_worse=1_000, **options))  # type: ignore[arg-type]


@pytest.fixture
def base(settings: Settings, ingest: Ingest) -> np.ndarray:
    points = measured(poses(300))
    merged(settings, ingest(settings, "base.csv", points))
    return points


def displaced(seed: int) -> np.ndarray:
    points = measured(poses(60, seed))
    points[:, 0] += 0.005
    return points


def test_a_scan_goes_from_pending_over_blocked_to_set_aside_and_by_its_name_into_the_table(
    settings: Settings, ingest: Ingest, base: np.ndarray
) -> None:
    scan = ingest(settings, "moved.csv", displaced(1))
    assert states(settings)["moved.csv"] == "pending"
    assert merged(settings, scan).blocked
    assert states(settings)["moved.csv"] == "blocked"
    aside = set_aside(settings, scan, " the base was moved ")
    assert aside.set_aside_because == "the base was moved"
    assert states(settings)["moved.csv"] == "set aside"
    assert merge_scan(settings, aside) is None
    result = named(settings, aside, accepted={"self_consistency": "known"})
    assert getattr(result, "promoted", None) is True
    assert states(settings) == {"base.csv": "merged", "moved.csv": "merged"}


def test_setting_aside_is_on_record_with_its_reason(
    settings: Settings, ingest: Ingest, base: np.ndarray
) -> None:
    scan = set_aside(settings, ingest(settings, "a.csv", displaced(1)), "moved")
    with connect(settings.data_dir) as connection:
        event = connection.execute(
            "SELECT file, md5, status, reason, reading FROM scan_event ORDER BY seq DESC LIMIT 1"
        ).fetchone()
        told = connection.execute(
            "SELECT set_aside_because FROM scan WHERE set_aside_utc IS NOT NULL"
        ).fetchall()
    assert event == ("a.csv", scan.md5, "set aside", "moved", 1)
    assert told == [("moved",)]


def test_a_rolled_back_scan_comes_back_on_a_branch_by_its_name_alone(
    settings: Settings, ingest: Ingest, base: np.ndarray
) -> None:
    first, second = (measured(poses(40, seed)) for seed in (1, 2))
    merged(settings, ingest(settings, "first.csv", first))
    scan = ingest(settings, "second.csv", second)
    merged(settings, scan)
    rollback(settings, 1)
    assert states(settings) == {"base.csv": "merged", "first.csv": "rolled back", "second.csv": "rolled back"}
    assert merge_scan(settings, scan) is None
    result = named(settings, scan)
    assert (getattr(result, "version", None), getattr(result, "parent", None)) == (4, 1)
    assert np.array_equal(table_points(settings), np.vstack([base, second]))
    assert states(settings)["first.csv"] == "rolled back"
    assert named(settings, scan) is None  # it is in use now
    assert verify(settings.data_dir).ok


def test_a_scan_read_anew_after_a_rollback_is_pending_and_the_old_version_still_verifies(
    without_robot: Settings, ingest: Ingest
) -> None:
    settings = without_robot
    points = measured(poses(80))
    scan = ingest(settings, "a.csv", points)
    merged(settings, scan)
    rollback(settings, 0)
    assert states(settings) == {"a.csv": "rolled back"}
    store = ScanStore(settings.data_dir)
    store.ingest_again(store.raw_path(scan), ScanOptions(length_unit="mm"))
    assert states(settings) == {"a.csv": "pending"}
    (again,) = pending_scans(settings)
    result = merged(settings, again)
    assert (result.version, result.parent, result.scan_reading) == (2, None, 2)
    assert np.array_equal(table_points(settings), points / ([1000] * 3 + [1] * 6))
    assert [v.scan_reading for v in history(settings.data_dir)[0]] == [1, 2]
    assert verify(settings.data_dir).ok
    rollback(settings, 1)
    assert np.array_equal(table_points(settings), points)
    # Another reading of a scan in use would put its rows in twice.
    assert states(settings) == {"a.csv": "merged"}
    assert named(settings, again) is None


def test_damage_is_looked_for_in_the_reading_that_a_version_holds(
    without_robot: Settings, ingest: Ingest
) -> None:
    import duckdb

    settings = without_robot
    scan = ingest(settings, "a.csv", measured(poses(30)))
    merged(settings, scan)
    rollback(settings, 0)
    store = ScanStore(settings.data_dir)
    store.ingest_again(store.raw_path(scan), ScanOptions(length_unit="mm"))
    with duckdb.connect(str(fk_file.path(settings.data_dir))) as connection:
        connection.execute("UPDATE fk_point SET j3 = j3 + 1 WHERE fk_row = 10")
    (damage,) = verify(settings.data_dir).damage
    assert damage.startswith("fk_row 10: j3 is ")


def test_a_scan_read_anew_or_set_aside_meanwhile_is_not_merged_as_it_was(
    settings: Settings, ingest: Ingest
) -> None:
    points = measured(poses(30))
    scan = ingest(settings, "a.csv", points)
    store = ScanStore(settings.data_dir)
    store.ingest_again(store.raw_path(scan), ScanOptions(length_unit="mm"))
    assert merge_scan(settings, scan) is None
    (again,) = pending_scans(settings)
    set_aside(settings, again, "not this one either")
    assert merge_scan(settings, again) is None
    assert not fk_file.path(settings.data_dir).exists()


def test_only_what_is_pending_can_be_set_aside(settings: Settings, ingest: Ingest, base: np.ndarray) -> None:
    in_use = ScanStore(settings.data_dir).kept()[0]
    with pytest.raises(
        BadInput, match=r"base.csv is in version 1, which is in use; `nightpick table rollback 0`"
    ):
        set_aside(settings, in_use, "why not")
    scan = ingest(settings, "b.csv", measured(poses(20, seed=1)))
    with pytest.raises(BadInput, match="--reason is empty"):
        set_aside(settings, scan, "  ")
    merged(settings, scan)
    rollback(settings, 1)
    with pytest.raises(
        BadInput, match=rf"was rolled back with version 2.*table merge --scan {scan.md5[:8]}`"
    ):
        set_aside(settings, scan, "why not")


def test_nothing_is_set_aside_while_a_merge_runs(settings: Settings, ingest: Ingest) -> None:
    scan = ingest(settings, "a.csv", measured(poses(20)))
    settings = replace(settings, merge=replace(settings.merge, lock_wait_s=0.05))
    with merge_lock(settings.data_dir, 0), pytest.raises(Busy):
        set_aside(settings, scan, "too late")


def test_a_table_of_an_older_make_tells_the_first_reading(
    settings: Settings, ingest: Ingest, base: np.ndarray
) -> None:
    import duckdb

    with duckdb.connect(str(fk_file.path(settings.data_dir))) as connection:
        connection.execute("ALTER TABLE fk_version DROP COLUMN scan_reading")
        connection.execute("DELETE FROM migration WHERE name LIKE '0006%'")
    assert [v.scan_reading for v in history(settings.data_dir)[0]] == [1]
    assert states(settings) == {"base.csv": "merged"}
    merged(settings, ingest(settings, "more.csv", measured(poses(10, seed=3))))
    assert [v.scan_reading for v in history(settings.data_dir)[0]] == [1, 1]
