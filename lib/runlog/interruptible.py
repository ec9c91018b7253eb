"""A query that a person may stop: Python hears Ctrl-C only while it waits in a place of its own."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from typing import TypeVar

import duckdb

T = TypeVar("T")

_AGAIN_AFTER_S = 0.05


def interruptible(con: duckdb.DuckDBPyConnection, work: Callable[[], T]) -> T:
    """Return what ``work`` returns, done with ``con`` in a thread of its own; raises what it raises.

    A KeyboardInterrupt while it is waited for ends the query, and is raised when that has ended.
    """
    with ThreadPoolExecutor(1) as aside:
        done = aside.submit(work)
        try:
            return done.result()
        except KeyboardInterrupt:
            while not done.done():  # DuckDB forgets an interrupt that comes before the query
                con.interrupt()
                wait([done], timeout=_AGAIN_AFTER_S)
            raise
