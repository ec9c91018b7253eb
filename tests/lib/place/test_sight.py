"""What the cameras measure in rendered pictures of cells with all camera errors, against the truth."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from lib.cell import Cell
from lib.place.sight import BOX, HAND, Spread, Watch, hand, look, look_by_colour, things
from lib.robot import load_machine, load_robot
from lib.settings import Settings
from tests.lib.place.projected import ProjectedWatch
from tests.lib.place.trial import CellEyes

ROBOT, MACHINE = load_robot("mecharm270"), load_machine("mecharm270")
assert ROBOT is not None
AXES = ROBOT.twin_axes


@pytest.fixture(scope="module")
def cell() -> Iterator[Cell]:
    assert ROBOT is not None
    yield Cell(ROBOT, Settings().cell, seed=4)


@pytest.fixture(scope="module")
def watch(cell: Cell) -> Watch:
    return Watch(MACHINE, CellEyes(cell), 2.0)


def known(cell: Cell) -> dict[str, object]:
    assert ROBOT is not None
    return {**things(cell.settings, AXES, MACHINE.dictionary), HAND: hand(MACHINE, ROBOT)}


def test_box_blocks_and_hand_are_measured_to_a_third_of_a_millimetre(cell: Cell, watch: Watch) -> None:
    looked = look(watch, known(cell), [BOX, "block1", "block2", HAND], AXES, Spread())  # type: ignore[arg-type]
    for name, sight in looked.sights.items():
        true = cell.tip_pose() if name == HAND else cell.pose(name)
        off_m = np.subtract(sight.place_m, true.place_m)
        # The tip is 5 cm in front of the hand's markers: a tilt of theirs moves it.
        assert np.linalg.norm(off_m) < (0.0012 if name == HAND else 0.00035), name
        assert (np.abs(off_m) < 4.5 * np.array(sight.sigma_m)).all(), name
        if name != HAND:
            turned = true.rotation
            true_deg = np.degrees(np.arctan2(turned[0, 2], turned[2, 2]))
            assert sight.turn_deg == pytest.approx(true_deg, abs=0.8)
    assert set(looked.sights) == {BOX, "block1", "block2", HAND}
    assert looked.scale == pytest.approx(1.0, abs=0.005)
    assert looked.moved == ()


def test_projected_markers_are_those_that_pictures_show(cell: Cell, watch: Watch) -> None:
    """The campaign's cameras draw nothing; what they see is what the drawn ones see."""
    ids = {i for thing in known(cell).values() for i in thing.corners_m}  # type: ignore[attr-defined]
    drawn = watch.catch(ids, images=1)
    projected = ProjectedWatch(cell, MACHINE, seed=0).catch(ids, images=1)

    def found(caught: object) -> set[tuple[str, int]]:
        views = caught.instants[0]  # type: ignore[attr-defined]
        return {(views.cameras[c], int(m)) for c, m in zip(views.camera, views.marker, strict=True)}

    assert len(found(drawn) & found(projected)) > 0.9 * len(found(drawn))
    assert len(found(projected) - found(drawn)) < 0.15 * len(found(drawn))


def test_a_bumped_camera_is_noticed_and_placed_anew(cell: Cell) -> None:
    watch = Watch(MACHINE, CellEyes(cell), 2.0)
    cell.film.bump("above", np.array([0.009, 0.0, 0.012]), np.array([0.0, 0.0, 1.0]))
    try:
        looked = look(watch, known(cell), [BOX], AXES, Spread(), images=1)  # type: ignore[arg-type]
        (moved,) = looked.moved
        assert moved.camera == "above"
        assert moved.moved_mm == pytest.approx(15.0, abs=1.0)
        off_m = np.subtract(looked.sights[BOX].place_m, cell.pose(BOX).place_m)
        assert np.linalg.norm(off_m) < 0.0005
        assert look(watch, known(cell), [BOX], AXES, Spread(), images=1).moved == ()  # type: ignore[arg-type]
    finally:
        cell.film.bump("above", np.array([-0.009, 0.0, -0.012]), np.array([0.0, 0.0, -1.0]))


def test_markers_of_another_size_than_named_show_in_the_scale(cell: Cell, watch: Watch) -> None:
    wrong = replace(cell.settings, box_outer_m=(0.28, 0.28), box_marker_m=0.072, box_floor_marker_m=0.044)
    named = {BOX: things(wrong, AXES, MACHINE.dictionary)[BOX]}
    looked = look(watch, named, [BOX], AXES, Spread(), images=1)
    assert looked.scale is not None
    assert looked.scale == pytest.approx(0.5, abs=0.05)


def test_blocks_without_readable_markers_are_found_by_colour_and_others_stay_unseen() -> None:
    assert ROBOT is not None
    settings = replace(Settings().cell, block_marker_m=0.003)
    cell = Cell(ROBOT, settings, seed=1)
    watch = Watch(MACHINE, CellEyes(cell), 2.0)
    named = things(settings, AXES, MACHINE.dictionary)
    wanted = ["block1", "block2"]
    assert not look(watch, named, wanted, AXES, Spread(), images=1).sights
    cell.things.put_block("block2", 0.75, -0.7)  # out of every picture
    found = look_by_colour(watch.placed, watch.in_colour(), named, wanted, AXES)
    assert list(found) == ["block1"]
    sight = found["block1"]
    assert sight.method == "colour"
    assert sight.confidence < 0.7
    assert np.linalg.norm(np.subtract(sight.place_m, cell.pose("block1").place_m)) < 0.003
