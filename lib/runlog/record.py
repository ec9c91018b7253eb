"""One record as one line of JSON that every reader can read: names and types checked when it is written.

A wrong name or type is a defect of the caller and raises ValueError or TypeError at once; a line
that only fails when somebody asks a question months later would be worse.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime
from difflib import get_close_matches
from numbers import Integral, Real
from pathlib import PurePath
from typing import Any
from uuid import UUID

from lib.runlog.schema import STAMPS, Columns

# DuckDB's JSON reader gives up on a line of 16 MiB.
LARGEST_LINE_BYTES = 8 * 1024 * 1024


def record_line(
    relation: str, values: Mapping[str, object], columns: Columns, time_utc: datetime, seq: int
) -> bytes:
    """Encode one record, newline included; ``time_utc`` in the values wins over the argument.

    Raises ValueError for an undeclared column or a line of 8 MiB and more, TypeError for a value
    that does not fit its column.
    """
    record: dict[str, object] = {"relation": relation, "time_utc": _timestamp(time_utc), "seq": seq}
    for name, value in values.items():
        if name not in columns or name == "seq":
            raise ValueError(f"run log: {relation} has no column {name!r}; {_nearest(name, columns)}")
        if value is not None:
            record[name] = _encode(value, columns[name], f"{relation}.{name}")
    line = json.dumps(record, separators=(",", ":"), allow_nan=False).encode("ascii") + b"\n"
    if len(line) > LARGEST_LINE_BYTES:
        raise ValueError(
            f"run log: a record of {relation} has {len(line)} bytes; keep large things in a file"
        )
    return line


def _nearest(name: str, columns: Columns) -> str:
    near = get_close_matches(name, columns, n=1)
    known = ", ".join(column for column in columns if column not in STAMPS)
    return f"did you mean {near[0]}?" if near else f"it has {known}"


def _encode(value: object, kind: str, where: str) -> object:
    try:
        return _ENCODERS[kind](_plain(value))
    except (TypeError, ValueError, OverflowError) as error:
        raise TypeError(f"run log: {where} is {kind}, found {value!r}: {error}") from error


def _plain(value: Any) -> Any:
    """Turn a NumPy scalar into Python's own number, anything else stays as it is."""
    return value.item() if getattr(value, "shape", None) == () else value


def _text(value: Any) -> str:
    if not isinstance(value, str | UUID | PurePath):
        raise TypeError("expected text")
    # A file name that is not UTF-8 carries lone surrogates, which no JSON reader takes.
    return str(value).encode("utf-8", "backslashreplace").decode("utf-8")


def _double(value: Any) -> float | str:
    if isinstance(value, bool) or not isinstance(value, Real):
        raise TypeError("expected a number")
    number = float(value)
    return number if math.isfinite(number) else str(number)


def _whole(bits: int) -> Callable[[Any], int]:
    def encode(value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, Integral):
            raise TypeError("expected a whole number")
        number = int(value)
        if not -(1 << (bits - 1)) <= number < 1 << (bits - 1):
            raise ValueError(f"does not fit into {bits} bits")
        return number

    return encode


def _boolean(value: Any) -> bool:
    if not isinstance(value, bool):
        raise TypeError("expected true or false")
    return value


def _timestamp(value: Any) -> str:
    if not isinstance(value, datetime) or value.tzinfo is None:
        raise TypeError("expected a time with its zone")
    return value.astimezone(UTC).isoformat()


def _date(value: Any) -> str:
    if not isinstance(value, date) or isinstance(value, datetime):
        raise TypeError("expected a date")
    return value.isoformat()


def _json(value: Any) -> object:
    """Take whatever nests of numbers, texts, lists and mappings; infinities and NaN become null."""
    text = json.dumps(value, default=_json_part, ensure_ascii=False)
    return json.loads(text.encode("utf-8", "replace"), parse_constant=lambda _: None)


def _json_part(value: Any) -> object:
    if hasattr(value, "tolist"):  # a NumPy array or scalar
        return value.tolist()
    if isinstance(value, Mapping):
        return dict(value)
    return _timestamp(value) if isinstance(value, datetime) else _text(value)


_ENCODERS: Mapping[str, Callable[[Any], object]] = {
    "VARCHAR": _text,
    "DOUBLE": _double,
    "INTEGER": _whole(32),
    "BIGINT": _whole(64),
    "BOOLEAN": _boolean,
    "TIMESTAMP WITH TIME ZONE": _timestamp,
    "DATE": _date,
    "JSON": _json,
}
