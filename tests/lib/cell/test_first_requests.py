"""The first scan request fills both height bands as the original table did."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from lib.cell import base_request, simulate_scan, write_first_requests
from lib.lookup import PickRequest, PlaceRequest, Table, lookup_many, place
from lib.robot import Robot, load_robot, outside_limits
from lib.scan import expand, read_request


@pytest.fixture(scope="module")
def robot() -> Robot:
    robot = load_robot("mecharm270")
    assert robot is not None
    return robot


@pytest.fixture(scope="module")
def base(robot: Robot) -> np.ndarray:
    return simulate_scan(robot, base_request(), seed=0)


def test_99_bases_give_1663893_different_poses_inside_the_limits(robot: Robot) -> None:
    request = base_request()
    assert request.bases.shape == (99, 6)
    assert np.array_equal(request.bases, np.round(request.bases, 3))
    assert (request.bases[:, 5] == -30.0).all()
    assert request.expected_rows == request.distinct_poses() == 1_663_893
    assert not outside_limits(robot, expand(request.bases)).any()


def test_both_height_bands_are_filled_as_in_the_original(base: np.ndarray) -> None:
    ee_y = base[:, 1]
    place_share = ((ee_y >= 0.085) & (ee_y <= 0.115)).mean()
    pick_share = ((ee_y >= 0.010) & (ee_y <= 0.040)).mean()
    assert place_share == pytest.approx(226_764 / 1_659_957, abs=0.005)
    assert pick_share > 0.08


def test_the_box_and_the_pick_area_are_in_reach(base: np.ndarray) -> None:
    table = Table.from_points(base)
    box = [
        PlaceRequest(x, z)
        for x in np.linspace(-0.21, -0.13, 9).tolist()
        for z in np.linspace(0.16, 0.22, 7).tolist()
    ]
    area = [
        PickRequest(x, z)
        for x in np.linspace(0.10, 0.18, 9).tolist()
        for z in np.linspace(0.15, 0.24, 10).tolist()
    ]
    found = [result.found for result in lookup_many(table, box)]
    # What is missing is the corner near the base, which the second scan is for.
    assert sum(found) >= 0.75 * len(box)
    assert all(result.found for result in lookup_many(table, area))


def test_the_second_scan_mends_the_published_target_and_spoils_none(
    robot: Robot, base: np.ndarray, tmp_path: Path
) -> None:
    write_first_requests(tmp_path)
    scan = simulate_scan(robot, read_request(tmp_path / "place-low-z.csv"), seed=0)
    before, after = (
        Table.from_points(base),
        Table.from_points(np.concatenate([base, np.unique(scan, axis=0)])),
    )
    old, new = place(before, -0.170, 0.1899), place(after, -0.170, 0.1899)
    assert old.xz_distance_m is not None and old.xz_distance_m > 0.012
    # The published pose and residuals.
    assert new.joints_deg == (36.215, 57.0, 25.0, -7.0, -86.0, -30.0)
    assert (f"{new.x_residual_m:.4f}", f"{new.z_residual_m:.4f}") == ("0.0023", "0.0079")
    box = [
        PlaceRequest(x, z)
        for x in np.linspace(-0.24, -0.10, 71).tolist()
        for z in np.linspace(0.12, 0.26, 71).tolist()
    ]
    farther = [
        (now.xz_distance_m or np.inf) - was.xz_distance_m
        for was, now in zip(lookup_many(before, box), lookup_many(after, box), strict=True)
        if was.xz_distance_m is not None
    ]
    assert max(farther) < 1e-6


def test_requests_are_written_once_and_never_over_a_persons_own(tmp_path: Path) -> None:
    folder = tmp_path / "requests"
    assert [path.name for path in write_first_requests(folder)] == ["base.csv", "place-low-z.csv"]
    assert np.array_equal(read_request(folder / "base.csv").bases, base_request().bases)
    assert read_request(folder / "place-low-z.csv").bases.tolist() == [
        [36.215, 57, 20, -7, -86, -30],
        [36.215, 57, 20, -17, -86, -30],
        [31.215, 57, 20, -17, -86, -30],
        [31.215, 57, 20, -22, -86, -30],
    ]
    (folder / "base.csv").write_text("mine")
    (folder / "place-low-z.csv").unlink()
    assert [path.name for path in write_first_requests(folder)] == ["place-low-z.csv"]
    assert (folder / "base.csv").read_text() == "mine"


def test_a_new_folder_appears_with_all_requests_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(self: Path, target: Path) -> None:
        raise KeyboardInterrupt

    folder = tmp_path / "requests"
    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", killed)
        with pytest.raises(KeyboardInterrupt):
            write_first_requests(folder)
    assert not folder.exists()
    assert len(write_first_requests(folder)) == 2
    assert [path.name for path in tmp_path.iterdir()] == ["requests"]
