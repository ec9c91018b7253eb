"""`nightpick up`: server, deployments and worker for this machine, one process to stop."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any

from flows.commands.verb import add_verb, print_json
from lib.settings import Settings, settings_file

if TYPE_CHECKING:
    from flows.serving.server import Server


def add_up(verbs: Any, common: argparse.ArgumentParser) -> None:
    """Add `up`."""
    add_verb(
        verbs,
        common,
        "up",
        _up,
        does="keep server, schedules and worker of this machine running until Ctrl-C",
        example="nightpick up",
    )


def _up(args: argparse.Namespace, settings: Settings) -> int:
    from flows.serving.server import owning

    is_up = False

    def tell(server: Server, deployed: list[str]) -> None:
        nonlocal is_up
        is_up = True
        _tell(args, server, deployed)

    try:
        with owning(settings, "up", settings_file(args.config)) as server:
            if server.child is not None:
                _say(f"starting the Prefect server at {server.ui_url} (20 s the first time, then 8 s)")
            from flows.serving.up import keep_up  # imports Prefect, while the server starts

            keep_up(settings, server, lambda deployed: tell(server, deployed), _say)
    except KeyboardInterrupt:
        if not is_up:  # no end of a day: a machine still waits for its document
            raise
        _say("stopped; the schedules stay")
    return 0


def _tell(args: argparse.Namespace, server: Server, deployed: list[str]) -> None:
    if args.json:
        print_json({"ui_url": server.ui_url, "api_url": server.api_url, "deployments": deployed})
    else:
        print(f"deployed {', '.join(deployed)}")
        print(f"nightpick is up: {server.ui_url} (Ctrl-C ends it)")
    sys.stdout.flush()


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
