"""What ends a batch: each stop condition with its numbers, and nothing else."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from lib.place import RunOutcome
from lib.place.batch_end import batch_end
from lib.settings_batch import Batch

NOW = datetime(2026, 11, 30, 23, 0, tzinfo=UTC)
ROOM = 10**12


def outcome(**values: Any) -> RunOutcome:
    given = {"state": "finished", "place": "yes", "reason": "3.0 mm", **values}
    return RunOutcome("run_0001_20261130_230000", 1, **given)


PLACED, BESIDE = outcome(), outcome(place="no", reason="beside the box")
REFUSED = outcome(state="refused", place=None, reason="no row within 20 mm")
UNKNOWN = outcome(place="unknown")
CUT_OFF = outcome(state="unknown", place=None, reason="its process ended")


def rule(*done: RunOutcome, until: datetime | None = None, free: int = ROOM, **rules: Any) -> str | None:
    end = batch_end(Batch(**rules), done, NOW, until, free)
    return None if end is None else end.rule


def test_a_batch_that_goes_well_goes_on() -> None:
    assert rule() is None
    assert rule(*[PLACED] * 200) is None


def test_whatever_is_not_in_the_box_is_a_failure_and_three_in_a_row_end_it() -> None:
    assert rule(BESIDE, BESIDE) is None
    for third in (BESIDE, REFUSED, UNKNOWN, CUT_OFF):
        assert rule(BESIDE, REFUSED, third) == "consecutive failures"
    assert rule(BESIDE, BESIDE, PLACED, BESIDE, BESIDE) is None
    assert rule(BESIDE, BESIDE, consecutive_failures=2) == "consecutive failures"


def test_lost_links_count_over_the_whole_night() -> None:
    lost = outcome(state="aborted", place=None, link_lost=True)
    assert rule(lost, PLACED, PLACED) is None
    assert rule(lost, PLACED, lost, PLACED) == "link failures"


def test_the_latest_temperature_counts_and_an_unknown_one_is_none() -> None:
    assert rule(outcome(warmest_c=60.0)) is None
    assert rule(outcome(warmest_c=60.1)) == "temperature"
    assert rule(outcome(warmest_c=70.0), outcome(warmest_c=55.0)) is None
    assert rule(outcome(warmest_c=None)) is None


def test_the_window_closes_and_a_night_by_hand_has_none() -> None:
    assert rule(until=NOW + timedelta(seconds=1)) is None
    assert rule(until=NOW - timedelta(seconds=1)) == "time window"


def test_a_full_disk_ends_it_before_a_run_that_could_not_be_recorded() -> None:
    assert rule(free=500_000_000) is None
    assert rule(free=499_000_000) == "disk"
    end = batch_end(Batch(), [], NOW, None, 100_000_000)
    assert end is not None
    assert end.message == "disk: 0.1 GB free, less than batch.least_free_gb = 0.5; make room"
