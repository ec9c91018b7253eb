"""Reading a robot file: JSON, one link a line, refused with one clear line when it is not a chain.

``links.<name>.jointToParent`` holds parent, type, variable, origin {xyz_mm, rpy_rad}, axis and
limits_deg; the last link holds tip_mm; ``twin_axes`` names, for the twin's x, y, z in turn, the
vendor's axis with its sign.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from lib.errors import BadInput, one_of
from lib.robot.robot import Array, Joint, Robot

_FOLDER = Path(__file__).parent / "robots"
PACKAGED = tuple(sorted(path.stem for path in _FOLDER.glob("*.json")))

VARIABLES = ("j0", "j1", "j2", "j3", "j4", "j5")
_AXES = {"x": 0, "y": 1, "z": 2}
_UNIT_TOLERANCE = 0.01
_LARGEST = 1e9  # neither a millimetre nor a degree; also what NaN, Infinity and 400 digits fail


def load_robot(name: str | Path) -> Robot | None:
    """Load a packaged robot by name, a robot file by its path, or None for ``none``.

    Raises BadInput, one line that names the file, the place in it, what was found and expected.
    """
    if name == "none":
        return None
    path = _FOLDER / f"{name}.json" if name in PACKAGED else Path(name)
    if not path.is_file():
        raise BadInput(
            f'robot "{name}": no such file; expected {one_of([*PACKAGED, "none"])}, or a robot file'
        )
    content = path.read_bytes()
    return _FileReader(str(path)).robot(content)


class _FileReader:
    """Checks one file; every refusal starts with the file's name and the place in it."""

    def __init__(self, file: str) -> None:
        self._file = file

    def robot(self, content: bytes) -> Robot:
        document = self._document(content)
        links = self._mapping(self._key(document, "links", ""), "links")
        joints, last = self._chain(links)
        for link in links:
            if link != last and "tip_mm" in links[link]:
                self._refuse(f"links.{link}.tip_mm", f"the tool tip belongs to the last link, {last}")
        tip_mm = self._numbers(self._key(links[last], "tip_mm", f"links.{last}"), 3, f"links.{last}.tip_mm")
        return Robot(
            name=self._text(self._key(document, "name", ""), "name"),
            joints=joints,
            tip_m=tip_mm / 1000.0,
            twin_axes=self._twin_axes(self._key(document, "twin_axes", "")),
            file_md5=hashlib.md5(content).hexdigest(),
        )

    def _document(self, content: bytes) -> Mapping[str, Any]:
        def without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
            keys = [key for key, _ in pairs]
            doubled = next((key for key in keys if keys.count(key) > 1), None)
            if doubled is not None:
                raise BadInput(f"{self._file}: {doubled} is there twice; expected each name once")
            return dict(pairs)

        try:
            document = json.loads(content.decode("utf-8"), object_pairs_hook=without_doubles)
        except (ValueError, RecursionError) as error:
            raise BadInput(f"{self._file}: not readable as JSON: {error}; mend that place") from error
        return self._mapping(document, "")

    def _chain(self, links: Mapping[str, Any]) -> tuple[tuple[Joint, ...], str]:
        """Follow the parents from the one root to the one tip; return the joints and the last link."""
        joints = {name: self._joint_entry(name, entry) for name, entry in links.items()}
        parents = {name: entry["parent"] for name, entry in joints.items() if entry is not None}
        children: dict[str, str] = {}
        for name, parent in parents.items():
            where = f"links.{name}.jointToParent.parent"
            if parent not in links:
                self._refuse(where, f'"{parent}" is not a link; expected {one_of(list(links))}')
            if parent in children:
                self._refuse(where, f'"{parent}" already carries {children[parent]}; expected one chain')
            children[parent] = name
        if not links:
            self._refuse("links", "no link; expected a base and six links that move")
        roots = [name for name in links if name not in parents]
        if len(roots) > 1:
            self._refuse("links", f"{' and '.join(roots)} have no jointToParent; expected one base")
        chain = roots[:1]
        while chain and chain[-1] in children:
            chain.append(children[chain[-1]])
        astray = [name for name in links if name not in chain]
        if astray:
            loop = [astray[0]]
            while parents[loop[-1]] not in loop:
                loop.append(parents[loop[-1]])
            self._refuse("links", f"parents run in a loop: {' -> '.join([*loop, parents[loop[-1]]])}")
        found = tuple(self._joint(name, entry) for name in chain if (entry := joints[name]) is not None)
        variables = tuple(joint.variable for joint in found)
        if variables != VARIABLES:
            self._refuse(
                "links",
                f"joint variables from base to tip are {', '.join(variables) or 'none'}; "
                f"expected {', '.join(VARIABLES)}",
            )
        return found, chain[-1]

    def _joint_entry(self, name: str, entry: Any) -> Mapping[str, Any] | None:
        where = f"links.{name}"
        if "jointToParent" not in self._mapping(entry, where):
            return None
        joint = self._mapping(entry["jointToParent"], f"{where}.jointToParent")
        self._text(self._key(joint, "parent", f"{where}.jointToParent"), f"{where}.jointToParent.parent")
        return joint

    def _joint(self, link: str, entry: Mapping[str, Any]) -> Joint:
        where = f"links.{link}.jointToParent"
        kind = self._key(entry, "type", where)
        if kind != "revolute":
            self._refuse(f"{where}.type", f"{kind!r}; expected revolute")
        origin = self._mapping(self._key(entry, "origin", where), f"{where}.origin")
        xyz_mm = self._numbers(self._key(origin, "xyz_mm", f"{where}.origin"), 3, f"{where}.origin.xyz_mm")
        rpy_rad = self._numbers(self._key(origin, "rpy_rad", f"{where}.origin"), 3, f"{where}.origin.rpy_rad")
        if np.abs(rpy_rad).max() > math.tau:
            self._refuse(
                f"{where}.origin.rpy_rad", f"{rpy_rad.tolist()}; expected radians, these look like degrees"
            )
        axis = self._numbers(self._key(entry, "axis", where), 3, f"{where}.axis")
        length = float(np.linalg.norm(axis))
        if abs(length - 1.0) > _UNIT_TOLERANCE:
            self._refuse(f"{where}.axis", f"length {length:.4g}; expected a unit vector within 1 %")
        limits = self._numbers(self._key(entry, "limits_deg", where), 2, f"{where}.limits_deg")
        if limits[0] >= limits[1]:
            self._refuse(
                f"{where}.limits_deg", f"{limits.tolist()}; expected the lower bound, then the higher"
            )
        return Joint(
            variable=self._text(self._key(entry, "variable", where), f"{where}.variable"),
            link=link,
            origin_m=xyz_mm / 1000.0,
            origin_rotation=_rotation_of(rpy_rad),
            axis=axis / length,
            limits_deg=(float(limits[0]), float(limits[1])),
        )

    def _twin_axes(self, value: Any) -> Array:
        axes = np.zeros((3, 3))
        if isinstance(value, list) and len(value) == 3:
            for row, name in enumerate(value):
                letter = name.lstrip("+-") if isinstance(name, str) and len(name) <= 2 else ""
                if letter in _AXES:
                    axes[row, _AXES[letter]] = -1.0 if name.startswith("-") else 1.0
        if not np.array_equal(np.abs(axes).sum(axis=0), np.ones(3)) or not np.abs(axes).sum(axis=1).all():
            self._refuse(
                "twin_axes", f'{value!r}; expected x, y and z once each with a sign, like ["-y", "z", "x"]'
            )
        return axes

    def _key(self, mapping: Mapping[str, Any], key: str, where: str) -> Any:
        if key not in mapping:
            self._refuse(where, f"{key} is missing")
        return mapping[key]

    def _mapping(self, value: Any, where: str) -> Mapping[str, Any]:
        if not isinstance(value, dict):
            self._refuse(where, f"{_shortened(value)}; expected names with values, {{...}}")
        return value

    def _text(self, value: Any, where: str) -> str:
        if not isinstance(value, str) or not value:
            self._refuse(where, f"{_shortened(value)}; expected a name")
        return value

    def _numbers(self, value: Any, count: int, where: str) -> Array:
        if (
            not isinstance(value, list)
            or len(value) != count
            or any(
                isinstance(n, bool) or not isinstance(n, int | float) or not abs(n) <= _LARGEST for n in value
            )
        ):
            self._refuse(where, f"{_shortened(value)}; expected {count} finite numbers")
        return np.array(value, dtype=np.float64)

    def _refuse(self, where: str, what: str) -> NoReturn:
        raise BadInput(": ".join(part for part in (self._file, where, what) if part))


def _shortened(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _rotation_of(rpy_rad: Array) -> Array:
    """URDF's fixed-axis roll, pitch, yaw: R = Rz(yaw) Ry(pitch) Rx(roll)."""
    (cr, cp, cy), (sr, sp, sy) = np.cos(rpy_rad), np.sin(rpy_rad)
    return np.array(
        [
            [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
            [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
            [-sp, cp * sr, cp * cr],
        ]
    )
