"""`nightpick import-runs`: take in the log of a batch that ran before nightpick did."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from flows.commands.verb import add_verb, print_json
from lib.settings import Settings


def add_import_runs(verbs: Any, common: argparse.ArgumentParser) -> None:
    """Add `import-runs`."""
    parser = add_verb(
        verbs,
        common,
        "import-runs",
        _import,
        does="take in the runs of a legacy log; those known already stay as they are",
        example="nightpick import-runs night_batch.csv",
    )
    parser.add_argument("file", type=Path, metavar="FILE", help="CSV with one row a run, keyed by run_stem")


def _import(args: argparse.Namespace, settings: Settings) -> None:
    from lib.runlog import import_runs

    result = import_runs(settings.data_dir, args.file)
    if args.json:
        return print_json(result.as_json())
    known = f", {len(result.known)} known already" if result.known else ""
    print(f"{result.file}: {len(result.imported)} runs imported{known}; `nightpick ask distances` shows them")
    return None
