"""The command line: parses, loads settings, runs one verb, turns errors into one line and a code.

Verbs live in flows/commands, one file a noun; each imports what it needs when it runs, so that a
lookup does not pay for Prefect.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from flows.commands import VERBS
from lib import settings as settings_module
from lib.errors import NightpickError
from lib.settings_reading import plain_float, plain_int


class _Parser(argparse.ArgumentParser):
    """Usage errors as one line with exit code 2; ``-1e-3`` and ``-35,70`` are values, not options."""

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        self._negative_number_matcher = re.compile(r"^-(\.?\d|inf|nan)", re.IGNORECASE)
        self.register("type", float, plain_float)
        self.register("type", int, plain_int)

    def error(self, message: str) -> None:  # type: ignore[override]
        self.exit(2, f"{self.prog}: {message}; see `{self.prog} --help`\n")


def build_parser() -> argparse.ArgumentParser:
    """Return the whole command line, every verb with its own help."""
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument(
        "--json",
        action="store_true",
        default=argparse.SUPPRESS,
        help="one JSON document on stdout, logs on stderr",
    )
    common.add_argument(
        "--config",
        type=Path,
        metavar="FILE",
        default=argparse.SUPPRESS,
        help="settings file (default: the nearest nightpick.toml)",
    )
    common.add_argument(
        "--debug", action="store_true", default=argparse.SUPPRESS, help="show the traceback of an error"
    )
    parser = _Parser(prog="nightpick", description="The night shift for a small robot arm.", parents=[common])
    verbs = parser.add_subparsers(dest="verb", metavar="VERB", required=True)
    for add in VERBS:
        add(verbs, common)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    args = build_parser().parse_args(arguments)
    args.json = getattr(args, "json", False)
    args.config = getattr(args, "config", None)
    debug = getattr(args, "debug", False)
    try:
        settings = (
            settings_module.Settings() if args.run_without_settings else settings_module.load(args.config)
        )
        return int(args.run(args, settings) or 0)
    except NightpickError as error:
        if debug:
            raise
        if args.json:
            print(json.dumps(error.as_json()))
        print(f"nightpick: {error}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        print("nightpick: stopped", file=sys.stderr)
        return 130
    except BrokenPipeError:  # `nightpick sql ... | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        if debug:
            raise
        print(
            f"nightpick: {type(error).__name__}: {error} (this is a defect; --debug shows where)",
            file=sys.stderr,
        )
        return 1


if __name__ == "__main__":
    sys.exit(main())
