"""`nightpick arm watch`: the joints, live, until Ctrl-C; moves nothing."""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from flows.commands.verb import add_verb, print_json
from lib.settings import Settings

PERIOD_S = 0.2


def add_watch(group: Any, common: argparse.ArgumentParser) -> None:
    """Add `arm watch`."""
    parser = add_verb(
        group, common, "watch", _watch,
        does="show the joints live until Ctrl-C; moves nothing",
        example="nightpick arm watch --for 10",
    )  # fmt: skip
    parser.add_argument(
        "--for", dest="for_s", type=float, default=math.inf, metavar="S", help="end after S seconds"
    )


def _watch(args: argparse.Namespace, settings: Settings) -> int:
    from flows.commands.arm_text import say_if_alone
    from lib.arm import looking, watched

    say_if_alone(settings)
    readings: list[dict[str, object]] = []
    try:
        with looking(settings) as arm, _shown(args.json) as show:
            until_s = time.monotonic() + args.for_s
            for seen in watched(arm, PERIOD_S):
                show(seen.line)
                if args.json:
                    readings.append(seen.as_json())
                if time.monotonic() >= until_s:
                    break
    except KeyboardInterrupt:
        pass  # that is how a watch ends
    if args.json:
        print_json({"readings": readings})
    return 0


@contextmanager
def _shown(as_json: bool) -> Iterator[Callable[[str], None]]:
    """Yield what shows a line: in place on a terminal, one below the other elsewhere."""
    if as_json:
        yield lambda line: None
    elif sys.stdout.isatty():
        from rich.live import Live
        from rich.text import Text

        with Live(refresh_per_second=1 / PERIOD_S, transient=False) as live:
            yield lambda line: live.update(Text(line))
    else:
        yield lambda line: print(line, flush=True)
