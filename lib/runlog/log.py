"""The run log's writer: append-only JSON lines, one file a process.

A record is one ``write`` to a file opened for appending, so a killed process leaves whole lines and
at most one torn one, which readers drop. Records of a relation with a ``state`` are flushed to disk
at once, and with them everything before.
"""

from __future__ import annotations

import fcntl
import os
import threading
import time
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from difflib import get_close_matches
from pathlib import Path

from lib.errors import NightpickError
from lib.runlog.folder import flush_to_disk, new_stem, open_folder
from lib.runlog.record import record_line
from lib.runlog.schema import Columns, declared
from lib.runlog.tied import tied_ids


class RunLog:
    """What this process appends to the run log of one data folder; safe to share between threads.

    The file appears with the first record and stays locked while the process lives: the lock, which
    no crash can leave behind, tells ``close_logs`` that the file may still grow.
    """

    def __init__(self, data_dir: Path) -> None:
        self._folder = open_folder(data_dir)
        self._lock = threading.Lock()
        self._descriptor: int | None = None
        self._process = os.getpid()
        self._path = Path()
        self._size_bytes = 0
        self._seq = 0

    def append(self, relation: str, /, **values: object) -> None:
        """Append one record; ``time_utc`` is now unless given, a column left out or None is NULL.

        A column of an id that is in force here (see tied.py) is filled with it unless given.
        Raises ValueError for a relation or column that sql/schema/runlog does not declare, TypeError
        for a value of the wrong type, NightpickError where the file cannot be written.
        """
        self.append_all(relation, [values])

    def append_all(self, relation: str, rows: Iterable[Mapping[str, object]]) -> None:
        """Append many records of one relation in one write; raises as ``append`` does."""
        columns = _columns(relation)
        ids = {name: value for name, value in tied_ids().items() if name in columns}
        with self._lock:
            lines = b"".join(record_line(relation, {**ids, **row}, columns, *self._stamp()) for row in rows)
            if lines:
                self._write(lines)
                if "state" in columns:
                    self._flush()

    @property
    def is_open(self) -> bool:
        """Whether this process has recorded something since it began or closed its file."""
        return self._descriptor is not None and self._process == os.getpid()

    def close(self) -> None:
        """Finish the file, so that it can be closed into Parquet; a later record starts another."""
        with self._lock:
            self._release()

    def _stamp(self) -> tuple[datetime, int]:
        now_ns = time.time_ns()
        self._seq = max(self._seq + 1, now_ns)
        seconds, rest_ns = divmod(now_ns, 1_000_000_000)
        return datetime.fromtimestamp(seconds, UTC).replace(microsecond=rest_ns // 1000), self._seq

    def _write(self, lines: bytes) -> None:
        try:
            descriptor = self._open_file()
            done = 0
            while done < len(lines):
                done += os.write(descriptor, lines[done:])
            self._size_bytes += len(lines)
        except OSError as error:
            self._forget_torn_record()
            raise NightpickError(
                f"{self._folder}: the run log cannot be written: {error.strerror}; "
                "make room or give the rights, then run the same command again"
            ) from error

    def _forget_torn_record(self) -> None:
        """Cut off what a full disk left of a record, or leave the file: the next record needs a new line.

        A file without any record is removed; a reader that has just listed it looks again.
        """
        if self._descriptor is not None:
            try:
                os.ftruncate(self._descriptor, self._size_bytes)
                if not self._size_bytes:
                    self._path.unlink()
                    self._release()
            except OSError:
                self._release()

    def _flush(self) -> None:
        assert self._descriptor is not None
        try:
            os.fsync(self._descriptor)
        except OSError as error:
            raise NightpickError(
                f"{self._path}: the run log cannot be flushed to disk: {error.strerror}"
            ) from error

    def _open_file(self) -> int:
        if self._process != os.getpid():  # a fork: the parent's file is the parent's
            self._release()
            self._process = os.getpid()
        if self._descriptor is None:
            self._folder.mkdir(parents=True, exist_ok=True)
            stem = new_stem()
            beside = self._folder / f".{stem}"
            descriptor = os.open(beside, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_EXCL, 0o644)
            # Locked before anybody can see it: a visible log without a lock is a finished one.
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            self._path = self._folder / f"{stem}.jsonl"
            beside.rename(self._path)
            self._descriptor, self._size_bytes = descriptor, 0
            flush_to_disk(self._folder)
        return self._descriptor

    def _release(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


def _columns(relation: str) -> Columns:
    relations = declared()
    if relation not in relations:
        near = get_close_matches(relation, relations, n=1)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(relations)}"
        raise ValueError(f"run log: no relation {relation!r}; {hint}")
    return relations[relation]


_LOGS: dict[Path, RunLog] = {}
_LOGS_LOCK = threading.Lock()


def run_log(data_dir: Path) -> RunLog:
    """Return this process's one log of a data folder."""
    with _LOGS_LOCK:
        return _LOGS.setdefault(data_dir.absolute(), RunLog(data_dir.absolute()))
