"""From a settings file or the environment to typed values; knows types, not the settings' meaning."""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import field, fields, is_dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypeVar, get_type_hints

from lib.errors import BadInput

ENVIRONMENT_PREFIX = "NIGHTPICK_"
NOT_SETTINGS = {"NIGHTPICK_CONFIG"}

# A name may become a file's.
_NAME = re.compile(r"[A-Za-z0-9_-]{1,40}")

Joints = tuple[float, float, float, float, float, float]
Range = tuple[float, float]
Located = Callable[[str], str]
"""From a setting's key, such as ``arm.speed``, to that key behind the place its value was read from."""

T = TypeVar("T")


class Named(dict[str, T]):
    """Any number of values by name, such as speeds; those named in a settings file are then all of them."""

    def __hash__(self) -> int:  # type: ignore[override]  # never changed once read
        return hash(frozenset(self.items()))


def setting(doc: str, default: Any) -> Any:
    """Declare one setting with the comment that ``nightpick init`` writes above it."""
    return field(default=default, metadata={"doc": doc})


class _Text(str):
    """A value from the environment: text that still has to become the setting's type."""


def parse_file(path: Path) -> dict[str, Any]:
    """Read a TOML file as a tree, with or without a byte order mark; raises BadInput naming the line."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise BadInput(
            f"{path}: the settings file cannot be read: {error.strerror}; give yourself the right to read it "
            "or name another with --config"
        ) from error
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise BadInput(
            f"{path}: not UTF-8: byte 0x{error.object[error.start]:02x} in line {line}; save it as UTF-8, "
            "or write a fresh file with `nightpick init`"
        ) from error
    except tomllib.TOMLDecodeError as error:
        raise BadInput(
            f"{path}: not readable as TOML: {error}; mend it, or write a fresh file with `nightpick init`"
        ) from error


def environment_tree(environment: Mapping[str, str]) -> dict[str, Any]:
    """Read ``NIGHTPICK_A__B=text`` as the tree {a: {b: text}}."""
    tree: dict[str, Any] = {}
    for name, text in sorted(environment.items()):
        if not name.startswith(ENVIRONMENT_PREFIX) or name in NOT_SETTINGS:
            continue
        *parents, leaf = name.removeprefix(ENVIRONMENT_PREFIX).lower().split("__")
        node = tree
        for parent in parents:
            node = node.setdefault(parent, {})
            if not isinstance(node, dict):
                raise BadInput(f"environment: {name} goes below a setting that has a value of its own")
        node[leaf] = _Text(text)
    return tree


def holds(tree: Mapping[str, Any], key: str) -> bool:
    """Tell whether a tree has a value for a dotted key, such as ``lookup.place.guard_m``."""
    node: Any = tree
    for part in key.split("."):
        if not isinstance(node, Mapping) or part not in node:
            return False
        node = node[part]
    return True


def plain_float(text: str) -> float:
    """Read a number as people write it; Python's own ``1_0`` and digits of other scripts are none.

    Infinities and NaN are read, for a message to say better what is wrong. Raises ValueError.
    """
    if "_" in text or not text.isascii():
        raise ValueError(text)
    return float(text)


def plain_int(text: str) -> int:
    """Read a whole number as people write it. Raises ValueError as ``plain_float`` does."""
    if "_" in text or not text.isascii():
        raise ValueError(text)
    return int(text)


def overlay(current: T, tree: Mapping[str, Any], source: str, prefix: str) -> T:
    """Return the dataclass with the tree's values laid over it; raises BadInput at an unknown key."""
    kinds = get_type_hints(type(current))
    known = [f.name for f in fields(current)]  # type: ignore[arg-type]
    changes: dict[str, Any] = {}
    for key, value in tree.items():
        if key not in known:
            near = [name for name in known if name.startswith(key)] or get_close_matches(key, known, n=1)
            hint = f"did you mean {prefix}{near[0]}?" if near else f"known here: {', '.join(known)}"
            raise BadInput(f"{source}: unknown setting {prefix}{key}; {hint}")
        old = getattr(current, key)
        if is_dataclass(old):
            if not isinstance(value, Mapping):
                raise BadInput(f"{source}: {prefix}{key} = {value!r}; expected a table [{prefix}{key}]")
            changes[key] = overlay(old, value, source, f"{prefix}{key}.")
        elif isinstance(old, Named):
            empty = not old and isinstance(value, Mapping) and not value
            named = old if empty else _named(value, kinds[key].__args__[0], source, f"{prefix}{key}")
            changes[key] = named
        else:
            changes[key] = _convert(value, kinds[key], f"{source}: {prefix}{key}")
    return replace(current, **changes)  # type: ignore[type-var]


def _named(value: Any, kind: Any, source: str, where: str) -> Named[Any]:
    if not isinstance(value, Mapping) or not value:
        raise BadInput(f"{source}: {where} = {value!r}; expected names with values, a table [{where}]")
    for name in value:
        if not _NAME.fullmatch(name):
            raise BadInput(f"{source}: {where}: {name!r}; expected a name of letters, digits, - and _")
    group: Any = kind if is_dataclass(kind) else None
    if group is None:
        return Named({name: _convert(v, kind, f"{source}: {where}.{name}") for name, v in value.items()})
    wrong = next((name for name, v in value.items() if not isinstance(v, Mapping)), None)
    if wrong is not None:
        raise BadInput(f"{source}: {where}.{wrong} = {value[wrong]!r}; expected a table [{where}.{wrong}]")
    return Named({name: overlay(group(), v, source, f"{where}.{name}.") for name, v in value.items()})


def _convert(value: Any, kind: Any, where: str) -> Any:
    optional = type(None) in getattr(kind, "__args__", ())
    if optional:
        if isinstance(value, _Text) and value == "":
            return None
        kind = next(k for k in kind.__args__ if k is not type(None))
    if kind is str or kind is Path:
        if isinstance(value, str) and value:
            return kind(value)
        raise BadInput(f"{where} = {value!r}; expected text")
    if kind is bool:
        return _yes_or_no(value, where)
    if kind is float:
        return _number(value, where)
    if kind is int:
        number = _number(value, where)
        if number != int(number):
            raise BadInput(f"{where} = {value!r}; expected a whole number")
        return int(number)
    count = len(kind.__args__)
    items = [t.strip() for t in value.strip("[] ").split(",")] if isinstance(value, _Text) else value
    if not isinstance(items, list | tuple) or len(items) != count:
        raise BadInput(f"{where} = {value!r}; expected {count} numbers, like [{', '.join(['0.0'] * count)}]")
    return tuple(_number(_Text(i) if isinstance(value, _Text) else i, where) for i in items)


def _yes_or_no(value: Any, where: str) -> bool:
    if isinstance(value, bool):
        return value
    if isinstance(value, _Text) and value in ("true", "false"):
        return value == "true"
    raise BadInput(f"{where} = {value!r}; expected true or false")


def _number(value: Any, where: str) -> float:
    try:
        if isinstance(value, bool) or (isinstance(value, str) and not isinstance(value, _Text)):
            raise TypeError
        number = plain_float(value) if isinstance(value, str) else float(value)
        if not math.isfinite(number):
            raise ValueError
    except (TypeError, ValueError, OverflowError):
        raise BadInput(f"{where} = {value!r}; expected a finite number") from None
    return number
