"""`nightpick doctor`: what is installed, reachable, writable; each line ok or what to do."""

from __future__ import annotations

import argparse
from typing import Any

from flows.commands.verb import add_verb, print_json
from lib import settings as settings_module
from lib.settings import Settings
from lib.visible import visible


def add_doctor(verbs: Any, common: argparse.ArgumentParser) -> None:
    """Add `doctor`."""
    add_verb(
        verbs,
        common,
        "doctor",
        _doctor,
        does="say what is installed, reachable and writable, and what to do about the rest",
        example="nightpick doctor",
    )


def _doctor(args: argparse.Namespace, settings: Settings) -> int:
    from lib.doctor import examine

    findings = []
    for finding in [*examine(settings, settings_module.settings_file(args.config)), _server(settings)]:
        findings.append(finding)
        if not args.json:
            todo = f"; {finding.todo}" if not finding.ok and finding.todo else ""
            print(visible(f"{'ok ' if finding.ok else 'NO '} {finding.name:12} {finding.found}{todo}"))
    ok = all(finding.ok for finding in findings)
    if args.json:
        print_json({"ok": ok, "findings": [finding.as_json() for finding in findings]})
    return 0 if ok else 1


def _server(settings: Settings) -> Any:
    from flows.serving.server import running
    from lib.doctor import Finding

    server = running(settings)
    if server is not None:
        return Finding("prefect", True, f"{server.ui_url} answers (run by {server.owner})")
    if settings.prefect.api_url:
        return Finding(
            "prefect",
            False,
            f"prefect.api_url = {settings.prefect.api_url!r} does not answer",
            "start that server, correct the address, or unset it to have a child server",
        )
    return Finding("prefect", True, "none runs; `nightpick night` and `nightpick up` start one")
