"""A homing as a whole: from views to a state, with its evidence, its doubts and its fallback."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from lib.errors import CheckFailed
from lib.homing.homing import home, home_from_marker_poses
from lib.homing.marker_pose import MarkerPose
from lib.homing.marker_pose_file import marker_poses_json, read_marker_poses
from lib.homing.progress import JointFound
from lib.homing.result import Homing
from lib.homing.views import Views
from lib.robot import METHODS, load_machine
from tests.lib.homing.scenes import Conditions, Scene, scene, visible

MACHINE = load_machine("rail7")
FINGERS = [m.id for link in MACHINE.links if "Finger" in link.name for m in link.markers]


def homed(one: Scene, views: Views | None = None, method: str | None = None) -> Homing:
    return home(MACHINE, {c.name: c.lens for c in one.cameras}, views or one.views, method)


def shown(one: Scene) -> dict[str, float]:
    return {
        v.name: float(x) * v.shown_per_internal for v, x in zip(MACHINE.variables, one.values, strict=True)
    }


def test_a_capture_gives_every_variable_with_its_deviation() -> None:
    one = scene(MACHINE, 1)
    found = homed(one)
    assert (found.method, found.fallback, found.warnings) == ("pixel_ba", None, ())
    assert found.confident
    for m in found.movements:
        assert m.value is not None
        assert m.std is not None
        assert abs(m.value - shown(one)[m.name]) < 5 * m.std
    assert found.rms_px == pytest.approx(0.3 * np.sqrt(2), rel=0.1)
    assert found.sendable == found.state


@pytest.mark.parametrize("method", METHODS)
def test_every_method_comes_near(method: str) -> None:
    one = scene(MACHINE, 2, Conditions(noise_px=0.1))
    found = homed(one, method=method)
    assert found.method == method
    for m in found.movements:
        assert m.value is not None
        assert abs(m.value - shown(one)[m.name]) < 3, m.name


def test_unseen_fingers_give_null_in_every_form() -> None:
    one = scene(MACHINE, 3)
    found = homed(one, one.views.rows(~np.isin(one.views.marker, FINGERS)))
    document = json.loads(json.dumps(found.as_json()))
    for name in "bce":
        assert document["state"][name] is None
        assert document["movements"][name] == {
            "value": None, "unit": "deg", "observable": False, "confidence": "none", "n_markers": 0,
            "std": None, "method": None,
        }  # fmt: skip
        assert name not in found.sendable
    for name in "xyza":
        assert document["state"][name] == pytest.approx(shown(one)[name], abs=0.5)
    assert not found.confident


def test_progress_comes_joint_by_joint_from_the_root() -> None:
    one = scene(MACHINE, 4)
    lenses = {c.name: c.lens for c in one.cameras}
    for method in ("pixel_ba", "hybrid"):
        told: list[JointFound] = []
        home(MACHINE, lenses, one.views, method, progress=told.append)
        assert [joint.name for joint in told] == ["x", "y", "z", "a", "b", "c", "e"]
        assert told[0].unit == "mm"
        assert told[0].value == pytest.approx(shown(one)["x"], abs=5)


def test_the_residual_table_has_a_row_a_sighting_and_marks_the_false_ones() -> None:
    one = scene(MACHINE, 5)
    row = int(np.flatnonzero(one.views.marker == one.own.marker[0])[0])
    corners = one.views.corners_px.copy()
    corners[row] += 80
    found = homed(one, replace(one.views, corners_px=corners))
    assert len(found.residuals) == len(one.own.marker)
    false = [r for r in found.residuals if r.corners == 0]
    assert [(r.camera, r.marker) for r in false] == [
        (one.views.cameras[one.views.camera[row]], int(one.views.marker[row]))
    ]
    assert false[0].rms_px == pytest.approx(80 * np.sqrt(2), abs=3)


def test_a_moved_camera_is_refused_and_the_others_go_on() -> None:
    one = scene(MACHINE, 6)
    lenses = {c.name: c.lens for c in one.cameras}
    lens = lenses["cam2"]
    lenses["cam2"] = replace(lens, intrinsics_px=lens.intrinsics_px * [0.6, 1, 1, 1])
    found = home(MACHINE, lenses, one.views)
    assert found.warnings[0].startswith("camera cam2: ")
    document = found.as_json()["cameras"]
    assert isinstance(document, list)
    assert [c["placed"] for c in document] == [True, True, True, False]
    assert found.state["y"] == pytest.approx(shown(one)["y"], abs=0.5)


def test_without_any_board_there_is_no_homing() -> None:
    one = scene(MACHINE, 7)
    with pytest.raises(CheckFailed, match="no camera could be placed: camera cam0: sees no marker of the"):
        homed(one, one.own)


def test_an_image_of_another_instant_is_noticed() -> None:
    one = scene(MACHINE, 8, Conditions(dropped=0))
    later = scene(MACHINE, 8, Conditions(dropped=0), values=one.values + 0.15, cameras=one.cameras)
    mixed = Views(
        one.views.cameras,
        *(
            np.concatenate([getattr(one.views, name)[one.views.camera != 1],
                            getattr(later.views, name)[later.views.camera == 1]])
            for name in ("camera", "marker", "corners_px", "floor_px")
        ),
    )  # fmt: skip
    found = homed(one, mixed)
    assert "camera cam1: disagrees with the others about most markers" in " ".join(found.warnings)
    for m in found.movements:
        assert m.value == pytest.approx(shown(one)[m.name], abs=1.0)


def test_when_the_pixels_do_not_fit_the_chains_state_stands_marked_and_without_trust() -> None:
    one = scene(MACHINE, 9, Conditions(dropped=0))
    random = np.random.default_rng(0)
    # Markers swapped about: ids that name other links than they are glued to.
    ids = sorted(MACHINE.carrier)
    others = dict(zip(ids, random.permutation(ids).tolist(), strict=True))
    views = replace(one.views, marker=np.array([others.get(m, m) for m in one.views.marker.tolist()]))
    found = homed(one, views)
    assert found.method == "chain"
    assert found.fallback is not None
    assert found.fallback.startswith("pixel_ba leaves ")
    assert not found.confident
    assert all(m.method != "pixel_ba" for m in found.movements)
    assert "the chain's state stands in its place" in found.warnings[-1]


def test_marker_poses_alone_are_homed_by_the_originals_method(tmp_path: Path) -> None:
    one = scene(MACHINE, 10)
    from_images = homed(one, method="hybrid")
    file = tmp_path / "aruco_marker_poses.json"
    file.write_text(json.dumps(marker_poses_json(from_images.marker_poses)))
    found = home_from_marker_poses(MACHINE, read_marker_poses(file))
    assert found.method == "hybrid"
    assert found.warnings == ("pixel_ba needs images; hybrid served from the marker poses",)
    for m in found.movements:
        assert m.value == pytest.approx(shown(one)[m.name], abs=3.0)


def test_marker_poses_of_another_robot_are_refused() -> None:
    strange = [MarkerPose(3, np.zeros(3), np.array([0, 0, 1.0]), 2)]
    with pytest.raises(CheckFailed, match="none of 1 marker poses is of a marker of rail7"):
        home_from_marker_poses(MACHINE, strange)


def test_a_link_seen_by_one_camera_counts_with_its_wider_deviation() -> None:
    one = scene(MACHINE, 11, Conditions(dropped=0))
    ids = [m.id for m in MACHINE.links[MACHINE.link_index("Arm2")].markers]
    lonely = one.views.rows(~np.isin(one.views.marker, [*ids, *FINGERS]) | (one.views.camera == 0))
    assert np.isin(lonely.marker, ids).any()
    all_views, one_view = homed(one).movements[3], homed(one, lonely).movements[3]
    assert one_view.std is not None and all_views.std is not None
    assert one_view.std > all_views.std
    assert one_view.value is not None
    assert abs(one_view.value - shown(one)["a"]) < 5 * one_view.std


def test_the_scenes_own_cameras_see_no_marker_from_behind() -> None:
    one = scene(MACHINE, 12)
    corners = np.array([m.corners_m for m in MACHINE.board])
    seen, _ = visible(one.cameras[0], corners, np.array([-m.normal for m in MACHINE.board]))
    assert not seen.any()
