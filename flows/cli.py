"""The command line: parses, loads settings, runs one verb, turns errors into one line and a code.

Verbs live in flows/commands, one file a noun; each imports what it needs when it runs, so that a
lookup does not pay for Prefect.
"""

from __future__ import annotations

import argparse
import os
import sys
import traceback
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from flows.command_parser import CommandParser, UsageError
from flows.commands import VERBS
from flows.leaving import LEAVING
from flows.one_document import ONE_DOCUMENT, OPTION, is_asked_for
from flows.standard_streams import drop_output, open_closed_streams, refused_by_disk
from flows.stopping import stopping_in_order
from lib import settings as settings_module
from lib.errors import NightpickError, error_document
from lib.settings import Settings
from lib.stop import Stopped, asked_to_stop
from lib.visible import visible


def build_parser() -> argparse.ArgumentParser:
    """Return the whole command line, every verb with its own help."""
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument(
        OPTION,
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
    parser = CommandParser(
        prog="nightpick", description="The night shift for a small robot arm.", parents=[common]
    )
    verbs = parser.add_subparsers(dest="verb", metavar="VERB", required=True)
    for add in VERBS:
        add(verbs, common)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; a usage error leaves as argparse does, by SystemExit."""
    given = sys.argv[1:] if arguments is None else arguments
    open_closed_streams()
    ONE_DOCUMENT.begin()
    with stopping_in_order(last_word=lambda wish: _tell(wish, given)):
        code = _run(given)
    if arguments is None:
        LEAVING.leave(code)
    return code


def _run(arguments: Sequence[str]) -> int:
    try:
        args = build_parser().parse_args(arguments)
        args.json = getattr(args, "json", False)
        args.config = getattr(args, "config", None)
        settings = (
            settings_module.Settings() if args.run_without_settings else settings_module.load(args.config)
        )
        code = int(args.run(args, settings) or 0)
        sys.stdout.flush()  # a full disk behind it says so here
        _tidy(settings)
        return code
    except BrokenPipeError:  # `nightpick sql ... | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except UsageError as error:
        raise SystemExit(_tell(error, arguments)) from None
    except (Exception, KeyboardInterrupt) as error:
        return _tell(asked_to_stop() or error, arguments)


def _tidy(settings: Settings) -> None:
    """Close the run log's many small files, where this command has added one more; its answer is out."""
    if "lib.runlog" in sys.modules:
        from lib.runlog import tidy_logs

        sys.stdout.flush()
        tidy_logs(settings.data_dir)


def _tell(error: BaseException, arguments: Sequence[str]) -> int:
    """Say what went wrong, one line for people and one document for machines; return the exit code."""
    if not isinstance(error, NightpickError | KeyboardInterrupt):
        error = refused_by_disk(error) or error
    who = error.command if isinstance(error, UsageError) else "nightpick"
    if isinstance(error, NightpickError):
        code, line, document = error.exit_code, str(error), error.as_json()
    elif isinstance(error, KeyboardInterrupt):
        code = error.exit_code if isinstance(error, Stopped) else 130
        line = str(error) or "stopped"
        document = error_document(line, code, "stopped")
    else:
        code, line = 1, f"{type(error).__name__}: {error} (this is a defect; --debug shows where)"
        document = error_document(line, code, "defect")
    line = visible(line)
    if "--debug" in arguments and not isinstance(error, UsageError):
        traceback.print_exception(error)
    with suppress(OSError):
        if is_asked_for(arguments):
            ONE_DOCUMENT.print_instead(document)
    with suppress(OSError):
        print(f"{who}: {line}", file=sys.stderr, flush=True)
    drop_output()
    return code


if __name__ == "__main__":
    sys.exit(main())
