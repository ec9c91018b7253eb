"""A robot file is read for homing whole, or refused with one clear line."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lib.errors import BadInput
from lib.robot import PACKAGED_MACHINES, load_machine, load_robot

RAIL7 = PACKAGED_MACHINES["rail7"]

Change = Callable[[dict[str, Any]], object]


def written(folder: Path, change: Change) -> Path:
    document = json.loads(RAIL7.read_text())
    change(document)
    path = folder / "robot.json"
    path.write_text(json.dumps(document))
    return path


def joint(document: dict[str, Any], link: str) -> dict[str, Any]:
    found: dict[str, Any] = document["links"][link]["jointToParent"]
    return found


def marker(document: dict[str, Any], link: str, place: int = 0) -> dict[str, Any]:
    found: dict[str, Any] = document["links"][link]["markers"][place]
    return found


def test_the_rail_machine_has_the_originals_seven_variables_and_markerless_links() -> None:
    machine = load_machine("rail7")
    assert [(v.name, v.kind, v.unit) for v in machine.variables] == [
        ("x", "linear", "mm"), ("y", "revolute", "deg"), ("z", "revolute", "deg"), ("a", "revolute", "deg"),
        ("b", "revolute", "deg"), ("c", "revolute", "deg"), ("e", "revolute", "deg"),
    ]  # fmt: skip
    carried = {link.name: len(link.markers) for link in machine.links}
    assert carried["Base"] == carried["Hand"] == carried["Palm"] == 0
    assert carried["Arm1"] == 5
    assert sum(carried.values()) == 28
    sizes_mm = [1000 * m.size_m for m in machine.link_markers.values()]
    assert (min(sizes_mm), max(sizes_mm)) == (28, 40)
    arm1 = machine.links[machine.link_index("Arm1")].joint
    assert arm1 is not None
    assert (arm1.origin_m[1:] * 1000).tolist() == pytest.approx([101.1, 55.2])
    assert len(machine.board) == 24
    assert machine.file_md5 == hashlib.md5(RAIL7.read_bytes()).hexdigest()


def test_both_fingers_follow_one_variable() -> None:
    machine = load_machine("rail7")
    fingers = [machine.link_index(name) - 1 for name in ("FingerA", "FingerB")]
    assert [machine.variables[k].name for k in machine.driven_by[fingers]] == ["e", "e"]
    assert machine.depends[machine.link_index("FingerA")].all()
    assert not machine.moves[machine.link_index("FingerA"), fingers[1]]


def test_the_mecharms_file_is_one_for_both_readers() -> None:
    machine, robot = load_machine("mecharm270"), load_robot("mecharm270")
    assert robot is not None
    assert machine.file_md5 == robot.file_md5
    limits = [(v.low, v.high) for v in machine.variables]
    np.testing.assert_allclose(np.degrees(limits), robot.limits_deg)


def test_each_joint_of_the_packaged_files_stands_on_one_line() -> None:
    for file in PACKAGED_MACHINES.values():
        joints = [line for line in file.read_text().splitlines() if '"jointToParent"' in line]
        assert len(joints) == len(load_machine(file).links) - 1
        assert all('"origin"' in line for line in joints)


def test_links_may_stand_in_any_order(tmp_path: Path) -> None:
    def reverse(document: dict[str, Any]) -> None:
        document["links"] = dict(reversed(document["links"].items()))

    shuffled = load_machine(written(tmp_path, reverse))
    assert [v.name for v in shuffled.variables] == list("xyzabce")
    assert all(link.parent < i for i, link in enumerate(shuffled.links))


def test_what_a_file_leaves_out_has_a_meaning(tmp_path: Path) -> None:
    def bare(document: dict[str, Any]) -> None:
        for key in ("board", "cameras", "pose_estimation", "dictionary"):
            del document[key]
        del marker(document, "Arm1")["corners_mm"]
        del document["links"]["Hand"]["markers"]

    machine = load_machine(written(tmp_path, bare))
    assert (machine.board, machine.cameras) == ((), ())
    estimation = machine.pose_estimation
    assert (estimation.method, estimation.normal_weight, estimation.huber_delta_mm) == (
        "pixel_ba",
        100.0,
        8.0,
    )
    assert estimation.fit_origin_link is None
    assert machine.link_markers[197].corners_m is None


def test_an_origin_is_a_list_or_has_a_rotation_too(tmp_path: Path) -> None:
    turned = {"xyz_mm": [1, 2, 3], "rpy_rad": [0, 0, np.pi / 2]}
    machine = load_machine(written(tmp_path, lambda d: joint(d, "Arm1").update(origin=turned)))
    arm1 = machine.links[machine.link_index("Arm1")].joint
    assert arm1 is not None
    np.testing.assert_allclose(arm1.origin_m, [0.001, 0.002, 0.003])
    np.testing.assert_allclose(arm1.origin_rotation @ [1, 0, 0], [0, 1, 0], atol=1e-15)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: joint(d, "Arm2").update(parent="Elbow"),
         'links.Arm2.jointToParent.parent: "Elbow" is not a link; expected World, Base, Arm1, Ellbow'),
        (lambda d: (joint(d, "Arm1").update(parent="Arm2"), joint(d, "Hand").update(parent="Base")),
         "links: parents run in a loop: Arm1 -> Arm2 -> Ellbow -> Arm1"),
        (lambda d: d["links"].update(post={}),
         "links: World and post have no jointToParent; expected one base"),
        (lambda d: d.update(links={"World": {}}), "links: World alone; expected links that move"),
        (lambda d: joint(d, "Hand").update(axis=[0, 0, 1.02]),
         "links.Hand.jointToParent.axis: length 1.02; expected a unit vector within 1 %"),
        (lambda d: joint(d, "Hand").update(type="prismatic"),
         'links.Hand.jointToParent.type: "prismatic"; expected revolute or linear'),
        (lambda d: joint(d, "Base").pop("limits_mm"), "links.Base.jointToParent: limits_mm is missing"),
        (lambda d: joint(d, "FingerB").update(type="linear", limits_mm=[0, 9]),
         "links.FingerB.jointToParent.type: linear, but e is revolute in FingerA; expected one kind"),
        (lambda d: joint(d, "Arm1").update(origin=[0, 101.1]),
         "links.Arm1.jointToParent.origin: [0, 101.1]; expected 3 finite numbers"),
        (lambda d: marker(d, "Ellbow").update(id=197),
         "links.Ellbow.markers[0]: marker 197 is already links.Arm1.markers[0]; expected each id once"),
        (lambda d: d["board"][3].update(id=141), "board[3]: marker 141 is already links.Arm2.markers[0]"),
        (lambda d: marker(d, "Arm1").update(id=250), "markers[0].id: 250; DICT_4X4_250 has markers 0 to 249"),
        (lambda d: marker(d, "Arm1").update(id=True), "markers[0].id: true; DICT_4X4_250 has markers"),
        (lambda d: marker(d, "Arm1").update(normal=[1.02, 0, 0]),
         "links.Arm1.markers[0] (marker 197).normal: length 1.02; expected a unit vector within 1 %"),
        (lambda d: marker(d, "Arm1").update(size_mm=0.04), "size_mm: 0.04; expected millimetres, metres?"),
        (lambda d: marker(d, "Arm1").update(size_mm=0), "size_mm: 0; expected millimetres"),
        (lambda d: marker(d, "Arm1").update(size_mm="40"), 'size_mm: ["40"]; expected 1 finite numbers'),
        (lambda d: marker(d, "Arm1").update(size_mm=44), "a side of 40 mm; expected the marker's 44 mm"),
        (lambda d: marker(d, "Arm1").update(position_mm=[30, 0, 75]),
         "corners_mm: their middle is 5 mm from position_mm; expected it there"),
        (lambda d: marker(d, "Arm1")["corners_mm"].reverse(),
         "they run the other way round: a mirrored marker; expected clockwise as seen from where normal"),
        (lambda d: marker(d, "Arm1").update(normal=[0, 1, 0]), "they do not lie across normal"),
        (lambda d: marker(d, "Arm1")["corners_mm"].pop(), "expected four corners"),
        (lambda d: d["links"]["Arm1"].update(markers={}),
         "links.Arm1.markers: {}; expected a list of markers"),
        (lambda d: d.update(dictionary="DICT_4X4_200"),
         'dictionary: dictionary "DICT_4X4_200" is not known; expected one of DICT_4X4_50, DICT_4X4_100'),
        (lambda d: d["cameras"][1].update(name="cam0"),
         "cameras: cam0 is there twice; expected each name once"),
        (lambda d: d["cameras"][0].update(intrinsics_px=[0, 1600, 960, 600]), "cameras[0]: focal lengths"),
        (lambda d: d["cameras"][0].update(distortion=[0, 0]), "expected 5 finite numbers"),
        (lambda d: d["pose_estimation"].update(method="pixel"),
         'pose_estimation.method: "pixel"; expected pixel_ba, hybrid, global_ba, sequential_fk or'),
        (lambda d: d["pose_estimation"].update(fit_origin_link="World"),
         'pose_estimation.fit_origin_link: "World"; expected Base, Arm1'),
        (lambda d: d["pose_estimation"].update(per_link_method={"Arm1": "hybrid"}),
         'per_link_method.Arm1: "hybrid"; expected sequential_vector or sequential_fk'),
        (lambda d: d["pose_estimation"].update(finger_block_joints=["b", "f"]),
         'pose_estimation.finger_block_joints: "f"; expected x, y'),
        (lambda d: d["pose_estimation"].update(huber_delta_mm=0),
         "expected normal_weight and huber_delta_mm"),
        (lambda d: d["pose_estimation"].update(normal_wieght=3),
         "pose_estimation: normal_wieght is not known"),
        (lambda d: d.pop("name"), "name is missing"),
    ],
)  # fmt: skip
def test_what_homing_cannot_use_is_refused_by_its_place(tmp_path: Path, change: Change, message: str) -> None:
    path = written(tmp_path, change)
    with pytest.raises(BadInput) as refusal:
        load_machine(path)
    assert str(refusal.value).startswith(f"{path}: ")
    assert message in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_an_unknown_robot_lists_the_known_ones() -> None:
    with pytest.raises(BadInput, match=r'robot "rail8": no such file; expected mecharm270 or rail7, or a'):
        load_machine("rail8")
