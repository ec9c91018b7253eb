"""A query ends with the wish to stop it, at whatever moment that comes."""

from __future__ import annotations

import os
import signal
import time
from threading import Thread, Timer
from threading import enumerate as all_threads

import duckdb
import pytest

from lib.runlog.interruptible import interruptible

ENDLESS = "SELECT count(*) FROM range(10000000) a, range(10000000) b WHERE a.range % 7 = b.range % 3"


def test_what_the_work_returns_or_raises_arrives() -> None:
    with duckdb.connect() as con:
        assert interruptible(con, lambda: con.execute("SELECT 6 * 7").fetchall()) == [(42,)]
        with pytest.raises(duckdb.CatalogException, match="nothing"):
            interruptible(con, lambda: con.execute("SELECT * FROM nothing"))


@pytest.mark.parametrize("begun", [False, True], ids=["before its thread starts", "while it starts"])
def test_a_wish_that_comes_with_the_query_ends_it(monkeypatch: pytest.MonkeyPatch, begun: bool) -> None:
    start, before = Thread.start, set(all_threads())

    def at_the_worst_moment(thread: Thread) -> None:
        if begun:
            start(thread)
        raise KeyboardInterrupt

    with duckdb.connect() as con:
        with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
            patched.setattr(Thread, "start", at_the_worst_moment)
            interruptible(con, lambda: con.execute(ENDLESS))
        for thread in set(all_threads()) - before:
            thread.join(10)
            assert not thread.is_alive()
        assert con.execute("SELECT 1").fetchall() == [(1,)]


def test_a_signal_at_any_moment_ends_it() -> None:
    for delay_s in (0.0, 1e-5, 1e-4, 1e-3, 1e-2, 0.1):
        with duckdb.connect() as con:
            began_s = time.monotonic()
            with pytest.raises(KeyboardInterrupt):
                Timer(delay_s, os.kill, (os.getpid(), signal.SIGINT)).start()
                interruptible(con, lambda con=con: con.execute(ENDLESS))  # type: ignore[misc]
            assert time.monotonic() - began_s < 30
