"""Which column is which: by name, in any order, and never with a seventh joint."""

from __future__ import annotations

import random

import pytest

from lib.scan import COLUMNS, parse_columns
from lib.scan.header import ends_with_header, positions_of
from lib.scan.refusal import Unreadable


def refusal(names: list[str], columns: dict[str, str] | None = None) -> Unreadable:
    with pytest.raises(Unreadable) as refused:
        positions_of(names, columns, 1)
    return refused.value


def test_columns_are_found_by_name_in_any_order_among_others() -> None:
    names = [*COLUMNS, "time", "note", "jerk", "j0_speed"]
    for seed in range(50):
        random.Random(seed).shuffle(names)
        positions = positions_of(names, None, 1)
        assert [names[p] for p in positions] == list(COLUMNS)


@pytest.mark.parametrize("dress", [str.upper, " {} ".format, '"{}"'.format, "\ufeff{}".format, "\t{}".format])
def test_case_spaces_quotes_and_byte_order_marks_do_not_matter(dress: object) -> None:
    assert callable(dress)
    assert positions_of([dress(name) for name in COLUMNS], None, 1) == tuple(range(9))


def test_mapped_names_take_the_place_of_ours() -> None:
    names = ["q1", "q2", "q3", "q4", "q5", "q6", "x", "y", "z"]
    columns, _ = parse_columns("q1=j0,q2=j1,q3=j2,q4=j3,q5=j4,q6=j5,x=ee_x,y=ee_y,z=ee_z")
    assert positions_of(names, columns, 1) == (6, 7, 8, 0, 1, 2, 3, 4, 5)


def test_two_columns_may_change_places_by_mapping() -> None:
    assert positions_of(list(COLUMNS), {"ee_y": "ee_z", "EE_Z": "ee_y"}, 1) == (0, 2, 1, 3, 4, 5, 6, 7, 8)


@pytest.mark.parametrize("mapping", [{"j1": "j0"}, {"ee_y": "ee_z"}])
def test_one_column_of_the_file_is_never_read_as_two(mapping: dict[str, str]) -> None:
    ((taken, target),) = mapping.items()
    found = refusal(list(COLUMNS), mapping).problems[0]
    assert (found.column, found.rule) == (
        taken,
        f"--columns reads it as {target}, which leaves none for {taken}",
    )


@pytest.mark.parametrize(
    "further",
    ["j6", "J6", "q7", "q1", "joint_7", "Joint 6", "j[6]", "j06", "axis7", "theta_6", "j6_deg", "q7 [rad]"],
)
def test_a_column_named_like_a_further_joint_is_refused(further: str) -> None:
    found = refusal([*COLUMNS, further]).problems[0]
    assert found.rule == "not a 6-joint scan"
    assert found.column == further.lower()


def test_a_seventh_joint_is_refused_whichever_six_are_mapped() -> None:
    names = ["ee_x", "ee_y", "ee_z", *(f"j{k}" for k in range(8))]
    mapping = {f"j{k + 2}": f"j{k}" for k in range(6)}
    found = refusal(names, mapping).problems[0]
    assert (found.rule, found.column, found.found) == ("not a 6-joint scan", "j0, j1", "8 joint columns")


def test_missing_columns_are_named_with_what_is_there() -> None:
    error = refusal(["ee_x", "ee_y", "j0", "j1", "j2", "j3", "j4", "j5"])
    assert str(error.problems[0]).startswith("line 1: missing column ee_z (found ee_x, ee_y, j0")


def test_a_mapping_from_a_column_that_is_not_there_is_named() -> None:
    assert "missing column q1 (for j0)" in str(refusal(list(COLUMNS), {"q1": "j0"}))


def test_the_advice_spells_the_mapping_that_the_names_suggest() -> None:
    error = refusal(["q1", "q2", "q3", "q4", "q5", "q6", "x", "y", "z"])
    spelled = error.advice.removeprefix("map what is named otherwise: --columns ")
    assert parse_columns(spelled)[0] == {
        **{axis: f"ee_{axis}" for axis in "xyz"},
        **{f"q{k + 1}": f"j{k}" for k in range(6)},
    }


@pytest.mark.parametrize("doubled", ["ee_x", "EE_X", " ee_x"])
def test_a_doubled_column_name_is_refused(doubled: str) -> None:
    found = refusal([*COLUMNS, doubled]).problems[0]
    assert (found.rule, found.column, found.found) == ("doubled column name", "ee_x", "2 times")


def test_doubled_names_that_nobody_reads_do_not_matter() -> None:
    assert positions_of(["note", *COLUMNS, "note", "", ""], None, 1) == tuple(range(1, 10))


def test_a_header_line_is_known_again_also_behind_a_cut_row() -> None:
    names = list(COLUMNS)
    assert ends_with_header([name.upper() for name in names], names)
    assert ends_with_header(["0.1", "0.2ee_x", *names[1:]], names)
    assert not ends_with_header([*names[1:], names[0]], names)
    assert not ends_with_header(names[1:], names)
