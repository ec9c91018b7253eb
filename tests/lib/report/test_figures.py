"""Figures of their own: every suffix, whole or not at all, and the facts they were given."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from lib.errors import BadInput
from lib.report.diff_map import DiffCells, write_diff_map
from lib.report.figure_file import write_figure
from lib.report.funnel_figure import FunnelStep, Selected, write_funnel
from lib.report.reach_map import Frame, ReachCells, write_reach_map
from lib.report.style import house_figure

STEPS = (
    FunnelStep("ee_y_band", "[0.085, 0.115] m", False, 232_505, 0.4, 0.2),
    FunnelStep("ee_y_target", "[0.111, 0.113] m", False, 3_688, 2.6, 1.0, stepped_aside=True),
    FunnelStep("j4_safe", "[-90, 60] deg", True, 0, None, None),
)
FRAME = Frame("box", (0.0, 20.0), (0.0, 10.0))


def words(path: Path) -> str:
    """All text of an SVG that is well-formed."""
    return " ".join(ElementTree.fromstring(path.read_bytes()).itertext())


def test_a_funnel_tells_rows_distances_bounds_and_what_gave_way(tmp_path: Path) -> None:
    path = tmp_path / "funnel.svg"
    write_funnel(path, "PLACE & more", 1_709_118, STEPS, Selected("no candidate", None, None, False))
    told = words(path)
    for fact in (
        "PLACE & more", "1,709,118", "232,505", "3,688 (none inside: gave way)", "(z 1.0)  [0.111, 0.113] m",
        "no row left", "no candidate", "amber: protects hardware, never relaxed", "whole table",
    ):  # fmt: skip
        assert fact in told


@pytest.mark.parametrize("suffix", ["svg", "png", "html", "SVG"])
def test_the_same_figure_is_the_same_bytes(suffix: str, tmp_path: Path) -> None:
    paths = [tmp_path / f"{name}.{suffix}" for name in "ab"]
    for path in paths:
        write_funnel(path, "twice", 10, STEPS, Selected("fk_row_1", 2.0, 1.0, True))
    assert paths[0].read_bytes() == paths[1].read_bytes()


def test_a_reach_map_names_each_cause_with_its_count_and_letter(tmp_path: Path) -> None:
    bound_by = np.full((30, 30), "j4_safe", dtype="U24")
    bound_by[:, :10], bound_by[:, 20:] = "", "absence_of_points"
    distance = np.where(bound_by == "", 3.0, np.nan)
    path = tmp_path / "reach.svg"
    grid = np.arange(30.0)
    write_reach_map(path, "reach", "300 of 900", ReachCells(grid, grid, distance, bound_by), FRAME)
    told = words(path)
    for fact in ("4  j4_safe (300)", "A  absence_of_points (300)", "box", "300 of 900"):
        assert fact in told
    assert told.count(" 4 ") >= 4 and told.count(" A ") >= 4
    clean = ReachCells(grid, grid, np.full((30, 30), 1.0), np.full((30, 30), "", dtype="U24"))
    write_reach_map(path, "reach", "all", clean, FRAME)
    assert "bound by" not in words(path)


def test_a_difference_map_marks_what_came_into_reach(tmp_path: Path) -> None:
    grid = np.arange(5.0)
    before, after = np.full((5, 5), 9.0), np.full((5, 5), 4.0)
    before[0], after[4] = np.nan, np.nan
    path = tmp_path / "diff.svg"
    write_diff_map(path, "1 against 2", "said", DiffCells(grid, grid, before, after), FRAME)
    assert "newly in reach" in words(path) and path.read_text().count("<use") >= 10


def test_a_figure_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    with house_figure(2, 2) as figure:
        for path, message in (
            (tmp_path / "a.pdf", "no kind of figure"),
            (tmp_path / "no" / "a.svg", "no folder"),
        ):
            with pytest.raises(BadInput, match=message):
                write_figure(figure, path, "title")
        folder = tmp_path / "a.svg"
        folder.mkdir()
        with pytest.raises(BadInput, match="cannot be written"):
            write_figure(figure, folder, "title")
    assert [path.name for path in tmp_path.iterdir()] == ["a.svg"]
