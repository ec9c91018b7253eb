"""Changing one joint's origin in a robot file: those numbers alone, every other byte as it was.

People keep these files by hand, one link a line. So the text is patched where the numbers stand,
not written anew from what was read; the file is replaced whole by rename, so that whoever is
killed leaves the old or the new one.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from lib.errors import BadInput, CheckFailed
from lib.robot.machine_file import PACKAGED_MACHINES, load_machine

_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")
_DECIMALS = 3
"""A micrometre: below what any capture tells."""


@dataclass(frozen=True)
class OriginPatch:
    """What was changed."""

    file: Path
    link: str
    old_mm: tuple[float, ...]
    """The origin as it stood, x, y, z [mm]."""
    new_mm: tuple[float, ...]
    line: int
    """Line of the file, from 1."""


def patch_origin(path: Path, expected_md5: str, link: str, coordinates_mm: dict[int, float]) -> OriginPatch:
    """Set some coordinates (0, 1, 2 for x, y, z) of ``links.<link>.jointToParent.origin``.

    Raises CheckFailed where the file is no longer the one the values were fitted to, and BadInput
    where it is packaged with the program or its origin does not stand on one line.
    """
    if path.resolve() in {packaged.resolve() for packaged in PACKAGED_MACHINES.values()}:
        raise BadInput(
            f"{path}: this robot file comes with the program; copy it, name the copy as robot, and fit again"
        )
    if load_machine(path).file_md5 != expected_md5:
        raise CheckFailed(f"{path}: was changed since the origin was fitted; home again")
    text = path.read_bytes().decode("utf-8")
    start, end = _origin_numbers(path, text, link)
    numbers = list(_NUMBER.finditer(text, start, end))
    if "\n" in text[start:end] or len(numbers) != 3:
        raise BadInput(
            f"{path}: links.{link}.jointToParent.origin does not stand on one line; "
            "expected [x, y, z] in one line, so that a fit changes that line alone"
        )
    old_mm = tuple(float(number.group()) for number in numbers)
    new_mm = tuple(round(coordinates_mm.get(i, value), _DECIMALS) for i, value in enumerate(old_mm))
    patched = text
    for i in sorted(coordinates_mm, reverse=True):
        patched = patched[: numbers[i].start()] + json.dumps(new_mm[i]) + patched[numbers[i].end() :]
    _replace(path, patched.encode("utf-8"))
    return OriginPatch(path, link, old_mm, new_mm, text.count("\n", 0, start) + 1)


def _origin_numbers(path: Path, text: str, link: str) -> tuple[int, int]:
    """Return the span of the origin's list of numbers."""
    span = _span(text, ("links", link, "jointToParent", "origin"))
    if span is not None and text[span[0]] == "{":
        span = _span(text, ("links", link, "jointToParent", "origin", "xyz_mm"))
    if span is None:
        raise BadInput(f"{path}: no links.{link}.jointToParent.origin; expected the fitted link's")
    return span


def _span(text: str, keys: tuple[str, ...]) -> tuple[int, int] | None:
    """Return where the value under nested keys begins and ends in JSON text that is known to be good."""
    decoder = json.JSONDecoder()
    place = _past_space(text, 0)
    for key in keys:
        if text[place] != "{":
            return None
        place = _past_space(text, place + 1)
        while text[place] == '"':
            name, place = decoder.raw_decode(text, place)
            place = _past_space(text, _past_space(text, place) + 1)  # over the colon
            if name == key:
                break
            _, place = decoder.raw_decode(text, place)
            place = _past_space(text, place)
            if text[place] == ",":
                place = _past_space(text, place + 1)
        else:
            return None
    _, end = decoder.raw_decode(text, place)
    return place, end


def _past_space(text: str, place: int) -> int:
    while text[place] in " \t\r\n":
        place += 1
    return place


def _replace(path: Path, content: bytes) -> None:
    target = path.resolve()  # a link stays a link
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".new", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        shutil.copymode(target, name)
        Path(name).replace(target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    folder = os.open(target.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
