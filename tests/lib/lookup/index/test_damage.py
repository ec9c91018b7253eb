"""Whatever happened to the index, it is noticed, the answer is right, and the index is whole again."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from lib.errors import BadInput
from lib.lookup import LookupResult, Table
from tests.lib.lookup import crowded
from tests.lib.lookup.index.published import answers, change, publish, rows_of, segments, straight

ROOT = Path(__file__).parents[4]
ROWS = 3_000
BLOCKS = 24
HEADER_BYTES = 16 + 16 + 8 + BLOCKS * (2 * 9 * 8 + 16) + 16


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made")
    publish(folder, crowded.points(np.random.default_rng(0), ROWS))
    Table.open(folder)
    return folder


@pytest.fixture
def data_dir(made: Path, tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    shutil.copytree(made, folder)
    Table.open(folder)  # the copy of the table file is another file
    return folder


@pytest.fixture
def expected(made: Path) -> list[LookupResult]:
    return answers(straight(made, 1))


def the_segment(data_dir: Path) -> Path:
    (path,) = (data_dir / "index").glob("*.seg")
    return path


def flip(path: Path, offset: int) -> None:
    content = bytearray(path.read_bytes())
    content[offset] ^= 0x40
    path.write_bytes(content)


def test_the_file_is_as_large_as_its_rows_and_their_ranges(data_dir: Path) -> None:
    assert the_segment(data_dir).stat().st_size == HEADER_BYTES + ROWS * 80


@pytest.mark.parametrize(
    "offset",
    [
        *(0, 15),  # what it is
        *(16, 31),  # what it was made of
        *(32, 39),  # rows
        *(40, 40 + 9 * BLOCKS * 8, HEADER_BYTES - 17 - BLOCKS * 16),  # ranges
        *(HEADER_BYTES - 16 - BLOCKS * 16, HEADER_BYTES - 17),  # md5 of each block
        *(HEADER_BYTES - 16, HEADER_BYTES - 1),  # md5 of the header
        *(HEADER_BYTES + k * 128 * 80 // 2 for k in range(0, 47, 4)),  # every other block
        *(HEADER_BYTES + 128 * 80 - 1, HEADER_BYTES + ROWS * 80 - 1),  # row numbers
    ],
)
def test_a_flipped_bit_anywhere_is_noticed_and_mended(
    data_dir: Path, expected: list[LookupResult], offset: int
) -> None:
    whole = segments(data_dir)
    flip(the_segment(data_dir), offset)
    table = Table.open(data_dir)
    assert answers(table) == expected
    assert np.array_equal(rows_of(table), rows_of(straight(data_dir, 1)))
    assert segments(data_dir) == whole


@pytest.mark.parametrize("size", [0, 1, 40, HEADER_BYTES - 1, HEADER_BYTES, HEADER_BYTES + ROWS * 80 - 1])
def test_a_truncated_segment_is_noticed_and_mended(
    data_dir: Path, expected: list[LookupResult], size: int
) -> None:
    whole = segments(data_dir)
    with the_segment(data_dir).open("rb+") as file:
        file.truncate(size)
    assert answers(Table.open(data_dir)) == expected
    assert segments(data_dir) == whole


def test_a_segment_with_something_behind_it_is_noticed(data_dir: Path, expected: list[LookupResult]) -> None:
    whole = segments(data_dir)
    with the_segment(data_dir).open("ab") as file:
        file.write(b"more")
    assert answers(Table.open(data_dir)) == expected
    assert segments(data_dir) == whole


def test_a_segment_cut_short_under_an_open_table_does_no_harm(
    data_dir: Path, expected: list[LookupResult]
) -> None:
    table = Table.open(data_dir)
    answers(table)[:5]
    with the_segment(data_dir).open("rb+") as file:
        file.truncate(HEADER_BYTES + 100)
    assert answers(table) == expected
    assert np.array_equal(rows_of(table), rows_of(straight(data_dir, 1)))


def test_another_tables_segment_under_this_ones_name_is_noticed(
    data_dir: Path, expected: list[LookupResult], tmp_path: Path
) -> None:
    publish(tmp_path / "other", crowded.points(np.random.default_rng(1), ROWS))
    Table.open(tmp_path / "other")
    shutil.copy(the_segment(tmp_path / "other"), the_segment(data_dir))
    assert answers(Table.open(data_dir)) == expected


def test_another_table_under_this_ones_index_is_noticed(data_dir: Path, tmp_path: Path) -> None:
    publish(tmp_path / "other", crowded.points(np.random.default_rng(1), ROWS))
    shutil.copy2(tmp_path / "other" / "fk.duckdb", data_dir / "fk.duckdb")
    assert answers(Table.open(data_dir)) == answers(straight(tmp_path / "other", 1))


def test_the_index_of_an_older_table_is_noticed(data_dir: Path) -> None:
    old = (data_dir / "index" / "current.json").read_bytes()
    publish(data_dir, crowded.points(np.random.default_rng(2), 100), 1)
    Table.open(data_dir)
    (data_dir / "index" / "current.json").write_bytes(old)
    table = Table.open(data_dir)
    assert table.version == 2 and answers(table) == answers(straight(data_dir, 2))


@pytest.mark.parametrize(
    "harm",
    [
        lambda text: "",
        lambda text: text[:-20],
        lambda text: "null",
        lambda text: "{}",
        lambda text: text.replace('"current": 2', '"current": 1'),
        lambda text: text.replace('"inode": ', '"inode": 1'),
        lambda text: json.dumps({"md5": "0" * 32, "catalogue": json.loads(text)["catalogue"]}),
    ],
)
def test_a_damaged_catalogue_is_noticed_and_mended(data_dir: Path, harm: Callable[[str], str]) -> None:
    publish(data_dir, crowded.points(np.random.default_rng(2), 100), 1)
    expected = answers(Table.open(data_dir))
    catalogue = data_dir / "index" / "current.json"
    whole = catalogue.read_text()
    assert harm(whole) != whole
    catalogue.write_text(harm(whole))
    table = Table.open(data_dir)
    assert table.version == 2 and answers(table) == expected
    assert catalogue.read_text() == whole


def test_an_index_that_is_gone_is_built_again(data_dir: Path, expected: list[LookupResult]) -> None:
    whole = segments(data_dir)
    shutil.rmtree(data_dir / "index")
    assert answers(Table.open(data_dir)) == expected
    assert segments(data_dir) == whole


def test_an_index_that_cannot_be_kept_is_built_in_memory(
    data_dir: Path, expected: list[LookupResult]
) -> None:
    shutil.rmtree(data_dir / "index")
    (data_dir / "index").write_text("in the way")
    for _ in range(2):
        assert answers(Table.open(data_dir)) == expected
    assert (data_dir / "index").read_text() == "in the way"


def test_where_nothing_can_be_written_a_damaged_index_does_no_harm(
    data_dir: Path, expected: list[LookupResult]
) -> None:
    if os.geteuid() == 0 and shutil.which("setpriv") is None:
        pytest.skip("root may write everywhere, and there is no setpriv to give that up")
    flip(the_segment(data_dir), HEADER_BYTES + ROWS * 40)
    whole = segments(data_dir)
    places = [data_dir, *data_dir.rglob("*")]
    for place in places:
        place.chmod(place.stat().st_mode & ~0o222)
    program = (
        "from pathlib import Path; from lib.lookup import Table;"
        "from tests.lib.lookup.index.published import answers;"
        f"print(answers(Table.open(Path({str(data_dir)!r}))))"
    )
    command = [sys.executable, "-c", program]
    if os.geteuid() == 0:  # whom no mode keeps from writing, unless that right is given up
        command = ["setpriv", "--bounding-set=-dac_override,-dac_read_search", *command]
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    finally:
        for place in places:
            place.chmod(place.stat().st_mode | 0o200)
    assert done.stdout.strip() == repr(expected)
    assert segments(data_dir) == whole


def test_of_a_damaged_table_file_nothing_is_kept(data_dir: Path) -> None:
    shutil.rmtree(data_dir / "index")
    change(data_dir, "UPDATE fk_point SET j3 = j3 + 1e-9 WHERE fk_row = 7")
    assert answers(Table.open(data_dir)) == answers(straight(data_dir, 1))
    assert segments(data_dir) == {}


def test_damage_below_a_span_keeps_it_from_being_kept_too(data_dir: Path) -> None:
    publish(data_dir, crowded.points(np.random.default_rng(2), 100), 1)
    shutil.rmtree(data_dir / "index")
    change(data_dir, "UPDATE fk_point SET j3 = j3 + 1e-9 WHERE fk_row = 7")
    Table.open(data_dir)
    assert segments(data_dir) == {}


def test_rows_that_are_gone_are_told(data_dir: Path) -> None:
    shutil.rmtree(data_dir / "index")
    change(data_dir, "DELETE FROM fk_point WHERE fk_row = 7")
    with pytest.raises(BadInput, match=r"version 1 added is 2,999 rows, expected 3,000; .*table verify"):
        Table.open(data_dir)


def test_a_damaged_index_whose_table_was_replaced_is_told(data_dir: Path, tmp_path: Path) -> None:
    table = Table.open(data_dir)
    publish(tmp_path / "other", crowded.points(np.random.default_rng(1), ROWS))
    shutil.copy(tmp_path / "other" / "fk.duckdb", data_dir / "fk.duckdb")
    flip(the_segment(data_dir), HEADER_BYTES + 3)
    with pytest.raises(BadInput, match="no longer the table that it was made from; ask again"):
        assert table.points.any()
