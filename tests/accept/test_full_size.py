"""The published scan on a table of the published size, by the commands a person types."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest

from lib.scan import COLUMNS, ScanOptions, content_md5, read_scan

ROOT = Path(__file__).parents[2]
BASE_ROWS = 99 * 16_807

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1_800)]


class Command:
    """`nightpick` in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __call__(self, *arguments: str, code: int = 0) -> Any:
        run = subprocess.run(
            [sys.executable, "-m", "flows.cli", *arguments, "--json"],
            cwd=ROOT,
            env={**os.environ, "NIGHTPICK_DATA_DIR": str(self.folder / "data")},
            capture_output=True,
            text=True,
            check=False,
        )
        assert run.returncode == code, run.stderr
        return json.loads(run.stdout)

    def file(self, name: str) -> Path:
        return self.folder / name


@pytest.fixture(scope="module")
def nightpick(tmp_path_factory: pytest.TempPathFactory) -> Command:
    """A data folder with the simulated base table as version 1 and the published four bases as version 2."""
    command = Command(tmp_path_factory.mktemp("full"))
    command("init", "--config", str(command.file("nightpick.toml")))
    requests = command.folder / "data" / "requests"
    for name in ("base", "place-low-z"):
        out = command.file(f"{name}.csv")
        command("scan", "simulate", str(requests / f"{name}.csv"), str(out))
        command("scan", "ingest", str(out))
        assert command("table", "merge")["promoted"]
    return command


def altered(nightpick: Command, name: str, change: Any) -> Path:
    """Write the published scan with ``change`` made to its rows (n, 9)."""
    points = read_scan(nightpick.file("place-low-z.csv"), ScanOptions()).points.copy()
    change(points)
    path = nightpick.file(name)
    np.savetxt(path, points, delimiter=",", header=",".join(COLUMNS), comments="", fmt="%.9g")
    return path


def test_counts_add_up_as_published(nightpick: Command) -> None:
    base, scan = nightpick("table", "history")
    assert (base["rows"], base["added"]) == (BASE_ROWS, BASE_ROWS)
    assert scan["scanned"] == 67_228 and scan["added"] + scan["duplicates"] == 67_228
    assert scan["rows"] == BASE_ROWS + scan["added"]
    # Published: 45,230 new and 21,998 exact repeats; which repeats differ is chance.
    assert abs(scan["added"] - 45_230) < 400
    poses = nightpick("sql", "SELECT count(DISTINCT (j0_deg, j1_deg, j2_deg, j3_deg, j4_deg, j5_deg)) AS n "
                      "FROM fk_point WHERE version = 2")  # fmt: skip
    assert poses == [{"n": 26_411}]


def test_repeats_that_differ_are_counted_and_small(nightpick: Command) -> None:
    (found,) = nightpick("sql", "SELECT figures FROM fk_audit WHERE version = 2 AND name = 'conflicts'")
    figures = found["figures"] if isinstance(found["figures"], dict) else json.loads(found["figures"])
    (scan,) = nightpick("sql", "SELECT added FROM fk_version WHERE version = 2")
    assert figures["near_duplicates"] == scan["added"] - 26_411
    assert 0 < figures["median_m"] < figures["largest_m"] < 1e-6


def test_the_same_file_again_adds_nothing(nightpick: Command) -> None:
    (again,) = nightpick("scan", "ingest", str(nightpick.file("place-low-z.csv")))
    assert again["status"] == "already known"
    document = nightpick("table", "merge")
    assert (document["added"], document["version"]) == (0, 2)


def test_shifted_rows_swapped_axes_and_another_tool_are_blocked_and_named(nightpick: Command) -> None:
    robot_tip = np.array([0.0, 0.0, 0.012])

    def shift(points: np.ndarray) -> None:
        points[:672, 0] += 0.003

    def swap(points: np.ndarray) -> None:
        points[:, [0, 1]] = points[:, [1, 0]]

    def longer(points: np.ndarray) -> None:
        from dataclasses import replace

        from lib.robot import load_robot, tip_points

        robot = load_robot("mecharm270")
        assert robot is not None
        points[:, :3] = tip_points(replace(robot, tip_m=robot.tip_m + robot_tip), points[:, 3:])

    before = nightpick("table", "verify")
    changes = {"shifted.csv": shift, "swapped.csv": swap, "longer.csv": longer}
    for name, change in changes.items():
        nightpick("scan", "ingest", str(altered(nightpick, name, change)))
    results = nightpick("table", "merge", code=1)["merges"]
    causes = ("displaced, typically by 3.0 mm", "swapped axes", "another tool")
    for result, cause in zip(results, causes, strict=True):
        audit = next(a for a in result["audits"] if a["name"] == "self_consistency")
        assert audit["ok"] is False and cause in audit["message"], audit["message"]
        assert not result["promoted"]
    assert nightpick("table", "verify") == before


def test_a_planted_float_is_found_and_named(nightpick: Command, tmp_path: Path) -> None:
    file = nightpick.folder / "data" / "fk.duckdb"
    kept = file.read_bytes()
    with duckdb.connect(str(file)) as connection:
        connection.execute("UPDATE fk_point SET j2 = j2 + 1e-6 WHERE fk_row = 1000")
    found = nightpick("table", "verify", code=1)
    file.write_bytes(kept)
    assert found["damage"] and found["damage"][0].startswith("fk_row 1000: j2 is")
    assert nightpick("table", "verify")["ok"]


def test_back_and_forward_and_out(nightpick: Command) -> None:
    assert nightpick("table", "rollback", "1") == {"before": 2, "current": 1}
    assert nightpick("table", "rollback", "2") == {"before": 1, "current": 2}
    places = [nightpick.folder / name for name in ("one", "two", "three")]
    for place in places:
        place.mkdir()
    places[1].chmod(0o555)
    paths = [
        str(place / f"fk{suffix}") for place, suffix in zip(places, (".csv", ".csv", ".parquet"), strict=True)
    ]
    run = subprocess.run(
        [sys.executable, "-m", "flows.cli", "table", "export", *paths],
        cwd=ROOT,
        env={**os.environ, "NIGHTPICK_DATA_DIR": str(nightpick.folder / "data")},
        capture_output=True,
        text=True,
        check=False,
    )
    places[1].chmod(0o755)
    assert run.returncode == 2 and "two: is read-only" in run.stderr and "2 of 3 written" in run.stderr
    expected = nightpick("table", "history")[1]["content_md5"]
    for path in (paths[0], paths[2]):
        assert content_md5(read_scan(Path(path), ScanOptions()).points) == expected
