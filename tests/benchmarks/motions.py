"""Play a study's variants one after another and several at once: the same figures in less time.

    .venv/bin/python tests/benchmarks/motions.py [--repeats N] [--only NAME...]

Both in turn in this run, so that one machine's mood hits both.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from lib.motion import begin_study, end_study, playing  # noqa: E402
from lib.settings import Settings  # noqa: E402


def main() -> None:
    """Time both ways and say how much faster the second is."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--repeats", type=int, default=1)
    arguments.add_argument("--only", nargs="+")
    args = arguments.parse_args()
    took_s, simulated_s, scores = {}, {}, {}
    for processes in (1, os.cpu_count() or 2):
        with tempfile.TemporaryDirectory() as folder:
            plain = Settings(data_dir=Path(folder))
            settings = replace(plain, motion=replace(plain.motion, processes=processes))
            study = begin_study(settings, args.repeats, 0, args.only)
            started_s = time.perf_counter()
            with playing(settings, study.robot, study.frames_folder) as players:
                outcomes = players.play(study.jobs)
            took_s[processes] = time.perf_counter() - started_s
            simulated_s[processes] = sum(float(outcome.log.time_s[-1]) for outcome in outcomes)
            scores[processes] = [outcome.scores for outcome in end_study(settings, study, outcomes).outcomes]
        print(
            f"{processes} at once: {len(outcomes)} runs, {simulated_s[processes]:.0f} s of motion in "
            f"{took_s[processes]:.1f} s, {simulated_s[processes] / took_s[processes]:.0f} times real time"
        )
    one, several = took_s
    same = "the same" if scores[one] == scores[several] else "DIFFERENT"
    print(f"{several} at once is {took_s[one] / took_s[several]:.2f} times as fast; the scores are {same}")


if __name__ == "__main__":
    main()
