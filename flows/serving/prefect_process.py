"""Run Prefect's own command and end with it: taking its modules apart afterwards costs another 2 s.

    python prefect_process.py server start --host 127.0.0.1 --port 4200

By then it has said "Server stopped!" and its database is closed.
"""

from __future__ import annotations

import os
import runpy
import sys


def main() -> int:
    """Run the command; return its exit code."""
    try:
        runpy.run_module("prefect", run_name="__main__", alter_sys=True)
    except SystemExit as left:
        if isinstance(left.code, str):
            print(left.code, file=sys.stderr)
            return 1
        return left.code or 0
    return 0


if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)
