"""The twin's file reads back as it was measured, is whole or not there, and carries its request."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from lib.cell import simulate_scan, write_simulated_scan
from lib.errors import BadInput
from lib.robot import Robot, load_robot
from lib.scan import ScanOptions, ScanRefused, ScanRequest, read_request, read_scan, request_text
from lib.scan.request import request_beside

TWO_BASES = ScanRequest(
    np.array([[36.215, 57, 20, -7, -86, -30], [31.215, 57, 20, -17, -86, -30]]), exact=False
)


def mecharm270() -> Robot:
    robot = load_robot("mecharm270")
    assert robot is not None
    return robot


def request_file(folder: Path, request: ScanRequest = TWO_BASES) -> Path:
    path = folder / "bases.csv"
    path.write_text(request_text(request))
    return path


def test_a_written_scan_reads_back_bit_for_bit(tmp_path: Path) -> None:
    done: list[tuple[int, int]] = []
    written = write_simulated_scan(
        mecharm270(), request_file(tmp_path), tmp_path / "scan.csv", 7, lambda *now: done.append(now)
    )
    reading = read_scan(tmp_path / "scan.csv", ScanOptions())
    assert np.array_equal(reading.points, simulate_scan(mecharm270(), TWO_BASES, seed=7))
    assert written.rows == len(reading.points) == 33_614
    assert written.distinct_poses == len(np.unique(reading.points[:, 3:], axis=0))
    assert done == [(16_807, 33_614), (33_614, 33_614)]


def test_columns_stand_in_unitys_order_and_joints_have_four_decimals(tmp_path: Path) -> None:
    write_simulated_scan(mecharm270(), request_file(tmp_path), tmp_path / "scan.csv", 0)
    header, first, *_ = (tmp_path / "scan.csv").read_text().splitlines()
    assert header == "ee_x,ee_y,ee_z,j0,j1,j2,j3,j4,j5"
    assert first.endswith(",21.2150,42.0000,5.0000,-22.0000,-101.0000,-30.0000")
    # j4 runs fastest, j0 slowest.
    joints = np.loadtxt(
        tmp_path / "scan.csv", delimiter=",", skiprows=1, usecols=range(3, 9), max_rows=16_807
    )
    assert joints[:8, 4].tolist() == [-101, -96, -91, -86, -81, -76, -71, -101]
    assert (np.diff(joints[:, 0]) >= 0).all()


def test_the_request_lies_beside_the_scan_so_that_an_ingest_counts(tmp_path: Path) -> None:
    bases = request_file(tmp_path)
    written = write_simulated_scan(mecharm270(), bases, tmp_path / "scan.csv", 0)
    beside = request_beside(tmp_path / "scan.csv")
    assert beside == written.request == tmp_path / "scan.request.csv"
    assert beside.read_bytes() == bases.read_bytes()
    assert read_request(beside).expected_rows == written.rows


def test_an_exact_request_is_written_pose_by_pose(tmp_path: Path) -> None:
    poses = ScanRequest(np.array([[36.215, 57, 25, -7, -86, -30]]), exact=True)
    written = write_simulated_scan(mecharm270(), request_file(tmp_path, poses), tmp_path / "one.csv", 0)
    assert (written.rows, written.bases) == (1, 1)
    # The row that the published log's second scan found, to the micrometre.
    point = read_scan(tmp_path / "one.csv", ScanOptions()).points[0]
    assert point[:3] == pytest.approx([-0.172272, 0.088906, 0.197816], abs=1e-6)


def test_a_stopped_scan_leaves_nothing_behind(tmp_path: Path) -> None:
    def stop(done: int, rows: int) -> None:
        raise KeyboardInterrupt

    bases = request_file(tmp_path)
    with pytest.raises(KeyboardInterrupt):
        write_simulated_scan(mecharm270(), bases, tmp_path / "scan.csv", 0, stop)
    assert list(tmp_path.iterdir()) == [bases]


def test_a_pose_no_row_of_which_is_within_the_limits_is_refused_by_its_line(tmp_path: Path) -> None:
    bases = tmp_path / "bases.csv"
    bases.write_text(
        "j0,j1,j2,j3,j4,j5\n174,57,20,-12,-86,-30\n1000,57,20,-12,-86,-181\n\n0,57,-190.5,0,0,0\n"
    )
    with pytest.raises(ScanRefused) as refused:
        write_simulated_scan(mecharm270(), bases, tmp_path / "scan.csv", 0)
    assert [str(problem) for problem in refused.value.problems] == [
        "line 3, column j0: beyond mecharm270's limits -160..160 deg and its grid's 15 deg (found 1000)",
        "line 3, column j5: beyond mecharm270's limits -180..180 deg (found -181)",
        "line 5, column j2: beyond mecharm270's limits -175..65 deg and its grid's 15 deg (found -190.5)",
    ]
    assert list(tmp_path.iterdir()) == [bases]
    bases.write_text("# exact poses\n161,57,20,-12,-86,-30\n")
    with pytest.raises(ScanRefused, match=r"line 2, column j0: beyond mecharm270's limits -160..160 deg \("):
        write_simulated_scan(mecharm270(), bases, tmp_path / "scan.csv", 0)
    bases.write_text("174,57,20,-12,-86,-30\n")  # part of its grid is inside
    assert write_simulated_scan(mecharm270(), bases, tmp_path / "scan.csv", 0).rows == 16_807


def test_what_cannot_be_scanned_or_written_is_one_clear_line(tmp_path: Path) -> None:
    bases = request_file(tmp_path)
    for robot, source, out, message in (
        (None, bases, tmp_path / "scan.csv", 'robot = "none"'),
        (mecharm270(), bases, bases, "is the request itself"),
        (mecharm270(), bases, tmp_path / "scan.txt", "expected a scan file's name"),
        (mecharm270(), bases, tmp_path / "no" / "folder" / "scan.csv", "cannot be written"),
        (mecharm270(), tmp_path / "missing.csv", tmp_path / "scan.csv", "missing.csv"),
    ):
        with pytest.raises(BadInput, match=message) as refusal:
            write_simulated_scan(robot, source, out, 0)
        assert "\n" not in str(refusal.value)
    assert list(tmp_path.iterdir()) == [bases]
