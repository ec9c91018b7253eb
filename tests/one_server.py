"""What goes to one worker: a file's tests, for what is dear to make is made once; all that use Prefect.

A server of its own takes half a minute, so files marked ``xdist_group("prefect")`` share one. The plugin's
own ``--dist loadgroup`` does not see that under pytest 9, for the node ids it renames are read no more.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest
from xdist.scheduler import LoadScopeScheduling  # type: ignore[import-untyped]

ROOT = Path(__file__).parents[1]
MARK = 'xdist_group("prefect")'


class OneServer(LoadScopeScheduling):
    """Hands out files, and those that use the server together."""

    def _split_scope(self, nodeid: str) -> str:
        return scope(nodeid)


def scope(nodeid: str) -> str:
    """Return what a test is handed out with."""
    file = nodeid.split("::", 1)[0]
    return "prefect" if _is_marked(file) else file


@cache
def _is_marked(file: str) -> bool:
    return MARK in (ROOT / file).read_text(encoding="utf-8")


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> OneServer:
    """Called by the plugin."""
    return OneServer(config, log)
