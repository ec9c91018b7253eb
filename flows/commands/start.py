"""`nightpick init`: the first minute on a new machine."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from flows.commands.verb import add_verb, print_json
from lib.disk import whole_file
from lib.settings import FILE_NAME, Settings, load
from lib.settings_template import template


def add_init(verbs: Any, common: argparse.ArgumentParser) -> None:
    """Add `init`."""
    add_verb(
        verbs,
        common,
        "init",
        _init,
        does="write the commented settings file and the first scan requests",
        example="nightpick init",
        without_settings=True,
    )


def _init(args: argparse.Namespace, _: Settings) -> int:
    path: Path = args.config or Path.cwd() / FILE_NAME
    created = []
    if not path.exists():
        with whole_file(path) as beside:
            beside.write_text(template(), encoding="utf-8")
        created.append(str(path))
    created += [str(request) for request in _write_requests(load(path))]
    if args.json:
        print_json({"created": created})
    else:
        print("\n".join(f"wrote {name}" for name in created) or f"{path} is already there, left as it is")
        if str(path) in created:
            print("every setting in it is at its default: uncomment what you want to change")
    return 0


def _write_requests(settings: Settings) -> list[Path]:
    from lib.cell import write_first_requests
    from lib.scan import requests_folder

    return write_first_requests(requests_folder(settings.data_dir))
