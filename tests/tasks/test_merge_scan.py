"""The merge task: a scan that was blocked is told again every night, and audited again only for a reason."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from prefect import flow

from flows.merge_table import merge_pending
from flows.serving.server import Server
from flows.trouble import Trouble
from lib.runlog import connect
from lib.settings import Settings
from tests.lib.table.conftest import Ingest, ingest, measured, merged, poses

__all__ = ["ingest"]  # the fixture

pytestmark = pytest.mark.xdist_group("prefect")


def nightly(settings: Settings) -> list[str]:
    """Run the stage as a night does; return what it tells."""
    trouble = Trouble()

    @flow(name="only the merges")
    def stage() -> None:
        merge_pending(settings, trouble)

    stage()
    return trouble.lines


def attempts(settings: Settings) -> list[tuple[str, str]]:
    with connect(settings.data_dir) as connection:
        return connection.execute("SELECT scan_file, state FROM merge ORDER BY seq").fetchall()


def test_a_blocked_scan_is_told_every_night_and_audited_once(
    prefect_api: Server, data_dir: Path, ingest: Ingest
) -> None:
    settings = replace(Settings(), data_dir=data_dir)
    merged(settings, ingest(settings, "base.csv", measured(poses(300))))
    moved = measured(poses(60, seed=1))
    moved[:, 0] += 0.005
    scan = ingest(settings, "moved.csv", moved)
    (first,) = nightly(settings)
    assert first.startswith("moved.csv blocked by self_consistency: ")
    (second,) = nightly(settings)
    assert second.startswith("moved.csv blocked as before by self_consistency, since ")
    assert f"nightpick table merge --scan {scan.md5[:8]} --accept-audit self_consistency" in second
    assert attempts(settings) == [("base.csv", "published"), ("moved.csv", "blocked")]
    merged(settings, ingest(settings, "more.csv", measured(poses(30, seed=2))))
    (third,) = nightly(settings)  # another table may judge it otherwise
    assert third.startswith("moved.csv blocked by ")
    assert attempts(settings)[-1] == ("moved.csv", "blocked")
