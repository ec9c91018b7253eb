"""`nightpick home` and `calibrate` from the command line."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from flows.cli import main
from lib.robot import PACKAGED_MACHINES, load_machine
from tests.lib.homing.scenes import Conditions, scene
from tests.lib.homing.session.filmed import photos

VISION = Path(__file__).parents[3] / "../shared/accept/vision"


def answer(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, dict]:
    code = main([*words, "--json"])
    return code, json.loads(capsys.readouterr().out)


@pytest.fixture
def in_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("NIGHTPICK_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_photos_are_homed_and_nothing_is_sent(in_data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    joints_deg = photos(in_data / "photos")
    code, document = answer(capsys, "home", "--images", str(in_data / "photos"))
    assert code == 0
    assert document["homed"] is None
    assert document["method"] == "pixel_ba"
    for k, true in enumerate(joints_deg.tolist()):
        movement = document["movements"][f"j{k}"]
        assert movement["value"] == pytest.approx(true, abs=0.1)
        assert set(movement) == {"value", "unit", "observable", "confidence", "n_markers", "std", "method"}
    assert document["state"]["j0"] == document["movements"]["j0"]["value"]
    assert {"residuals", "cameras", "warnings"} <= set(document)
    assert Path(document["files"]["state"]).is_file()


def test_the_terminal_shows_a_table(in_data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    photos(in_data / "photos")
    assert main(["home", "--images", "photos", "--method", "hybrid"]) == 0
    shown = capsys.readouterr()
    assert "j3" in shown.out
    assert "confidence" in shown.out
    assert "j0 = " in shown.err


def rail7_poses(folder: Path) -> Path:
    from lib.homing import marker_poses_json
    from lib.homing.marker_pose import marker_poses

    machine = load_machine("rail7")
    one = scene(machine, 1, Conditions(noise_px=0.05, dropped=0.0))
    poses = [
        p
        for p in marker_poses(machine, one.cameras, one.views)
        if "Finger" not in machine.links[machine.carrier[p.id]].name
    ]
    file = folder / "aruco_marker_poses.json"
    file.write_text(json.dumps(marker_poses_json(poses)))
    return file


def test_marker_poses_of_the_rail_machine_leave_its_unseen_fingers_null(
    in_data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = rail7_poses(in_data)
    code, document = answer(capsys, "home", "--marker-poses", str(file), "--robot", "rail7")
    assert code == 0
    assert [document["state"][name] for name in "bce"] == [None, None, None]
    assert all(document["state"][name] is not None for name in "xyza")


def test_a_state_seeds_and_a_wrong_one_is_refused(in_data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = rail7_poses(in_data)
    _, cold = answer(capsys, "home", "--marker-poses", str(file), "--robot", "rail7")
    (in_data / "seed.json").write_text(
        json.dumps({"accumulated_state": {"x": cold["state"]["x"], "b": None}})
    )
    _, seeded = answer(
        capsys, "home", "--marker-poses", str(file), "--robot", "rail7", "--from-state", "seed.json"
    )
    assert seeded["state"]["y"] == pytest.approx(cold["state"]["y"], abs=0.01)
    (in_data / "bad.json").write_text(json.dumps({"q": 3}))
    code, refused = answer(
        capsys, "home", "--marker-poses", str(file), "--robot", "rail7", "--from-state", "bad.json"
    )
    assert code == 2
    assert "q is no variable of rail7" in refused["error"]["message"]


def test_tuning_ranks_settings(in_data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rail7_poses(in_data)
    code = main(["home", "--tune", str(in_data), "--robot", "rail7", "--json"])
    rows = json.loads(capsys.readouterr().out)
    assert code == 0
    assert rows[0]["rms_mm"] <= rows[-1]["rms_mm"]
    assert {"huber_delta_mm", "normal_weight", "median_mm", "markers", "rms_mm"} == set(rows[0])


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--method", "magic"], '--method "magic": not known; expected pixel_ba, hybrid'),
        (["--images", "none"], "none: no such folder; expected one with a photo from each camera"),
        (["--marker-poses", "none.json"], "no such file; expected an aruco_marker_poses.json"),
        (["--robot", "none"], "robot = none: homing needs a robot file"),
        (["--robot", "rail7"], "the cell's arm is mecharm270; expected --images or --marker-poses"),
        (["--tune", "none"], "none: no such folder"),
    ],
)
def test_usage_that_cannot_be_is_refused(
    in_data: Path, capsys: pytest.CaptureFixture[str], words: list[str], message: str
) -> None:
    code, document = answer(capsys, "home", *words)
    assert code == document["error"]["code"] == 2
    assert message in document["error"]["message"]


needs_photos = pytest.mark.skipif(not VISION.is_dir(), reason=f"no real photos at {VISION}")


@needs_photos
def test_the_real_camera_is_calibrated_by_command(in_data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    abb = VISION.resolve() / "abb_charuco"
    code, document = answer(
        capsys, "calibrate", "camera", "--images", str(abb), "--poses", str(abb / "poses"),
        "--board", "charuco:5x7:0.036195:0.018256:DICT_6X6_250",
        "--intrinsics", "1352.02747,1356.14287,789.67065,627.2995",
    )  # fmt: skip
    assert code == 0
    assert {"rms_px", "used", "intrinsics", "distortion", "camera_pose", "leave_one_out"} <= set(document)
    assert document["leave_one_out"]["mean_mm"] <= 2.02
    assert document["leave_one_out"]["mean_deg"] <= 0.309


@needs_photos
def test_the_real_positioner_is_calibrated_by_command(
    in_data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    readings = VISION.resolve() / "positioner" / "measurements.yaml"
    code, document = answer(capsys, "calibrate", "arm", "--readings", str(readings))
    assert code == 0
    assert document["held_out"]["mean_deg"][0] <= 0.022
    assert document["held_out"]["mean_deg"][1] <= 0.016


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["camera", "--images", "none", "--poses", "none", "--board", "charuco:5x7:0.03:0.01:DICT_6X6_250"],
         "none: no such folder; expected photos of the board"),
        (["camera", "--images", ".", "--poses", ".", "--board", "chess:5x7"], 'board "chess:5x7"; expected'),
        (["camera", "--images", ".", "--poses", ".", "--board", "charuco:5x7:0.03:0.01:DICT_6X6_250",
          "--intrinsics", "1,2,3"], '--intrinsics "1,2,3"; expected FX,FY,CX,CY in pixels'),
        (["arm", "--readings", "none.yaml"], "none.yaml: no such file"),
    ],
)  # fmt: skip
def test_a_calibration_that_cannot_be_is_refused(
    in_data: Path, capsys: pytest.CaptureFixture[str], words: list[str], message: str
) -> None:
    code, document = answer(capsys, "calibrate", *words)
    assert code == document["error"]["code"] == 2
    assert message in document["error"]["message"]


def test_a_known_arms_offsets_are_calibrated_by_command(
    in_data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from tests.lib.homing.calibrate.test_arm_calibration import entry
    from tests.lib.homing.calibrate.test_robot_calibration import readings

    (in_data / "readings.json").write_text(json.dumps([entry(r) for r in readings(40)]))
    code, document = answer(
        capsys, "calibrate", "arm", "--readings", "readings.json", "--robot", "mecharm270"
    )
    assert code == 0
    assert document["offsets"]["j0"]["value"] is None
    assert document["offsets"]["j3"]["value"] == pytest.approx(-0.7, abs=0.05)
    assert main(["calibrate", "arm", "--readings", "readings.json", "--robot", "mecharm270"]) == 0
    shown = capsys.readouterr().out
    assert "j0: not told by the readings" in shown
    assert "j3: -0." in shown
    assert "origin of link3: y -1." in shown


@needs_photos
def test_real_cameras_are_placed_together_by_command(
    in_data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = VISION.resolve() / "four_cameras"
    code, document = answer(
        capsys, "calibrate", "camera", "--images", str(folder),
        "--board", "charuco:4x5:0.054:0.0405:DICT_4X4_1000", "--robot", str(rig_file(in_data, folder)),
    )  # fmt: skip
    assert code == 0
    assert len(document["cameras"]) == 4
    assert document["median_px"] <= 0.43


def rig_file(folder: Path, photos_of: Path) -> Path:
    """Write a robot file with the cameras of the real rig."""
    array = tomllib.loads((photos_of / "camera_array.toml").read_text())["cameras"]
    robot = json.loads(PACKAGED_MACHINES["rail7"].read_text())
    robot["cameras"] = [
        {
            "name": f"cam{key}", "size_px": entry["size"], "distortion": entry["distortions"],
            "intrinsics_px": [entry["matrix"][0][0], entry["matrix"][1][1], entry["matrix"][0][2],
                              entry["matrix"][1][2]],
        }
        for key, entry in array.items()
    ]  # fmt: skip
    file = folder / "rig.json"
    file.write_text(json.dumps(robot))
    return file
