"""Reading a robot file as homing needs it: any tree of revolute and linear joints, with markers.

``links.<name>.jointToParent`` holds parent, type, variable, origin ([x, y, z] in mm, or {xyz_mm,
rpy_rad}), axis and limits_deg or limits_mm; ``links.<name>.markers`` what is glued to it. Beside
them: ``dictionary``, ``board`` (markers of the world's frame, the root link's), ``cameras`` and
``pose_estimation``. What else a robot file holds is other rooms' business.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from lib.errors import BadInput, one_of
from lib.robot.checks import Checks, shortened
from lib.robot.machine import METHODS, CameraEntry, Link, Machine, PoseEstimation, TreeJoint
from lib.robot.marker_file import MarkerReader, dictionary_ids, unit_vector
from lib.robot.robot_file import rotation_of
from lib.robot.shape import Array

_ROOM = Path(__file__).parent
PACKAGED_MACHINES = {
    path.stem: path for folder in ("robots", "machines") for path in (_ROOM / folder).glob("*.json")
}
_LINK_METHODS = ("sequential_vector", "sequential_fk")


def load_machine(name: str | Path) -> Machine:
    """Load a packaged robot by name, or a robot file by its path, for homing.

    Raises BadInput, one line that names the file, the place in it, what was found and expected.
    """
    path = PACKAGED_MACHINES.get(str(name), Path(name))
    if not path.is_file():
        raise BadInput(
            f'robot "{name}": no such file; expected {one_of(sorted(PACKAGED_MACHINES))}, or a robot file'
        )
    return _MachineReader(path).machine(path.read_bytes())


class _MachineReader:
    """Reads one file; every refusal starts with the file's name and the place in it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._check = Checks(str(path))

    def machine(self, content: bytes) -> Machine:
        document = self._check.document(content)
        dictionary = self._check.text(document.get("dictionary", "DICT_4X4_250"), "dictionary")
        try:
            ids = dictionary_ids(dictionary)
        except BadInput as error:
            self._check.refuse("dictionary", str(error))
        markers = MarkerReader(self._check, dictionary, ids)
        links = self._links(self._check.mapping(self._check.key(document, "links", ""), "links"), markers)
        return Machine(
            name=self._check.text(self._check.key(document, "name", ""), "name"),
            links=links,
            dictionary=dictionary,
            board=markers.markers(document.get("board", []), "board"),
            cameras=self._cameras(document.get("cameras", [])),
            pose_estimation=self._pose_estimation(document.get("pose_estimation", {}), links),
            file=self._path,
            file_md5=hashlib.md5(content).hexdigest(),
        )

    def _links(self, entries: Mapping[str, Any], markers: MarkerReader) -> tuple[Link, ...]:
        parents: dict[str, str] = {}
        for name, entry in entries.items():
            if "jointToParent" in self._check.mapping(entry, f"links.{name}"):
                where = f"links.{name}.jointToParent"
                to_parent = self._check.mapping(entry["jointToParent"], where)
                parent = self._check.text(self._check.key(to_parent, "parent", where), f"{where}.parent")
                if parent not in entries:
                    self._check.refuse(
                        f"{where}.parent", f'"{parent}" is not a link; expected {one_of(list(entries))}'
                    )
                parents[name] = parent
        order = self._order(list(entries), parents)
        links = []
        kinds: dict[str, tuple[str, str]] = {}
        for name in order:
            joint_entry = entries[name].get("jointToParent")
            joint = None if joint_entry is None else self._joint(joint_entry, f"links.{name}.jointToParent")
            if joint is not None:
                kind, first = kinds.setdefault(joint.variable, (joint.kind, name))
                if kind != joint.kind:
                    self._check.refuse(
                        f"links.{name}.jointToParent.type",
                        f"{joint.kind}, but {joint.variable} is {kind} in {first}; expected one kind",
                    )
            carried = markers.markers(entries[name].get("markers", []), f"links.{name}.markers")
            links.append(Link(name, order.index(parents[name]) if joint else -1, joint, carried))
        return tuple(links)

    def _order(self, names: list[str], parents: Mapping[str, str]) -> list[str]:
        """Return the links root first, every parent before its children, else in the file's order."""
        roots = [name for name in names if name not in parents]
        if not names:
            self._check.refuse("links", "no link; expected a base and links that move")
        if len(roots) > 1:
            self._check.refuse("links", f"{' and '.join(roots)} have no jointToParent; expected one base")
        order = roots
        for name in order:
            order.extend(child for child in names if parents.get(child) == name)
        astray = [name for name in names if name not in order]
        if astray:
            loop = [astray[0]]
            while parents[loop[-1]] not in loop:
                loop.append(parents[loop[-1]])
            self._check.refuse("links", f"parents run in a loop: {' -> '.join([*loop, parents[loop[-1]]])}")
        if len(order) < 2:
            self._check.refuse("links", f"{order[0]} alone; expected links that move")
        return order

    def _joint(self, entry: Mapping[str, Any], where: str) -> TreeJoint:
        kind = self._check.key(entry, "type", where)
        if kind not in ("revolute", "linear"):
            self._check.refuse(f"{where}.type", f"{shortened(kind)}; expected revolute or linear")
        origin_mm, rotation = self._origin(self._check.key(entry, "origin", where), f"{where}.origin")
        limits_key, factor = ("limits_deg", math.pi / 180) if kind == "revolute" else ("limits_mm", 1e-3)
        limits = self._check.numbers(self._check.key(entry, limits_key, where), 2, f"{where}.{limits_key}")
        if limits[0] >= limits[1]:
            self._check.refuse(
                f"{where}.{limits_key}", f"{limits.tolist()}; expected the lower bound, then the higher"
            )
        return TreeJoint(
            kind=kind,
            variable=self._check.text(self._check.key(entry, "variable", where), f"{where}.variable"),
            origin_m=origin_mm / 1000.0,
            origin_rotation=rotation,
            axis=unit_vector(self._check, self._check.key(entry, "axis", where), f"{where}.axis"),
            limits=(float(limits[0] * factor), float(limits[1] * factor)),
        )

    def _origin(self, value: Any, where: str) -> tuple[Array, Array]:
        if isinstance(value, list):
            return self._check.numbers(value, 3, where), np.eye(3)
        origin = self._check.mapping(value, where)
        xyz_mm = self._check.numbers(self._check.key(origin, "xyz_mm", where), 3, f"{where}.xyz_mm")
        rpy_rad = self._check.numbers(origin.get("rpy_rad", [0, 0, 0]), 3, f"{where}.rpy_rad")
        if np.abs(rpy_rad).max() > math.tau:
            self._check.refuse(
                f"{where}.rpy_rad", f"{rpy_rad.tolist()}; expected radians, these look like degrees"
            )
        return xyz_mm, rotation_of(rpy_rad)

    def _cameras(self, entries: Any) -> tuple[CameraEntry, ...]:
        if not isinstance(entries, list):
            self._check.refuse("cameras", f"{shortened(entries)}; expected a list of cameras")
        cameras = tuple(self._camera(entry, f"cameras[{i}]") for i, entry in enumerate(entries))
        names = [camera.name for camera in cameras]
        doubled = next((name for name in names if names.count(name) > 1), None)
        if doubled is not None:
            self._check.refuse("cameras", f"{doubled} is there twice; expected each name once")
        return cameras

    def _camera(self, value: Any, where: str) -> CameraEntry:
        entry = self._check.mapping(value, where)
        name = self._check.text(self._check.key(entry, "name", where), f"{where}.name")
        size = self._check.numbers(self._check.key(entry, "size_px", where), 2, f"{where}.size_px")
        intrinsics = self._check.numbers(
            self._check.key(entry, "intrinsics_px", where), 4, f"{where}.intrinsics_px"
        )
        if min(intrinsics[:2]) <= 0 or min(size) < 1:
            self._check.refuse(
                where, "focal lengths and image size; expected intrinsics_px [fx, fy, cx, cy] above zero"
            )
        distortion = entry.get("distortion", [0, 0, 0, 0, 0])
        count = len(distortion) if isinstance(distortion, list) and len(distortion) in (0, 4, 5) else 5
        numbers = self._check.numbers(distortion, count, f"{where}.distortion (k1, k2, p1, p2, k3)")
        source = entry.get("source")
        return CameraEntry(
            name=name,
            size_px=(int(size[0]), int(size[1])),
            intrinsics_px=intrinsics,
            distortion=np.pad(numbers, (0, 5 - count)),
            source=None if source is None else self._check.text(source, f"{where}.source"),
        )

    def _pose_estimation(self, value: Any, links: tuple[Link, ...]) -> PoseEstimation:
        where = "pose_estimation"
        entry = self._check.mapping(value, where)
        default = PoseEstimation()
        unknown = next((key for key in entry if not hasattr(default, key)), None)
        if unknown is not None:
            self._check.refuse(where, f"{unknown} is not known; expected {one_of(list(vars(default)))}")
        names = [link.name for link in links if link.joint is not None]
        variables = [link.joint.variable for link in links if link.joint is not None]
        weights = [entry.get("normal_weight", 100.0), entry.get("huber_delta_mm", 8.0)]
        normal_weight, huber_delta_mm = self._check.numbers(
            weights, 2, f"{where}.normal_weight, huber_delta_mm"
        )
        if normal_weight < 0 or huber_delta_mm <= 0:
            self._check.refuse(where, f"{weights}; expected normal_weight and huber_delta_mm above zero")
        per_link = self._check.mapping(entry.get("per_link_method", {}), f"{where}.per_link_method")
        for link, method in per_link.items():
            self._one_of(link, names, f"{where}.per_link_method")
            self._one_of(method, _LINK_METHODS, f"{where}.per_link_method.{link}")
        fitted = entry.get("fit_origin_link")
        if fitted is not None:
            self._one_of(fitted, names, f"{where}.fit_origin_link")
        together = entry.get("finger_block_joints", [])
        if not isinstance(together, list):
            self._check.refuse(f"{where}.finger_block_joints", f"{shortened(together)}; expected variables")
        for variable in together:
            self._one_of(variable, variables, f"{where}.finger_block_joints")
        method = entry.get("method", default.method)
        self._one_of(method, METHODS, f"{where}.method")
        return PoseEstimation(
            method, float(normal_weight), float(huber_delta_mm), fitted, dict(per_link), tuple(together)
        )

    def _one_of(self, value: Any, names: list[str] | tuple[str, ...], where: str) -> None:
        if value not in names:
            self._check.refuse(where, f"{shortened(value)}; expected {one_of(list(names))}")
