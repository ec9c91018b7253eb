"""The settings file that ``nightpick init`` writes: every setting, its comment and its default."""

from __future__ import annotations

from dataclasses import MISSING, fields, is_dataclass
from pathlib import Path
from typing import Any

from lib.settings import Settings


def template() -> str:
    """Return the commented settings file: every setting at its default, ready to be uncommented."""
    lines = [
        "# nightpick settings. Every line also reads from the environment, for example",
        "# NIGHTPICK_DATA_DIR=/srv/nightpick or NIGHTPICK_LOOKUP__PLACE__J0_TOL_DEG=5.",
        "",
    ]
    lines += _template_group(Settings(), "")
    return "\n".join(lines) + "\n"


def _template_group(group: Any, prefix: str) -> list[str]:
    plain = [f for f in fields(group) if f.default is not MISSING]
    nested = [f for f in fields(group) if f.default is MISSING]
    lines = [f"[{prefix.rstrip('.')}]"] if prefix and plain else []
    for f in plain:
        value = getattr(group, f.name)
        lines += [f"# {f.metadata['doc']}", f"# {f.name} = {_toml(value)}"]
    lines += [""] if plain else []
    for f in nested:
        lines += _template_group(getattr(group, f.name), f"{prefix}{f.name}.")
    return lines


def _toml(value: Any) -> str:
    if value is None:
        return "..."
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str | Path):
        return f'"{value}"'
    if isinstance(value, tuple):
        return "[" + ", ".join(repr(v) for v in value) + "]"
    if is_dataclass(value):  # one of several by name: what differs from its defaults
        value = {f.name: given for f in fields(value) if (given := getattr(value, f.name)) != f.default}
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{name} = {_toml(v)}" for name, v in value.items()) + " }"
    return repr(value)
