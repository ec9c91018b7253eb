"""A homing as a whole leaves its state, its rows and its pictures, and never makes a value up."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from lib.errors import CheckFailed
from lib.homing import marker_poses_json, read_marker_poses
from lib.homing.marker_pose import MarkerPose, marker_poses
from lib.homing.session import Capture, HomingRequest, HomingRun, photos_in, run_homing, stored_captures
from lib.report.homings import homing_markdown, write_homing_reports
from lib.robot import PACKAGED_MACHINES, load_machine
from lib.runlog import connect
from lib.settings import Settings
from tasks.artifacts import LARGEST_BYTES
from tests.lib.homing.scenes import Conditions, scene
from tests.lib.homing.session.filmed import filmed, photos

MACHINE = load_machine("mecharm270")


def rows(settings: Settings, question: str) -> list[dict[str, object]]:
    with connect(settings.data_dir) as database:
        return database.execute(question).fetch_df().to_dict("records")


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    return Settings(data_dir=tmp_path_factory.mktemp("data"))


@pytest.fixture(scope="module")
def run(settings: Settings) -> HomingRun:
    pictures, joints_deg = filmed()
    encoders = tuple((joints_deg - [0.5, -0.3, 0.2, 0.0, 0.8, -0.6]).tolist())
    return run_homing(settings, MACHINE, [Capture(pictures, "cell", encoders)])


def test_the_pictures_give_the_joints_to_hundredths_of_a_degree(run: HomingRun) -> None:
    _, joints_deg = filmed()
    for m, true in zip(run.homing.movements, joints_deg.tolist(), strict=True):
        assert m.value == pytest.approx(true, abs=0.1)
        assert m.confidence == "high"
    assert run.state == "confident"
    assert run.warnings == ()


def test_the_base_that_stands_millimetres_off_is_found(run: HomingRun) -> None:
    shift_mm = [m.value for m in run.homing.base_shift]
    assert 2.9 < np.linalg.norm(np.array(shift_mm, dtype=float)) < 5.1


def test_the_offsets_are_the_ones_put_in(run: HomingRun) -> None:
    found = [o.offset_deg for o in run.offsets]
    assert found == pytest.approx([0.5, -0.3, 0.2, 0.0, 0.8, -0.6], abs=0.1)


def test_its_rows_hold_every_joint_and_what_fits(settings: Settings, run: HomingRun) -> None:
    (homing,) = rows(settings, "SELECT * FROM homing")
    assert homing["homing_id"] == run.homing_id
    assert (homing["state"], homing["method"], homing["arm"]) == ("confident", "pixel_ba", "mecharm270")
    assert (homing["cameras"], homing["robot_md5"]) == (4, MACHINE.file_md5)
    assert homing["residual_px"] == pytest.approx(run.homing.rms_px)
    joints = rows(settings, "SELECT * FROM homing_joint ORDER BY variable")
    assert [j["variable"] for j in joints] == ["j0", "j1", "j2", "j3", "j4", "j5"]
    assert joints[4]["joint_offset"] == pytest.approx(0.8, abs=0.1)


def test_its_files_are_the_state_and_the_marker_poses_in_the_originals_forms(run: HomingRun) -> None:
    document = json.loads(run.files.state.read_text())
    assert document["movements"]["j3"]["value"] == pytest.approx(20.0, abs=0.2)
    assert document["state"]["j3"] == document["movements"]["j3"]["value"]
    poses = read_marker_poses(run.files.marker_poses)
    assert {p.id for p in poses} <= set(MACHINE.carrier)
    assert len(poses) >= 10


def test_its_evidence_is_annotated_pictures_a_chain_and_tables(run: HomingRun) -> None:
    reports = write_homing_reports(run)
    assert set(reports.images) == set(run.captures[-1].images)
    assert reports.chain.read_bytes().startswith(b"\x89PNG")
    for camera, path in reports.images.items():
        machine, whole = (cv2.imread(str(p)) for p in (path, path.with_name(f"{camera}-annotated.jpg")))
        assert machine is not None and whole is not None
        assert (machine.shape, whole.shape) == ((714, 960, 3), (1234, 1600, 3))
        assert path.stat().st_size * 4 / 3 < LARGEST_BYTES  # as the UI holds it
    text = homing_markdown(run)
    assert "| j4 | -45" in text
    assert "### Camera against encoder" in text
    assert "### Residuals" in text
    assert "| left |" in text


def test_stored_captures_are_found_as_poses_and_as_photos(run: HomingRun, tmp_path: Path) -> None:
    photos(tmp_path / "monday")
    (tmp_path / "tuesday").mkdir()
    poses = json.loads(run.files.marker_poses.read_text())
    (tmp_path / "tuesday" / "aruco_marker_poses.json").write_text(json.dumps(poses))
    stored = stored_captures(MACHINE, tmp_path)
    assert len(stored) == 2
    assert {p.id for p in stored[0]} == {p.id for p in stored[1]}


def test_a_jump_since_the_last_homing_is_an_alarm(run: HomingRun, settings: Settings) -> None:
    assert run.state == "confident"
    pictures, joints_deg = filmed()
    slipped = joints_deg - [0.5, -0.3, 0.2, 0.0, 4.0, -0.6]
    again = run_homing(settings, MACHINE, [Capture(pictures, "cell", tuple(slipped.tolist()))])
    assert [alarm[:22] for alarm in again.alarms] == ["j4: its offset went fr"]
    assert again.state == "unsure"
    accepted = run_homing(settings, MACHINE, [Capture(pictures, "cell", tuple(slipped.tolist()))])
    assert (accepted.alarms, accepted.state) == ((), "confident")  # homed again, it is taken as it is


def test_a_cell_of_another_seed_is_another_arm(run: HomingRun, settings: Settings) -> None:
    pictures, joints_deg = filmed()
    other = Capture(pictures, "another cell", tuple((joints_deg - 5.0).tolist()))
    assert run_homing(settings, MACHINE, [other]).alarms == ()


def test_a_failed_homing_has_its_row_too(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path)
    blank = np.full((1200, 1600), 128, dtype=np.uint8)
    with pytest.raises(CheckFailed, match="no camera could be placed"):
        run_homing(settings, MACHINE, [Capture({"left": blank}, "photos", None)])
    (row,) = rows(settings, "SELECT state, error FROM homing")
    assert row["state"] == "failed"
    assert "no camera could be placed" in str(row["error"])


RAIL7 = load_machine("rail7")


def fingerless_poses(seed: int) -> tuple[MarkerPose, ...]:
    one = scene(RAIL7, seed, Conditions(noise_px=0.05, dropped=0.0))
    poses = marker_poses(RAIL7, one.cameras, one.views)
    return tuple(p for p in poses if "Finger" not in RAIL7.links[RAIL7.carrier[p.id]].name)


def test_what_is_not_seen_is_null_all_the_way_to_the_database(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path)
    run = run_homing(settings, RAIL7, fingerless_poses(1))
    assert run.state == "unsure"
    with connect(tmp_path) as database:
        nulls = database.execute(
            "SELECT variable FROM homing_joint WHERE value IS NULL AND std IS NULL ORDER BY 1"
        ).fetchall()
    assert nulls == [("b",), ("c",), ("e",)]
    document = json.loads(run.files.state.read_text())
    assert [document["state"][name] for name in "bce"] == [None, None, None]


def robot_file(folder: Path) -> Path:
    text = PACKAGED_MACHINES["rail7"].read_text().replace("[0, 101.1, 55.2]", "[0, 104.1, 51.2]")
    path = folder / "robot.json"
    path.write_text(text.replace('"fit_origin_link": null', '"fit_origin_link": "Arm1"'))
    return path


def test_a_fitted_origin_is_written_into_the_robot_file_and_told(tmp_path: Path) -> None:
    path = robot_file(tmp_path)
    before = path.read_bytes().splitlines()
    one = scene(RAIL7, 2, Conditions(noise_px=0.05, dropped=0.0))
    poses = tuple(p for p in marker_poses(RAIL7, one.cameras, one.views) if p.num_cameras > 1)
    settings = Settings(data_dir=tmp_path / "data")
    shown = run_homing(settings, load_machine(path), poses, HomingRequest(show_only=True))
    assert path.read_bytes().splitlines() == before
    assert shown.origin is not None
    assert shown.origin.patch is None
    run = run_homing(settings, load_machine(path), poses)
    after = path.read_bytes().splitlines()
    assert run.origin is not None
    patch = run.origin.patch
    assert patch is not None
    assert [i for i, (a, b) in enumerate(zip(before, after, strict=True), 1) if a != b] == [patch.line]
    np.testing.assert_allclose(patch.new_mm, [0, 101.1, 55.2], atol=0.5)
    told = json.loads((run.files.folder / "origin.json").read_text())
    assert (told["old_mm"], told["patched_line"]) == ([0, 104.1, 51.2], patch.line)
    kept = rows(settings, f"SELECT name, value FROM observation WHERE task = '{run.homing_id}' ORDER BY name")
    assert [(row["name"], row["value"]) for row in kept] == [
        ("origin_after_y", pytest.approx(101.1, abs=0.5)), ("origin_after_z", pytest.approx(55.2, abs=0.5)),
        ("origin_before_y", pytest.approx(104.1)), ("origin_before_z", pytest.approx(51.2)),
    ]  # fmt: skip
    assert run.machine.file_md5 == load_machine(path).file_md5
    assert "Origin of Arm1: 0.00, 104.10, 51.20 mm before" in homing_markdown(run)


def test_an_origin_the_data_cannot_tell_is_a_warning_and_changes_nothing(tmp_path: Path) -> None:
    path = robot_file(tmp_path)
    before = path.read_bytes()
    one = scene(RAIL7, 3, Conditions(noise_px=0.05, dropped=0.0))
    arm1 = [p for p in marker_poses(RAIL7, one.cameras, one.views) if RAIL7.carrier[p.id] == 2][:1]
    run = run_homing(Settings(data_dir=tmp_path / "data"), load_machine(path), tuple(arm1))
    assert path.read_bytes() == before
    assert "cannot be told apart from" in " ".join(run.warnings)


def test_photos_of_the_cell_give_what_the_film_gives(tmp_path: Path) -> None:
    joints_deg = photos(tmp_path / "photos")
    capture = photos_in(MACHINE, tmp_path / "photos")
    run = run_homing(Settings(data_dir=tmp_path / "data"), MACHINE, [capture], HomingRequest(method="hybrid"))
    assert run.homing.method == "hybrid"
    assert run.offsets == ()
    for m, true in zip(run.homing.movements, joints_deg.tolist(), strict=True):
        assert m.value == pytest.approx(true, abs=3.0)


def test_a_marker_pose_file_comes_back_as_it_was(run: HomingRun, tmp_path: Path) -> None:
    poses = run.homing.marker_poses
    (tmp_path / "p.json").write_text(json.dumps(marker_poses_json(poses)))
    for ours, theirs in zip(read_marker_poses(tmp_path / "p.json"), poses, strict=True):
        assert ours.id == theirs.id
        np.testing.assert_allclose(ours.position_m, theirs.position_m, atol=1e-9)
