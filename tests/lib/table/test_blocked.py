"""A blocked scan is audited again where something changed, and only there; its way out is always told."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from lib.runlog import run_log, tied
from lib.scan import KeptScan, ScanOptions, ScanStore
from lib.settings import Settings
from lib.table import MergeOptions, blocked_before, merge_scan, rollback
from tests.lib.table.conftest import Ingest, measured, merged, poses


@pytest.fixture
def blocked(settings: Settings, ingest: Ingest) -> KeptScan:
    merged(settings, ingest(settings, "base.csv", measured(poses(300))))
    moved = measured(poses(60, seed=1))
    moved[:, 0] += 0.005
    scan = ingest(settings, "moved.csv", moved)
    assert blocked_before(settings, scan) is None
    with tied(night_id="first"):
        result = merge_scan(settings, scan)
    assert result is not None and result.blocked
    return scan


def test_on_the_same_grounds_the_verdict_is_known(settings: Settings, blocked: KeptScan) -> None:
    before = blocked_before(settings, blocked)
    assert before is not None and before.names == "self_consistency"
    assert str(before).startswith("moved.csv blocked as before by self_consistency, since ")
    assert (
        f"`nightpick table merge --scan {blocked.md5[:8]} --accept-audit self_consistency --reason TEXT`"
        in str(before)
    )
    assert f"`nightpick scan set-aside {blocked.md5[:8]} --reason TEXT`" in str(before)


def test_the_nights_that_met_it_are_counted(settings: Settings, blocked: KeptScan) -> None:
    assert (found := blocked_before(settings, blocked)) is not None and found.nights == 0
    log = run_log(settings.data_dir)
    now = datetime.now(UTC)
    log.append("night", night_id="long ago", started_utc=now - timedelta(days=3), state="finished")
    log.append("night", night_id="first", started_utc=now - timedelta(minutes=1), state="attention")
    log.append("night", night_id="second", started_utc=now + timedelta(days=1), state="attention")
    found = blocked_before(settings, blocked)
    assert found is not None and found.nights == 2 and "UTC, 2 nights: " in str(found)


def test_a_new_version_other_options_or_settings_ask_for_another_audit(
    settings: Settings, ingest: Ingest, blocked: KeptScan
) -> None:
    assert blocked_before(settings, blocked, MergeOptions(accepted={"self_consistency": "known"})) is None
    assert blocked_before(settings, blocked, MergeOptions(accept_worse=3)) is None
    assert blocked_before(settings, blocked, MergeOptions(dry_run=True)) is not None  # judges no other way
    wider = replace(settings, merge=replace(settings.merge, suspect_share=0.5))
    assert blocked_before(wider, blocked) is None
    assert blocked_before(replace(settings, robot="none"), blocked) is None
    merged(settings, ingest(settings, "more.csv", measured(poses(30, seed=2))))
    assert blocked_before(settings, blocked) is None
    rollback(settings, 1)  # what was found of version 1 holds again
    assert blocked_before(settings, blocked) is not None


def test_another_reading_asks_for_another_audit(settings: Settings, blocked: KeptScan) -> None:
    store = ScanStore(settings.data_dir)
    store.ingest_again(store.raw_path(blocked), ScanOptions(length_unit="mm"))
    assert blocked_before(settings, store.kept()[1]) is None


def test_a_dry_run_is_no_verdict_and_a_later_one_counts(
    settings: Settings, ingest: Ingest, blocked: KeptScan
) -> None:
    moved = measured(poses(60, seed=5))
    moved[:, 0] += 0.005
    scan = ingest(settings, "dry.csv", moved)
    merged(settings, scan, dry_run=True, accept_worse=0)
    assert blocked_before(settings, scan) is None


def test_without_the_run_log_it_is_audited_again(settings: Settings, blocked: KeptScan) -> None:
    run_log(settings.data_dir).close()
    for file in (settings.data_dir / "runlog" / "open").iterdir():
        file.unlink()
    assert blocked_before(settings, blocked) is None
    result = merge_scan(settings, blocked)
    assert result is not None and result.blocked


def test_every_failed_audit_is_in_the_one_command(settings: Settings, ingest: Ingest) -> None:
    base = measured(poses(300))
    merged(settings, ingest(settings, "base.csv", base))
    again = np.vstack([base[:50], measured(poses(60, seed=1))])
    again[:, 0] += 0.005
    scan = ingest(settings, "again.csv", again)
    result = merge_scan(settings, scan)
    assert result is not None
    command = result.as_json()["accept_command"]
    assert isinstance(command, str)
    failed = {audit.name for audit in result.failed}
    assert {"conflicts", "self_consistency"} <= failed
    for name in failed - {"selection_regression"}:
        assert f"--accept-audit {name} " in command
    assert ("--accept-worse" in command) == ("selection_regression" in failed)
    assert result.ways_out[0] == f"`{command}` merges it all the same"
