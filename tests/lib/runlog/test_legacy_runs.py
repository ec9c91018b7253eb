"""The published night comes in whole, once, and a log that says something odd changes nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from lib.errors import BadInput
from lib.runlog import ask, connect, import_runs

PUBLISHED = Path(__file__).parents[3] / "tests" / "data" / "log54" / "night_batch.csv"
ROW = "run_0001_20260712_190121,yes,0.97,31.8,fk_row_1007397,30.93,59.23,20.03,-11.77,-86.48,-29.61,"
HEADER = PUBLISHED.read_text().splitlines()[0]


def placements(data_dir: Path) -> list[tuple[object, ...]]:
    with connect(data_dir) as con:
        return con.execute(
            "SELECT run_stem, place, confidence, in_box_dist_mm, fk_row, j5_deg, memory_cell, "
            "height_correction_mm, j4_selected_deg FROM place ORDER BY run_stem"
        ).fetchall()


def test_the_six_published_runs_come_in_with_every_value(tmp_path: Path) -> None:
    result = import_runs(tmp_path, PUBLISHED)
    assert (len(result.imported), result.known) == (6, ())
    rows = placements(tmp_path)
    assert len(rows) == 6
    assert rows[0] == (
        "run_0001_20260712_190121", "yes", 0.97, 31.8, 1007397, -29.61, "place_x-180_z200", 12.0, -86.0,
    )  # fmt: skip


def test_their_median_distance_is_the_published_one(tmp_path: Path) -> None:
    import_runs(tmp_path, PUBLISHED)
    answer = ask(tmp_path, "distances")
    of_night = next(row for row in answer.rows if row[answer.columns.index("memory_cell")] is None)
    assert of_night[answer.columns.index("median_mm")] == 31.0
    assert of_night[answer.columns.index("night_id")] == "imported-2026-07-12"


def test_what_was_not_logged_stays_unknown(tmp_path: Path) -> None:
    import_runs(tmp_path, PUBLISHED)
    with connect(tmp_path) as con:
        assert con.execute(
            "SELECT count(seen_x_m), count(table_version), count(refined) FROM place"
        ).fetchone() == (
            0,
            0,
            0,
        )


def test_a_second_import_changes_nothing_and_says_so(tmp_path: Path) -> None:
    import_runs(tmp_path, PUBLISHED)
    before = placements(tmp_path)
    again = import_runs(tmp_path, PUBLISHED)
    assert (again.imported, len(again.known)) == ((), 6)
    assert placements(tmp_path) == before


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is empty"),
        ("place,conf\nyes,1\n", "no column run_stem"),
        (f"{HEADER}\n{ROW}place_x-180_z200,12.00\n", "13 values, expected 14"),
        (f"{HEADER}\n{ROW}place_x-180_z200,12,00,-86.00\n", "15 values, expected 14"),
        (f"{HEADER}\n{ROW}here,12.00,-86.00\n", "hgt_cell = 'here'"),
        (f"{HEADER}\n{ROW}place_x-180_z200,nan,-86.00\n", "dee_y = 'nan': expected a number"),
        (f"{HEADER}\n{ROW.replace('yes', 'ja')}place_x-180_z200,1,-86\n", "place = 'ja': expected yes, no"),
        (f"{HEADER}\n{ROW.replace('0.97', '97')}place_x-180_z200,1,-86\n", "conf = '97': expected 0 to 1"),
        (f"{HEADER}\n{ROW.replace('0712', '1332')}place_x-180_z200,1,-86\n", "run_stem = 'run_0001_20261332"),
        (f"{HEADER}\n" + f"{ROW}place_x-180_z200,1,-86\n" * 2, "stands there twice"),
        (f'{HEADER}\n{ROW}"place\n', "expected a CSV of legacy runs"),
    ],
)
def test_a_log_that_says_something_odd_is_refused_whole(tmp_path: Path, text: str, said: str) -> None:
    log = tmp_path / "odd.csv"
    log.write_text(text)
    with pytest.raises(BadInput) as refused:
        import_runs(tmp_path / "data", log)
    assert said in str(refused.value)
    assert str(log) in str(refused.value)
    assert "\n" not in str(refused.value)
    assert placements(tmp_path / "data") == []


def test_a_log_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="cannot be read: No such file"):
        import_runs(tmp_path, tmp_path / "none.csv")
