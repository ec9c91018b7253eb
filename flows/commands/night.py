"""`nightpick night`: the whole night, now; `nightpick batch`: its stages at the arm alone."""

from __future__ import annotations

import argparse
import logging
import os
import sys
from collections.abc import Callable
from typing import Any

from flows.command_parser import runs_of_a_night, zero_or_more
from flows.commands.verb import add_verb, print_json
from lib.settings import Settings, settings_file


def add_night(verbs: Any, common: argparse.ArgumentParser) -> None:
    """Add `night`."""
    parser = add_verb(
        verbs,
        common,
        "night",
        _night,
        does="run the whole night now, or finish the one that was cut off",
        example="nightpick night --runs 6 --seed 7",
    )
    _add_arguments(parser)


def add_batch(verbs: Any, common: argparse.ArgumentParser) -> None:
    """Add `batch`."""
    parser = add_verb(
        verbs,
        common,
        "batch",
        _batch,
        does="home the arm and do pick-place runs now, or finish the night that was cut off",
        example="nightpick batch --runs 3",
    )
    _add_arguments(parser)


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--runs", type=runs_of_a_night, metavar="N", help="pick-place runs, instead of the setting batch.runs"
    )
    parser.add_argument("--seed", type=zero_or_more, metavar="S", help="seed of the simulated cell")


def _night(args: argparse.Namespace, settings: Settings) -> int:
    def run() -> None:
        from flows.night import night

        night(seed=args.seed, runs=args.runs)

    return _run(args, settings, "night", run)


def _batch(args: argparse.Namespace, settings: Settings) -> int:
    def run() -> None:
        from flows.pick_place_batch import pick_place_batch

        pick_place_batch(seed=args.seed, runs=args.runs)

    return _run(args, settings, "batch", run)


def _run(args: argparse.Namespace, settings: Settings, verb: str, run: Callable[[], None]) -> int:
    from flows.arm_lock import holding_the_arm
    from flows.leaving import LEAVING
    from flows.serving.server import is_healthy, serving
    from flows.stopping import waiting_for

    # The lines below are what a person sees; Prefect's own go to its server and to the log file.
    os.environ.setdefault("PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL", "CRITICAL")
    os.environ.setdefault("PREFECT_LOGGING_INTERNAL_LEVEL", "CRITICAL")
    logging.raiseExceptions = False
    with (
        holding_the_arm(settings),
        waiting_for(lambda: "the Prefect server ends"),
        serving(settings, "night", settings_file(args.config)) as server,
    ):
        if server.child is not None:
            _say("starting the Prefect server (20 s the first time, then 8 s)")
            LEAVING.be_at_once()
        from flows.night_run import run_and_tell  # imports Prefect, while the server starts

        outcome = run_and_tell(settings, server, run, verb)
        if not is_healthy(server.api_url):
            LEAVING.be_at_once()
    if args.json:
        print_json(outcome.as_json())
    else:
        print(outcome.text())
    return 0 if outcome.ok else 1


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
