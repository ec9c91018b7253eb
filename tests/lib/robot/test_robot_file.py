"""A robot file is read whole or refused with one clear line."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lib.robot
from lib.errors import BadInput
from lib.robot import load_robot

MECHARM270 = Path(lib.robot.__file__).parent / "robots" / "mecharm270.json"

Change = Callable[[dict[str, Any]], object]


def written(folder: Path, change: Change) -> Path:
    document = json.loads(MECHARM270.read_text())
    change(document)
    path = folder / "robot.json"
    path.write_text(json.dumps(document))
    return path


def joint(document: dict[str, Any], link: str) -> dict[str, Any]:
    found: dict[str, Any] = document["links"][link]["jointToParent"]
    return found


def test_the_packaged_robot_has_the_vendors_limits_and_the_published_tip() -> None:
    robot = load_robot("mecharm270")
    assert robot is not None
    assert robot.limits_deg.tolist() == [
        [-160, 160], [-75, 120], [-175, 65], [-155, 155], [-115, 115], [-180, 180],
    ]  # fmt: skip
    assert (robot.tip_m * 1000).tolist() == pytest.approx([-6.5936, 5.6447, 98.9832])
    assert (robot.twin_axes @ [1.0, 2.0, 3.0]).tolist() == [-2.0, 3.0, 1.0]
    assert robot.file_md5 == hashlib.md5(MECHARM270.read_bytes()).hexdigest()


def test_each_link_of_the_packaged_file_stands_on_one_line() -> None:
    lines = MECHARM270.read_text().splitlines()
    assert sum('"jointToParent"' in line and '"limits_deg"' in line for line in lines) == 6


def test_none_is_no_robot() -> None:
    assert load_robot("none") is None


def test_an_unknown_robot_lists_the_known_ones() -> None:
    with pytest.raises(BadInput, match=r'robot "mecharm280": no such file; expected mecharm270 or none, or'):
        load_robot("mecharm280")


def test_links_may_stand_in_any_order(tmp_path: Path) -> None:
    def reverse(document: dict[str, Any]) -> None:
        document["links"] = dict(reversed(document["links"].items()))

    shuffled, packaged = load_robot(written(tmp_path, reverse)), load_robot("mecharm270")
    assert shuffled is not None and packaged is not None
    assert [j.variable for j in shuffled.joints] == [j.variable for j in packaged.joints]


def test_an_axis_within_one_percent_is_made_a_unit_vector(tmp_path: Path) -> None:
    path = written(tmp_path, lambda d: joint(d, "link3").update(axis=[0, 0, 1.009]))
    robot = load_robot(path)
    assert robot is not None
    assert np.linalg.norm(robot.joints[2].axis) == pytest.approx(1.0, abs=1e-15)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: joint(d, "link3").update(parent="elbow"),
         'links.link3.jointToParent.parent: "elbow" is not a link; expected base, link1'),
        (lambda d: joint(d, "link3").update(parent="link1"),
         'links.link3.jointToParent.parent: "link1" already carries link2; expected one chain'),
        (lambda d: (joint(d, "link2").update(parent="link4"), joint(d, "link5").update(parent="link1")),
         "links: parents run in a loop: link2 -> link4 -> link3 -> link2"),
        (lambda d: d["links"].update(post={}),
         "links: base and post have no jointToParent; expected one base"),
        (lambda d: joint(d, "link3").update(axis=[0, 0, 1.02]),
         "links.link3.jointToParent.axis: length 1.02; expected a unit vector within 1 %"),
        (lambda d: joint(d, "link3").update(axis=[0, 0, 0]), "axis: length 0; expected a unit vector"),
        (lambda d: joint(d, "link4").update(limits_deg=[155, -155]),
         "links.link4.jointToParent.limits_deg: [155.0, -155.0]; expected the lower bound, then the higher"),
        (lambda d: joint(d, "link4").pop("limits_deg"), "links.link4.jointToParent: limits_deg is missing"),
        (lambda d: joint(d, "link1").pop("parent"), "links.link1.jointToParent: parent is missing"),
        (lambda d: joint(d, "link1").pop("origin"), "links.link1.jointToParent: origin is missing"),
        (lambda d: joint(d, "link1")["origin"].pop("xyz_mm"),
         "links.link1.jointToParent.origin: xyz_mm is missing"),
        (lambda d: joint(d, "link1")["origin"].update(xyz_mm=[0, 0]),
         "links.link1.jointToParent.origin.xyz_mm: [0, 0]; expected 3 finite numbers"),
        (lambda d: joint(d, "link1")["origin"].update(xyz_mm=[0, 0, float("nan")]),
         "expected 3 finite numbers"),
        (lambda d: joint(d, "link1")["origin"].update(xyz_mm=[0, 0, 10**400]), "expected 3 finite numbers"),
        (lambda d: joint(d, "link1")["origin"].update(xyz_mm=[0, 0, True]), "expected 3 finite numbers"),
        (lambda d: joint(d, "link2")["origin"].update(rpy_rad=[-90, 0, 0]),
         "links.link2.jointToParent.origin.rpy_rad: [-90.0, 0.0, 0.0]; expected radians"),
        (lambda d: joint(d, "link1").update(type="linear"),
         "links.link1.jointToParent.type: 'linear'; expected revolute"),
        (lambda d: joint(d, "link2").update(variable="j0"),
         "links: joint variables from base to tip are j0, j0, j2, j3, j4, j5; expected j0, j1, j2"),
        (lambda d: d["links"]["link6"].pop("tip_mm"), "links.link6: tip_mm is missing"),
        (lambda d: d["links"]["link5"].update(tip_mm=[0, 0, 1]),
         "links.link5.tip_mm: the tool tip belongs to the last link, link6"),
        (lambda d: d.update(twin_axes=["-y", "z", "y"]), "twin_axes: ['-y', 'z', 'y']; expected x, y and z"),
        (lambda d: d.update(twin_axes="xyz"), "twin_axes: 'xyz'; expected x, y and z once each"),
        (lambda d: d.update(links=[]), "links: []; expected names with values"),
        (lambda d: d.update(links={}), "links: no link; expected a base"),
        (lambda d: d.pop("name"), "name is missing"),
    ],
)  # fmt: skip
def test_what_is_not_a_chain_is_refused_by_its_place(tmp_path: Path, change: Change, message: str) -> None:
    path = written(tmp_path, change)
    with pytest.raises(BadInput) as refusal:
        load_robot(path)
    assert str(refusal.value).startswith(f"{path}: ")
    assert message in str(refusal.value)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'{"name": "a",', "not readable as JSON"),
        (b"\xff\xfe{", "not readable as JSON"),
        (b"[" * 100_000, "not readable as JSON"),
        (b'{"links": ' + b"1" * 5000, "not readable as JSON"),
        (b"[1, 2]", "[1, 2]; expected names with values"),
        (b'{"links": {"base": {}, "base": {}}}', "base is there twice; expected each name once"),
    ],
)
def test_what_is_not_a_robot_file_is_refused(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "robot.json"
    path.write_bytes(content)
    with pytest.raises(BadInput) as refusal:
        load_robot(path)
    assert str(refusal.value).startswith(f"{path}: ")
    assert message in str(refusal.value)
