"""Run an emulated arm as a process of its own: ``python -m lib.arm.firmware < request.json``.

The request, one JSON object on standard input, holds the settings that differ from the defaults and what
``emulation`` takes; the answer, one JSON line, says where the arm is reached. A pipe given as ``lifeline``
ends the process when its other end is closed.
"""

from __future__ import annotations

import json
import signal
import sys
from pathlib import Path
from typing import Any

from lib.arm.firmware.faults import Faults
from lib.arm.firmware.serving import emulation
from lib.errors import NightpickError
from lib.settings import Settings
from lib.settings_reading import overlay


def main() -> int:
    """Serve until SIGTERM, SIGINT or the end of the lifeline; return the exit code."""
    try:
        request: dict[str, Any] = json.loads(sys.stdin.readline())
        settings = overlay(Settings(), request["settings"], "request", "")
        with emulation(
            settings,
            body=request["body"],
            faults=Faults().with_changes(request.get("faults", {})),
            powered=request.get("powered", False),
            joints_deg=tuple(request.get("joints_deg", (0.0,) * 6)),
            listen=request.get("listen"),
            lifeline=request.get("lifeline"),
            registered_at=Path(request["registered_at"]) if request.get("registered_at") else None,
        ) as (where, arm):
            for name in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
                signal.signal(name, lambda *_: arm.end())
            print(json.dumps(where.as_json()), flush=True)
            arm.run()
    except NightpickError as error:
        print(json.dumps(error.as_json()), flush=True)
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main())
