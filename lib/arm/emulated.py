"""The emulated arm: a child of the process that drives it, or the one that runs for a data folder."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import asdict
from functools import cached_property
from pathlib import Path
from typing import Any

from lib.arm.registration import Emulated, registration
from lib.errors import BadInput, NightpickError, Refused
from lib.settings import Settings

ROOT = Path(__file__).parents[2]


class EmulatedChild:
    """An emulated arm that ends with the process that started it."""

    def __init__(self, settings: Settings, *, body: str, register: bool = True, **more: Any) -> None:
        """Start it; it comes up while its caller goes on, until that asks ``where`` it is.

        ``more`` is what a firmware takes besides: faults, powered, joints_deg, listen.
        """
        lifeline, self._holding = os.pipe()
        request = {
            "settings": _given(asdict(settings)),
            "body": body,
            "lifeline": lifeline,
            "registered_at": str(registration(settings.data_dir)) if register else None,
            **more,
        }
        self._process = subprocess.Popen(
            [sys.executable, "-m", "lib.arm.firmware"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            pass_fds=[lifeline],
            # A Ctrl-C is for the driver: its stop has to be heard.
            start_new_session=True,
        )
        os.close(lifeline)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(request).encode() + b"\n")
        self._process.stdin.close()

    @cached_property
    def where(self) -> Emulated:
        """Where it is reached; waits until it is up, raises Refused where it does not come up."""
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        answer = json.loads(line) if line else {"error": "it ended at its start"}
        if "error" in answer:
            raise _as_it_said(answer["error"])
        return Emulated(**answer)

    def close(self) -> None:
        """End it."""
        self._process.terminate()
        os.close(self._holding)
        self._process.wait(timeout=10)
        assert self._process.stdout is not None
        self._process.stdout.close()


def _as_it_said(error: Any) -> NightpickError:
    """Return what ended the child at its start: a wrong setting is bad input, anything else a refusal."""
    if isinstance(error, Mapping) and error.get("kind") == BadInput.kind:
        return BadInput(str(error["message"]))
    said = error["message"] if isinstance(error, Mapping) else error
    return Refused(f"the emulated arm does not start: {said}")


def _given(tree: Mapping[str, Any]) -> dict[str, Any]:
    """Return nested settings without those that are unset."""
    given: dict[str, Any] = {}
    for name, value in tree.items():
        if isinstance(value, Mapping):
            given[name] = _given(value)
        elif value is not None:
            given[name] = str(value) if isinstance(value, Path) else value
    return given
