"""`nightpick report`: the morning page of a night."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from flows.commands.verb import add_verb, print_json
from lib.settings import Settings


def add_report(verbs: Any, common: argparse.ArgumentParser) -> None:
    """Add `report`."""
    parser = add_verb(
        verbs,
        common,
        "report",
        _report,
        does="write the morning page of the last night, or of the nights of a date",
        example="nightpick report 2026-11-30 --open",
    )
    parser.add_argument(
        "date", metavar="DATE", nargs="?", help="a local date, or a night's id (default: the last night)"
    )
    parser.add_argument("--open", action="store_true", help="show it in the browser")


def _report(args: argparse.Namespace, settings: Settings) -> None:
    from lib.errors import BadInput
    from lib.report import nights_asked, write_night_page

    nights = nights_asked(settings.data_dir, args.date)
    if not nights:
        raise BadInput(f"{settings.data_dir}: no night has run yet; `nightpick night` runs one")
    pages = {night_id: write_night_page(settings, night_id) for night_id in nights}
    if args.json:
        print_json([{"night_id": night_id, "report": str(page)} for night_id, page in pages.items()])
    else:
        for page in pages.values():
            print(f"report: {page}")
    if args.open:
        _open(list(pages.values())[-1])


def _open(page: Path) -> None:
    import webbrowser

    if not webbrowser.open(page.resolve().as_uri()):
        print(f"no browser could be started here; open {page} by hand", file=sys.stderr)
