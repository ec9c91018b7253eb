"""Which nights are due: by hand, by schedule, late, doubled, unfinished."""

from __future__ import annotations

import subprocess
import sys
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from lib.errors import Busy, Refused
from lib.runlog import Night, Schedule, due_nights, holding_arm, record_night

TEN_PM = datetime(2026, 11, 30, 22, 0, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _utc(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "UTC")
    import time

    time.tzset()


def test_nights_by_hand_count_from_one_each_day(tmp_path: Path) -> None:
    (first,) = due_nights(tmp_path, "bench", TEN_PM)
    assert first.night_id == "bench-2026-11-30-1"
    _run(tmp_path, first)
    (second,) = due_nights(tmp_path, "bench", TEN_PM + timedelta(hours=1))
    assert second.night_id == "bench-2026-11-30-2"
    _run(tmp_path, second)
    (next_day,) = due_nights(tmp_path, "bench", TEN_PM + timedelta(hours=3))
    assert next_day.night_id == "bench-2026-12-01-1"


def test_each_arm_has_nights_of_its_own(tmp_path: Path) -> None:
    _run(tmp_path, *due_nights(tmp_path, "bench", TEN_PM))
    (other,) = due_nights(tmp_path, "shelf", TEN_PM)
    assert other.night_id == "shelf-2026-11-30-1"


def test_a_scheduled_night_goes_by_the_date_it_was_due_also_when_it_starts_after_midnight(
    tmp_path: Path,
) -> None:
    (night,) = due_nights(tmp_path, "bench", TEN_PM + timedelta(hours=3), Schedule(TEN_PM, window_h=8))
    assert night.night_id == "bench-2026-11-30-0"
    assert night.local_date == date(2026, 11, 30)


def test_a_doubled_scheduled_start_is_refused(tmp_path: Path) -> None:
    _run(tmp_path, *due_nights(tmp_path, "bench", TEN_PM, Schedule(TEN_PM, window_h=8)))
    with pytest.raises(Refused, match="bench-2026-11-30-0 has been run"):
        due_nights(tmp_path, "bench", TEN_PM + timedelta(minutes=1), Schedule(TEN_PM, window_h=8))


def test_a_scheduled_start_after_its_window_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="window closed at 06:00"):
        due_nights(tmp_path, "bench", TEN_PM + timedelta(hours=8, seconds=1), Schedule(TEN_PM, window_h=8))
    assert due_nights(tmp_path, "bench", TEN_PM + timedelta(hours=8), Schedule(TEN_PM, window_h=8))


def test_by_hand_an_unfinished_night_is_resumed_instead_of_a_new_one(tmp_path: Path) -> None:
    (killed,) = due_nights(tmp_path, "bench", TEN_PM)
    record_night(tmp_path, killed, "unfinished")
    (resumed,) = due_nights(tmp_path, "bench", TEN_PM + timedelta(days=2))
    assert resumed.night_id == killed.night_id
    assert resumed.started_utc == killed.started_utc


def test_by_schedule_an_unfinished_night_is_resumed_before_the_new_one(tmp_path: Path) -> None:
    (killed,) = due_nights(tmp_path, "bench", TEN_PM)
    record_night(tmp_path, killed, "unfinished")
    tomorrow = TEN_PM + timedelta(days=1)
    nights = due_nights(tmp_path, "bench", tomorrow, Schedule(tomorrow, window_h=8))
    assert [night.night_id for night in nights] == ["bench-2026-11-30-1", "bench-2026-12-01-0"]


def test_two_nights_never_hold_one_arm(tmp_path: Path) -> None:
    with holding_arm(tmp_path, "bench"):
        with pytest.raises(Busy, match="already runs for arm bench"), holding_arm(tmp_path, "bench"):
            pass
        with holding_arm(tmp_path, "shelf"):
            pass


def test_an_arm_is_free_again_when_the_process_that_held_it_was_killed(tmp_path: Path) -> None:
    program = (
        "import sys, time; from pathlib import Path; from lib.runlog import holding_arm\n"
        f"with holding_arm(Path({str(tmp_path)!r}), 'bench'): print('held', flush=True); time.sleep(60)"
    )
    holder = subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, cwd=Path(__file__).parents[3]
    )
    assert holder.stdout is not None
    assert holder.stdout.readline() == b"held\n"
    with pytest.raises(Busy), holding_arm(tmp_path, "bench"):
        pass
    holder.kill()
    holder.wait()
    with holding_arm(tmp_path, "bench"):
        pass


def _run(data_dir: Path, *nights: Night) -> None:
    for night in nights:
        record_night(data_dir, night, "unfinished")
        record_night(data_dir, night, "finished")
