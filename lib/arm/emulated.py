"""The emulated arm as a child of the process that drives it, or the one that already runs for a data folder."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from lib.arm.firmware.serving import Emulated, running
from lib.errors import Refused
from lib.settings import Settings

ROOT = Path(__file__).parents[2]


def registration(data_dir: Path) -> Path:
    """Return the file by which a data folder's emulated arm is found."""
    return data_dir / "arm" / "emulated.json"


def running_emulated(data_dir: Path) -> Emulated | None:
    """Return the emulated arm that runs for a data folder, if any."""
    return running(registration(data_dir))


class EmulatedChild:
    """An emulated arm that ends with the process that started it."""

    def __init__(self, settings: Settings, *, body: str, register: bool = True, **more: Any) -> None:
        """Start it; raises Refused where it does not come up.

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
        line = self._process.stdout.readline()
        answer = json.loads(line) if line else {"error": "it ended at its start"}
        if "error" in answer:
            self.close()
            raise Refused(f"the emulated arm does not start: {answer['error']}")
        self.where = Emulated(**answer)

    def close(self) -> None:
        """End it."""
        os.close(self._holding)
        self._process.terminate()
        self._process.wait(timeout=10)
        assert self._process.stdout is not None
        self._process.stdout.close()


def _given(tree: Mapping[str, Any]) -> dict[str, Any]:
    """Return nested settings without those that are unset."""
    given = {}
    for name, value in tree.items():
        if isinstance(value, Mapping):
            given[name] = _given(value)
        elif value is not None:
            given[name] = str(value) if isinstance(value, Path) else value
    return given
