"""The grid of memory cells: the published names, its edges, and the hysteresis on them."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.place import CellKey, cell_named, cell_of

NIGHT = Path(__file__).parents[3] / "../shared/accept/log54/night_batch.csv"


@pytest.mark.parametrize(
    ("x_m", "z_m", "name"),
    [
        (-0.180, 0.200, "place_x-180_z200"),
        (-0.170, 0.200, "place_x-160_z200"),  # 20 floor(-8.5 + 0.5): the edge belongs to the upper cell
        (-0.1701, 0.200, "place_x-180_z200"),
        (-0.150001, 0.1899, "place_x-160_z180"),
        (0.0, 0.0099, "place_x0_z0"),
        (0.0, 0.0100, "place_x0_z20"),
    ],
)
def test_a_target_lies_in_the_cell_of_the_formula(x_m: float, z_m: float, name: str) -> None:
    assert cell_of(x_m, z_m).name == name


def test_the_published_cells_are_centres_of_the_grid() -> None:
    if not NIGHT.exists():
        pytest.skip(f"{NIGHT} is not here")
    with NIGHT.open() as file:
        names = {row["hgt_cell"] for row in csv.DictReader(file)}
    assert names == {"place_x-180_z200", "place_x-160_z200"}
    for name in names:
        cell = cell_named(name)
        assert cell_of(cell.x_mm / 1e3, cell.z_mm / 1e3) == cell


def test_a_target_on_an_edge_stays_in_the_cell_it_learned_in() -> None:
    first = cell_of(-0.1701, 0.200)
    cells = {cell_of(-0.170 + step * 1e-4, 0.200, (first,)) for step in range(-15, 16)}
    assert cells == {first}
    assert cell_of(-0.1679, 0.200, (first,)) != first  # 2.1 mm beyond its edge


@given(st.floats(-1, 1), st.floats(-1, 1))
def test_every_target_lies_in_the_cell_it_is_given(x_m: float, z_m: float) -> None:
    cell = cell_of(x_m, z_m)
    assert -10 - 1e-6 <= x_m * 1e3 - cell.x_mm < 10 + 1e-6
    assert -10 - 1e-6 <= z_m * 1e3 - cell.z_mm < 10 + 1e-6
    assert cell_named(cell.name) == cell == CellKey(cell.x_mm, cell.z_mm)
    assert cell.x_mm % 20 == cell.z_mm % 20 == 0


@pytest.mark.parametrize("name", ["place_x-180", "x-180_z200", "place_x-180_z200 ", "place_x1.5_z2"])
def test_another_text_is_no_cell(name: str) -> None:
    with pytest.raises(ValueError, match="place_x-180_z200"):
        cell_named(name)


def test_a_target_that_is_no_number_has_no_cell() -> None:
    with pytest.raises(ValueError, match="expected metres"):
        cell_of(float("nan"), 0.2)
