"""`nightpick night`: the whole night, now."""

from __future__ import annotations

import argparse
import logging
import os
import sys
from typing import Any

from flows.command_parser import zero_or_more
from flows.commands.verb import add_verb, print_json
from lib.settings import Settings, settings_file


def add_night(verbs: Any, common: argparse.ArgumentParser) -> None:
    """Add `night`."""
    parser = add_verb(
        verbs,
        common,
        "night",
        _night,
        does="run the whole night now; one that was killed is finished first",
        example="nightpick night --seed 7",
    )
    parser.add_argument("--runs", type=zero_or_more, metavar="N", help="pick-place runs")
    parser.add_argument("--seed", type=zero_or_more, metavar="S", help="seed of the simulated cell")


def _night(args: argparse.Namespace, settings: Settings) -> int:
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

        outcome = run_and_tell(settings, server, args.seed)
        if not is_healthy(server.api_url):
            LEAVING.be_at_once()
    if args.runs:
        _say(f"--runs {args.runs}: no arm stage yet, so no block was moved")
    if args.json:
        print_json(outcome.as_json())
    else:
        print(outcome.text())
    return 0 if outcome.ok else 1


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
