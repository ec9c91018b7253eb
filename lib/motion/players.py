"""Many runs at once: one process a player, each with cells of its own.

A player ends by itself when the process that started it is gone, also by kill -9: nobody would fetch
its result.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing.synchronize import Event
from pathlib import Path

from lib.errors import NightpickError
from lib.motion.job import Job, Outcome, play_job
from lib.robot import Robot
from lib.runlog import tied_ids
from lib.settings import Settings

_LOOK_S = 1.0


class Players:
    """Plays jobs in processes; use it as ``with playing(...) as players``."""

    def __init__(
        self, executor: ProcessPoolExecutor | None, settings: Settings, robot: Robot, folder: Path
    ) -> None:
        self._executor = executor
        self._settings, self._robot, self._folder = settings, robot, folder

    def play(self, jobs: Sequence[Job], progress: Callable[[int, int], None] | None = None) -> list[Outcome]:
        """Play jobs, several at once, and return their outcomes in the order of the jobs.

        ``progress`` is told how many are done and in all. Threads may call it at the same time.
        Raises NightpickError where a player was killed.
        """
        if self._executor is None:
            return list(self._play_here(jobs, progress))
        ids = dict(tied_ids())
        futures: list[Future[Outcome]] = [
            self._executor.submit(_play, self._settings, self._robot, self._folder, job, ids) for job in jobs
        ]
        try:
            for done, _ in enumerate(as_completed(futures), 1):
                if progress is not None:
                    progress(done, len(jobs))
            return [future.result() for future in futures]
        except BrokenProcessPool as error:
            raise NightpickError(
                "a process that played a motion ended early (killed, or out of memory); "
                "run the study again, with a smaller motion.processes where memory is short"
            ) from error

    @property
    def process_ids(self) -> tuple[int, ...]:
        """The processes that play, none where this one does."""
        started = {} if self._executor is None else self._executor._processes
        return tuple(started or {})

    def _play_here(
        self, jobs: Sequence[Job], progress: Callable[[int, int], None] | None
    ) -> Iterator[Outcome]:
        for done, job in enumerate(jobs, 1):
            yield play_job(self._settings, self._robot, self._folder, job, tied_ids())
            if progress is not None:
                progress(done, len(jobs))


@contextmanager
def playing(settings: Settings, robot: Robot, folder: Path) -> Iterator[Players]:
    """Give players for the runs of one folder, ``motion.processes`` of them; with 1 this process plays.

    Where the block is left by an exception, such as a Ctrl-C, what still plays is stopped and recorded so.
    """
    count = settings.motion.processes or os.cpu_count() or 1
    if count == 1:
        yield Players(None, settings, robot, folder)
        return
    context = multiprocessing.get_context("spawn")
    stop = context.Event()
    executor = ProcessPoolExecutor(count, context, initializer=_become_player, initargs=(os.getpid(), stop))
    try:
        yield Players(executor, settings, robot, folder)
    except BaseException:
        stop.set()
        raise
    finally:
        executor.shutdown(wait=True, cancel_futures=True)


_STOPPED: list[Event] = []
"""In a player: the event that stops it."""


def _become_player(parent: int, stop: Event) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a Ctrl-C is the parent's to answer
    _STOPPED.append(stop)
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_LOOK_S)
    os._exit(1)


def _play(settings: Settings, robot: Robot, folder: Path, job: Job, ids: Mapping[str, str]) -> Outcome:
    return play_job(settings, robot, folder, job, ids, _STOPPED[0].is_set)
