"""A study: played in processes at once, recorded, ranked the same by any seeds; the variant of the batch."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import CancelledError
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from lib.errors import BadInput, CheckFailed, Refused
from lib.motion import (
    Players,
    Ranked,
    Study,
    StudyResult,
    begin_study,
    choose_variant,
    chosen_variant,
    end_study,
    last_ranks,
    playing,
    read_frame_log,
)
from lib.runlog import connect
from lib.settings import Settings
from lib.settings_motion import Approach

ROOT = Path(__file__).parents[3]
TWO = ("high-fast", "low-fast")


def settings(data_dir: Path, processes: int = 2) -> Settings:
    plain = Settings(data_dir=data_dir)
    return replace(plain, motion=replace(plain.motion, processes=processes))


def study(of: Settings, repeats: int = 2, seed: int = 0, names: tuple[str, ...] | None = TWO) -> StudyResult:
    begun = begin_study(of, repeats, seed, names)
    with playing(of, begun.robot, begun.frames_folder) as players:
        return end_study(of, begun, players.play(begun.jobs))


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Settings, StudyResult]:
    of = settings(tmp_path_factory.mktemp("study") / "data")
    odd = replace(
        of.motion, approaches=type(of.motion.approaches)({**of.motion.approaches, "far": Approach(up_m=0.45)})
    )
    of = replace(of, motion=odd)
    return of, study(of, names=(*TWO, "far-slow"))


def test_every_run_is_a_row_with_its_scores_and_every_transition_another(
    played: tuple[Settings, StudyResult],
) -> None:
    of, result = played
    with connect(of.data_dir) as con:
        runs = con.execute(
            "SELECT variant, repeat, seed, state, placed, spectral_arc_length, json_array_length(diagnoses) "
            "FROM motion_run WHERE repeat IS NOT NULL ORDER BY variant, repeat"
        ).fetchall()
        steps = con.execute(
            "SELECT run_stem, count(*), max(at_s) FROM run_state GROUP BY run_stem"
        ).fetchall()
        unfinished = con.execute("SELECT count(*) FROM motion_run WHERE state = 'unfinished'").fetchone()
    assert [run[:5] for run in runs] == [
        (name, repeat, repeat - 1, "complete", True) for name in TWO for repeat in (1, 2)
    ]
    assert all(-1.7 < run[5] < -1.3 and run[6] == 4 for run in runs)
    assert {(count, stem) for stem, count, _ in steps} == {
        (8, outcome.run_stem) for outcome in result.outcomes
    }
    assert unfinished == (0,)


def test_the_files_of_a_study_are_a_csv_a_variant_and_a_frame_log_a_run(
    played: tuple[Settings, StudyResult],
) -> None:
    of, result = played
    folder = result.study.folder
    assert sorted(path.name for path in (folder / "variants").iterdir()) == [f"{name}.csv" for name in TWO]
    assert sorted(path.name for path in (folder / "frames").iterdir()) == [
        f"{name}-r{repeat}.csv" for name in TWO for repeat in (1, 2)
    ]
    with connect(of.data_dir) as con:
        (file,) = con.execute(
            "SELECT frame_log FROM motion_run WHERE variant = 'low-fast' AND repeat = 2"
        ).fetchall()[0]
    log = read_frame_log(of.data_dir / file)
    told = (folder / "variants" / "low-fast.csv").read_text().splitlines()
    assert len(log) == len(told) - 1
    assert [row.split(",")[2] for row in told[1:]] == log.states.tolist()


def test_an_infeasible_variant_is_recorded_with_its_rule_and_not_played(
    played: tuple[Settings, StudyResult],
) -> None:
    of, result = played
    assert [planned.variant.name for planned in result.study.infeasible] == ["far-slow"]
    (row,) = json.loads(json.dumps(result.as_json()))["infeasible"]
    assert (row["variant"], row["rule"]) == ("far-slow", "reach")
    assert row["numbers"]["place_error_m"] > 0.1
    last = {rank.variant: rank for rank in last_ranks(of.data_dir)}["far-slow"]
    assert last.place is None and last.infeasible_because == row["says"]


def test_a_variant_becomes_the_batchs_by_name_and_only_one_that_may(
    played: tuple[Settings, StudyResult],
) -> None:
    of, _ = played
    assert chosen_variant(of.data_dir) is None
    chosen = choose_variant(of, "high-fast")
    assert chosen_variant(of.data_dir) == chosen
    assert chosen.move_s == 1.5 and chosen.approach.up_m == 0.08
    with pytest.raises(Refused, match='"far-slow" is infeasible: waypoint before the cup: the nearest pose'):
        choose_variant(of, "far-slow")
    with pytest.raises(BadInput, match="no study has played it; run `nightpick motions run` first"):
        choose_variant(of, "side-slow")
    with pytest.raises(BadInput, match="no such variant"):
        choose_variant(of, "../../etc")
    assert chosen_variant(of.data_dir) == chosen  # what was refused changed nothing


def test_a_variant_that_did_not_put_the_cup_down_in_every_repeat_is_not_chosen(tmp_path: Path) -> None:
    of = settings(tmp_path / "data", processes=1)
    weak = replace(of, cell=replace(of.cell, grip_force_n=0.45))
    study(weak, repeats=1, names=("low-fast",))
    with pytest.raises(CheckFailed, match="passed the gates in 0 of 1 repeats"):
        choose_variant(of, "low-fast")


def test_a_damaged_choice_says_how_to_choose_again(tmp_path: Path) -> None:
    (tmp_path / "motions").mkdir()
    (tmp_path / "motions" / "chosen.json").write_text('{"approach_name": "high"')
    with pytest.raises(BadInput, match="choose again with"):
        chosen_variant(tmp_path)


def test_one_process_and_two_find_the_same_to_the_last_bit(tmp_path: Path) -> None:
    one, two = (study(settings(tmp_path / str(n), n), repeats=1, names=("high-fast",)) for n in (1, 2))
    assert [o.scores for o in one.outcomes] == [o.scores for o in two.outcomes]
    logs = [result.outcomes[0].frame_log.read_text() for result in (one, two)]
    assert logs[0] == logs[1]


def test_players_end_when_who_started_them_is_killed(tmp_path: Path) -> None:
    program = subprocess.Popen(
        [sys.executable, "-c", PLAYS_FOR_EVER, str(tmp_path / "data")],
        cwd=ROOT, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert program.stdout is not None
    players = [int(pid) for pid in program.stdout.readline().split()]
    assert len(players) == 2
    program.send_signal(signal.SIGKILL)
    program.wait()
    deadline_s = time.monotonic() + 10
    while any(alive(pid) for pid in players):
        assert time.monotonic() < deadline_s, "a player outlived the study"
        time.sleep(0.1)


def test_a_study_that_is_stopped_ends_at_once_and_its_runs_say_so(tmp_path: Path) -> None:
    of = settings(tmp_path / "data")
    begun = begin_study(of, 5, 0, ("high-slow",))
    with pytest.raises(KeyboardInterrupt), playing(of, begun.robot, begun.frames_folder) as players:
        thread = threading.Thread(target=lambda: suppressed(players, begun), daemon=True)
        thread.start()
        while not recorded(of.data_dir, "SELECT 1 FROM run_state WHERE state = 'LIFTING'"):
            time.sleep(0.1)
        raise KeyboardInterrupt
    ends = recorded(of.data_dir, "SELECT DISTINCT state, reason FROM motion_run")
    assert set(ends) <= {("aborted", "stopped"), ("complete", ends[0][1])} and ("aborted", "stopped") in ends


def suppressed(players: Players, begun: Study) -> None:
    with suppress(CancelledError):
        players.play(begun.jobs)


def recorded(data_dir: Path, question: str) -> list[tuple[object, ...]]:
    with connect(data_dir) as con:
        return con.execute(question).fetchall()


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return "Z" not in Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1][:3]


PLAYS_FOR_EVER = """
import sys, threading, time
from dataclasses import replace
from pathlib import Path
from lib.motion import begin_study, playing
from lib.settings import Settings

if __name__ == "__main__":
    plain = Settings(data_dir=Path(sys.argv[1]))
    settings = replace(plain, motion=replace(plain.motion, processes=2))
    study = begin_study(settings, 50, 0, ["high-fast"])
    with playing(settings, study.robot, study.frames_folder) as players:
        threading.Thread(target=players.play, args=(study.jobs,), daemon=True).start()
        while len(list(study.frames_folder.glob("*.csv"))) < 2:
            time.sleep(0.1)
        print(*players.process_ids, flush=True)
        time.sleep(600)
"""


@pytest.mark.slow
def test_the_ranking_of_the_twelve_is_the_same_for_other_seeds_but_for_declared_ties(tmp_path: Path) -> None:
    rankings = [study(settings(tmp_path / str(seed)), 5, seed, None).ranked for seed in (0, 100)]
    assert [len(ranking) for ranking in rankings] == [12, 12]
    assert contradictions(*rankings) == []
    assert {r.name for r in rankings[0] if r.on_front} == {r.name for r in rankings[1] if r.on_front}


@pytest.mark.slow
def test_the_ranking_of_some_is_the_same_for_other_seeds_but_for_declared_ties(tmp_path: Path) -> None:
    some = ("high-fast", "standard-fast")
    rankings = [study(settings(tmp_path / str(seed)), 5, seed, some).ranked for seed in (0, 100)]
    assert contradictions(*rankings) == []
    assert [ranking[0].name for ranking in rankings] == ["high-fast", "high-fast"]


def contradictions(one: tuple[Ranked, ...], other: tuple[Ranked, ...]) -> list[tuple[str, str]]:
    """Return the pairs of variants that both rankings tell apart, but the other way round."""
    places = [{ranked.name: ranked for ranked in ranking} for ranking in (one, other)]
    return [
        (a, b)
        for a in places[0]
        for b in places[0]
        if all(b not in place[a].tied_with for place in places)
        and places[0][a].median_rank < places[0][b].median_rank
        and places[1][a].median_rank > places[1][b].median_rank
    ]
