"""Reading the body from a robot file: ``mass_kg`` and ``capsules`` a link, ``gripper`` on the last link.

A file without any of them describes a chain only: its shape is None. A file with some of them must
have all, or a part of the arm would pass through things unseen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from lib.robot.checks import Checks, shortened
from lib.robot.shape import Array, Gripper, LinkShape, Shape

_BODY_KEYS = ("mass_kg", "capsules", "gripper")
_UNIT_TOLERANCE = 0.01


def read_shape(check: Checks, links: Mapping[str, Any], chain: Sequence[str]) -> Shape | None:
    """Read the shape of the links named in ``chain``, base first; raises BadInput by its place."""
    last = chain[-1]
    for link in chain[:-1]:
        if "gripper" in links[link]:
            check.refuse(f"links.{link}.gripper", f"a gripper belongs to the last link, {last}")
    if not any(key in links[link] for link in chain for key in _BODY_KEYS):
        return None
    base, *moving = (_link(check, link, links[link]) for link in chain)
    gripper = (
        _gripper(check, links[last]["gripper"], f"links.{last}.gripper") if "gripper" in links[last] else None
    )
    return Shape(base, tuple(moving), gripper)


def _link(check: Checks, link: str, entry: Mapping[str, Any]) -> LinkShape:
    ends_m, radii_m = _capsules(check, entry, f"links.{link}")
    return LinkShape(link, _positive(check, entry, "mass_kg", f"links.{link}"), ends_m, radii_m)


def _gripper(check: Checks, value: Any, where: str) -> Gripper:
    entry = check.mapping(value, where)
    ends_m, radii_m = _capsules(check, entry, where)
    fingers = check.mapping(check.key(entry, "fingers", where), f"{where}.fingers")
    across = check.numbers(check.key(entry, "across", where), 3, f"{where}.across")
    length = float(np.linalg.norm(across))
    if abs(length - 1.0) > _UNIT_TOLERANCE or abs(across[2]) > _UNIT_TOLERANCE:
        check.refuse(f"{where}.across", f"{across.tolist()}; expected a unit vector square to z within 1 %")
    across = across * [1.0, 1.0, 0.0]
    span_mm = [_positive(check, fingers, name, f"{where}.fingers") for name in ("from_mm", "to_mm")]
    if span_mm[0] >= span_mm[1]:
        check.refuse(
            f"{where}.fingers", f"from_mm {span_mm[0]:g} to_mm {span_mm[1]:g}; expected from before to"
        )
    stroke_mm = check.numbers(check.key(entry, "stroke_mm", where), 2, f"{where}.stroke_mm")
    if not 0.0 <= stroke_mm[0] < stroke_mm[1]:
        check.refuse(f"{where}.stroke_mm", f"{stroke_mm.tolist()}; expected closed, then open")
    empty_value = _positive(check, entry, "empty_value", where)
    if empty_value >= 100.0:
        check.refuse(f"{where}.empty_value", f"{empty_value:g}; expected a gripper value below 100")
    return Gripper(
        mass_kg=_positive(check, entry, "mass_kg", where),
        ends_m=ends_m,
        radii_m=radii_m,
        across=across / np.linalg.norm(across),
        finger_mass_kg=_positive(check, fingers, "mass_kg", f"{where}.fingers"),
        finger_span_m=(span_mm[0] / 1000.0, span_mm[1] / 1000.0),
        finger_radius_m=_positive(check, fingers, "radius_mm", f"{where}.fingers") / 1000.0,
        stroke_m=(float(stroke_mm[0]) / 1000.0, float(stroke_mm[1]) / 1000.0),
        empty_value=empty_value,
    )


def _capsules(check: Checks, entry: Mapping[str, Any], where: str) -> tuple[Array, Array]:
    capsules = check.key(entry, "capsules", where)
    if not isinstance(capsules, list) or not capsules:
        check.refuse(f"{where}.capsules", f"{shortened(capsules)}; expected a list of one capsule or more")
    ends, radii = [], []
    for number, value in enumerate(capsules):
        place = f"{where}.capsules[{number}]"
        capsule = check.mapping(value, place)
        ends.append(
            [
                check.numbers(check.key(capsule, end, place), 3, f"{place}.{end}")
                for end in ("from_mm", "to_mm")
            ]
        )
        radii.append(_positive(check, capsule, "radius_mm", place))
    return np.array(ends) / 1000.0, np.array(radii) / 1000.0


def _positive(check: Checks, entry: Mapping[str, Any], key: str, where: str) -> float:
    number = check.numbers([check.key(entry, key, where)], 1, f"{where}.{key}")[0]
    if number <= 0.0:
        check.refuse(f"{where}.{key}", f"{number:g}; expected more than zero")
    return float(number)
