"""`nightpick table map` and `table diff --map`: what the figures show is what the lookup answers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from flows.cli import main

pytestmark = pytest.mark.usefixtures("log54_data_dir")


def answer(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    capsys.readouterr()
    assert main([*arguments, "--json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_the_map_shows_the_box_and_what_binds_around_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "reach.svg"
    assert main(["table", "map", str(out), "--step", "0.01"]) == 0
    told = capsys.readouterr().out
    assert told.startswith(f"{out}: PLACE reach of table version 2: ") and "of 361 targets in reach" in told
    drawn = out.read_text()
    for word in ("PLACE reach of table version 2", "tip height 85 to 115 mm", "box", "absence_of_points"):
        assert word in drawn
    assert len(drawn) < 300_000


def test_a_cell_of_the_map_is_the_lookups_answer(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    document = answer(capsys, "table", "map", str(tmp_path / "reach.png"), "--step", "0.01")
    near = (
        np.abs(np.subtract.outer(document["z_m"], [0.19])).argmin(),
        np.abs(np.array(document["x_m"]) + 0.17).argmin(),
    )
    alone = answer(capsys, "lookup", "place", "-0.17", "0.19")
    assert document["xz_distance_m"][near[0]][near[1]] == pytest.approx(alone["xz_distance_m"], abs=1e-9)
    assert document["reached"] + sum(document["bound_by"].values()) == document["targets"]
    assert (tmp_path / "reach.png").read_bytes().startswith(b"\x89PNG")


def test_another_height_is_another_map(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    low = answer(
        capsys, "table", "map", str(tmp_path / "a.html"), "--step", "0.02", "--height", "0.085", "0.09"
    )
    high = answer(
        capsys, "table", "map", str(tmp_path / "b.html"), "--step", "0.02", "--height", "0.2", "0.3"
    )
    assert low["reached"] > 0 and high["reached"] == 0
    pick = answer(capsys, "table", "map", str(tmp_path / "c.html"), "--step", "0.02", "--mode", "pick")
    assert pick["reached"] == 0 and "<svg" in (tmp_path / "c.html").read_text()


def test_the_difference_map_shows_where_the_scan_helped(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "diff.svg"
    found = answer(capsys, "table", "diff", "1", "2", "--map", str(out), "--step", "0.01")["map"]
    assert found["targets"] == 361 and found["worse"] == 0 and found["out_of_reach_now"] == 0
    assert found["better"] > 0 and found["newly_in_reach"] > 0
    back = answer(capsys, "table", "diff", "2", "1", "--map", str(out), "--step", "0.01")["map"]
    assert (back["better"], back["worse"]) == (0, found["better"])
    assert (back["newly_in_reach"], back["out_of_reach_now"]) == (0, found["newly_in_reach"])
    assert "PLACE: version 1 against version 2" in out.read_text()
    assert main(["table", "diff", "1", "2", "--map", str(out), "--step", "0.01"]) == 0
    assert f"of 361 PLACE targets {found['better']} are nearer, 0 farther" in capsys.readouterr().out
    assert "map" not in answer(capsys, "table", "diff", "1", "2")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("map", "reach.txt"), "expected .svg, .png or .html"),
        (("map", "reach.svg", "--step", "0"), "expected metres, 0.0005 to 0.05"),
        (("map", "reach.svg", "--height", "85", "115"), "millimetres?"),
        (("map", "reach.svg", "--height", "0.1", "0.1"), "a lower and a higher bound"),
        (("map", "reach.svg", "--table", "9"), "no table version 9"),
        (("diff", "1", "2", "--map", "diff.txt"), "expected .svg, .png or .html"),
    ],
)
def test_what_makes_no_map_is_exit_code_2(
    arguments: tuple[str, ...], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    assert main(["table", *arguments]) == 2
    assert message in capsys.readouterr().err
    assert not list(tmp_path.iterdir())
