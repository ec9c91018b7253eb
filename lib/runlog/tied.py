"""Which night, flow run and task run the records of a moment belong to.

Whoever starts one of them says so once, and every record written inside carries its id where its
relation has the column: a merge recorded by lib/table knows its task without being told.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

_IDS: ContextVar[Mapping[str, str]] = ContextVar("ids", default={})  # noqa: B039 - never changed in place


@contextmanager
def tied(**ids: str | None) -> Iterator[None]:
    """Give every record written inside these ids, such as ``night_id``; None changes nothing."""
    token = _IDS.set({**_IDS.get(), **{name: value for name, value in ids.items() if value is not None}})
    try:
        yield
    finally:
        _IDS.reset(token)


def tied_ids() -> Mapping[str, str]:
    """Return the ids in force here, column name to id."""
    return _IDS.get()
