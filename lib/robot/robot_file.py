"""Reading a robot file: JSON, one link a line, refused with one clear line when it is not a chain.

``links.<name>.jointToParent`` holds parent, type, variable, origin {xyz_mm, rpy_rad}, axis and
limits_deg; the last link holds tip_mm; every link may hold its body (shape_file.py); ``twin_axes``
names, for the twin's x, y, z in turn, the vendor's axis with its sign.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from lib.errors import BadInput, one_of
from lib.robot.checks import Checks
from lib.robot.robot import Joint, Robot
from lib.robot.shape import Array
from lib.robot.shape_file import read_shape

_FOLDER = Path(__file__).parent / "robots"
PACKAGED = tuple(sorted(path.stem for path in _FOLDER.glob("*.json")))

VARIABLES = ("j0", "j1", "j2", "j3", "j4", "j5")
_AXES = {"x": 0, "y": 1, "z": 2}
_UNIT_TOLERANCE = 0.01


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
    return _FileReader(path).robot(content)


class _FileReader:
    """Reads one file; every refusal starts with the file's name and the place in it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._check = Checks(str(path))

    def robot(self, content: bytes) -> Robot:
        document = self._check.document(content)
        links = self._check.mapping(self._check.key(document, "links", ""), "links")
        joints, chain = self._chain(links)
        last = chain[-1]
        for link in links:
            if link != last and "tip_mm" in links[link]:
                self._check.refuse(f"links.{link}.tip_mm", f"the tool tip belongs to the last link, {last}")
        tip_mm = self._check.numbers(
            self._check.key(links[last], "tip_mm", f"links.{last}"), 3, f"links.{last}.tip_mm"
        )
        return Robot(
            name=self._check.text(self._check.key(document, "name", ""), "name"),
            joints=joints,
            tip_m=tip_mm / 1000.0,
            twin_axes=self._twin_axes(self._check.key(document, "twin_axes", "")),
            file_md5=hashlib.md5(content).hexdigest(),
            shape=read_shape(self._check, links, chain),
            file=self._path,
        )

    def _chain(self, links: Mapping[str, Any]) -> tuple[tuple[Joint, ...], list[str]]:
        """Follow the parents from root to tip; return the joints and the links, base first."""
        joints = {name: self._joint_entry(name, entry) for name, entry in links.items()}
        parents = {name: entry["parent"] for name, entry in joints.items() if entry is not None}
        children: dict[str, str] = {}
        for name, parent in parents.items():
            where = f"links.{name}.jointToParent.parent"
            if parent not in links:
                self._check.refuse(where, f'"{parent}" is not a link; expected {one_of(list(links))}')
            if parent in children:
                self._check.refuse(
                    where, f'"{parent}" already carries {children[parent]}; expected one chain'
                )
            children[parent] = name
        if not links:
            self._check.refuse("links", "no link; expected a base and six links that move")
        roots = [name for name in links if name not in parents]
        if len(roots) > 1:
            self._check.refuse("links", f"{' and '.join(roots)} have no jointToParent; expected one base")
        chain = roots[:1]
        while chain and chain[-1] in children:
            chain.append(children[chain[-1]])
        astray = [name for name in links if name not in chain]
        if astray:
            loop = [astray[0]]
            while parents[loop[-1]] not in loop:
                loop.append(parents[loop[-1]])
            self._check.refuse("links", f"parents run in a loop: {' -> '.join([*loop, parents[loop[-1]]])}")
        found = tuple(self._joint(name, entry) for name in chain if (entry := joints[name]) is not None)
        variables = tuple(joint.variable for joint in found)
        if variables != VARIABLES:
            self._check.refuse(
                "links",
                f"joint variables from base to tip are {', '.join(variables) or 'none'}; "
                f"expected {', '.join(VARIABLES)}",
            )
        return found, chain

    def _joint_entry(self, name: str, entry: Any) -> Mapping[str, Any] | None:
        where = f"links.{name}"
        if "jointToParent" not in self._check.mapping(entry, where):
            return None
        joint = self._check.mapping(entry["jointToParent"], f"{where}.jointToParent")
        self._check.text(
            self._check.key(joint, "parent", f"{where}.jointToParent"), f"{where}.jointToParent.parent"
        )
        return joint

    def _joint(self, link: str, entry: Mapping[str, Any]) -> Joint:
        where = f"links.{link}.jointToParent"
        kind = self._check.key(entry, "type", where)
        if kind != "revolute":
            self._check.refuse(f"{where}.type", f"{kind!r}; expected revolute")
        origin = self._check.mapping(self._check.key(entry, "origin", where), f"{where}.origin")
        xyz_mm = self._check.numbers(
            self._check.key(origin, "xyz_mm", f"{where}.origin"), 3, f"{where}.origin.xyz_mm"
        )
        rpy_rad = self._check.numbers(
            self._check.key(origin, "rpy_rad", f"{where}.origin"), 3, f"{where}.origin.rpy_rad"
        )
        if np.abs(rpy_rad).max() > math.tau:
            self._check.refuse(
                f"{where}.origin.rpy_rad", f"{rpy_rad.tolist()}; expected radians, these look like degrees"
            )
        axis = self._check.numbers(self._check.key(entry, "axis", where), 3, f"{where}.axis")
        length = float(np.linalg.norm(axis))
        if abs(length - 1.0) > _UNIT_TOLERANCE:
            self._check.refuse(f"{where}.axis", f"length {length:.4g}; expected a unit vector within 1 %")
        limits = self._check.numbers(self._check.key(entry, "limits_deg", where), 2, f"{where}.limits_deg")
        if limits[0] >= limits[1]:
            self._check.refuse(
                f"{where}.limits_deg", f"{limits.tolist()}; expected the lower bound, then the higher"
            )
        return Joint(
            variable=self._check.text(self._check.key(entry, "variable", where), f"{where}.variable"),
            link=link,
            origin_m=xyz_mm / 1000.0,
            origin_rotation=rotation_of(rpy_rad),
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
            self._check.refuse(
                "twin_axes", f'{value!r}; expected x, y and z once each with a sign, like ["-y", "z", "x"]'
            )
        return axes


def rotation_of(rpy_rad: Array) -> Array:
    """URDF's fixed-axis roll, pitch, yaw: R = Rz(yaw) Ry(pitch) Rx(roll)."""
    (cr, cp, cy), (sr, sp, sy) = np.cos(rpy_rad), np.sin(rpy_rad)
    return np.array(
        [
            [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
            [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
            [-sp, cp * sr, cp * cr],
        ]
    )
