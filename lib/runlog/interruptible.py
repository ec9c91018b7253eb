"""A query that a person may stop: Python hears Ctrl-C only while it waits in a place of its own."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, wait
from threading import Thread
from typing import TypeVar

import duckdb

T = TypeVar("T")

_LOOK_AGAIN_S = 0.05


def interruptible(con: duckdb.DuckDBPyConnection, work: Callable[[], T]) -> T:
    """Return what ``work`` returns, done with ``con`` in a thread of its own; raises what it raises.

    A KeyboardInterrupt while it is waited for ends the query, and is raised when that has ended.
    """
    # No executor: a Ctrl-C that comes while one starts its thread leaves a query nobody can reach.
    done: Future[T] = Future()
    try:
        Thread(target=_fulfil, args=(done, work)).start()
        # A signal that comes just before Python blocks does not wake it, so it never blocks for long.
        while not wait([done], timeout=_LOOK_AGAIN_S).done:
            pass
        return done.result()
    except KeyboardInterrupt:
        if not done.cancel():
            while not done.done():  # DuckDB forgets an interrupt that comes before the query
                con.interrupt()
                wait([done], timeout=_LOOK_AGAIN_S)
        raise


def _fulfil(done: Future[T], work: Callable[[], T]) -> None:
    if not done.set_running_or_notify_cancel():
        return
    try:
        done.set_result(work())
    except BaseException as error:  # whatever it is, who waits is to get it
        done.set_exception(error)
