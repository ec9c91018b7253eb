"""The table file read: versions along the parents, values bit for bit, publication under open readers."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import duckdb
import numpy as np
import pytest

from lib.errors import BadInput, Busy, Damaged
from lib.runlog import fk_file
from lib.runlog.fk_file import POINT_COLUMNS


def write_table(
    file: Path,
    points: np.ndarray,
    versions: list[int],
    parents: dict[int, int | None],
    current: int,
    *,
    fk_rows: list[int] | None = None,
) -> None:
    file.unlink(missing_ok=True)
    with duckdb.connect(str(file)) as con:
        columns = ", ".join(f"{name} DOUBLE" for name in POINT_COLUMNS)
        con.execute(f"CREATE TABLE fk_point (fk_row BIGINT, {columns}, version INTEGER, line INTEGER)")
        con.execute("CREATE TABLE fk_version (version INTEGER, parent INTEGER)")
        con.execute("CREATE TABLE fk_current (version INTEGER)")
        con.executemany("INSERT INTO fk_version VALUES (?, ?)", [list(pair) for pair in parents.items()])
        con.execute("INSERT INTO fk_current VALUES (?)", [current])
        rows = fk_rows or list(range(len(points)))
        con.executemany(
            f"INSERT INTO fk_point VALUES ({', '.join('?' * 12)})",
            [
                [row, *point.tolist(), version, row + 2]
                for row, point, version in zip(rows, points, versions, strict=True)
            ],
        )


def some_points(count: int) -> np.ndarray:
    return np.random.default_rng(3).uniform(-90, 90, (count, 9))


def test_points_come_back_bit_for_bit_and_columns_are_contiguous(tmp_path: Path) -> None:
    points = some_points(6)
    points[0] = [0.1, 1 / 3, -0.0, np.nextafter(36.215, 40), 5e-324, 1.7976931348623157e308, -180, 180, 1e-17]
    write_table(fk_file.path(tmp_path), points, [1] * 6, {1: None}, 1)
    with fk_file.open_read(tmp_path) as con:
        fk_rows, read = fk_file.read_points(con, 1)
        assert fk_file.current_version(con) == 1
        assert fk_file.version_rows(con, 1) == 6
    assert fk_rows.dtype == np.int64
    assert fk_rows.tolist() == [0, 1, 2, 3, 4, 5]
    assert read.shape == (6, 9)
    assert read.tobytes() == points.tobytes()
    assert all(read[:, k].flags.c_contiguous for k in range(9))


def test_a_version_is_its_own_rows_and_those_of_its_ancestors_also_after_a_fork(tmp_path: Path) -> None:
    # 1 <- 2 <- 3, and after a rollback to 2: 2 <- 4 <- 5.
    points = some_points(5)
    write_table(fk_file.path(tmp_path), points, [1, 2, 3, 4, 5], {1: None, 2: 1, 3: 2, 4: 2, 5: 4}, 5)
    with fk_file.open_read(tmp_path) as con:
        rows = {v: fk_file.read_points(con, v)[0].tolist() for v in range(1, 6)}
        counts = {v: fk_file.version_rows(con, v) for v in range(1, 6)}
        assert fk_file.ancestors(con, 5) == [5, 4, 2, 1]
        assert np.array_equal(fk_file.read_points(con, 4)[1], points[[0, 1, 3]])
    assert rows == {1: [0], 2: [0, 1], 3: [0, 1, 2], 4: [0, 1, 3], 5: [0, 1, 3, 4]}
    assert counts == {v: len(r) for v, r in rows.items()}


def test_rows_stored_out_of_order_are_read_in_order_of_their_numbers(tmp_path: Path) -> None:
    points = some_points(4)
    write_table(fk_file.path(tmp_path), points, [1] * 4, {1: None}, 1, fk_rows=[30, 10, 20, 0])
    with fk_file.open_read(tmp_path) as con:
        fk_rows, read = fk_file.read_points(con, 1)
    assert fk_rows.tolist() == [0, 10, 20, 30]
    assert np.array_equal(read, points[[3, 1, 2, 0]])


def test_a_reader_keeps_its_table_while_another_is_published_and_the_next_reader_gets_the_new_one(
    tmp_path: Path,
) -> None:
    write_table(fk_file.path(tmp_path), some_points(3), [1] * 3, {1: None}, 1)
    with fk_file.open_read(tmp_path) as before:
        beside = tmp_path / "fk.duckdb.next"
        write_table(beside, some_points(8), [1] * 3 + [2] * 5, {1: None, 2: 1}, 2)
        beside.replace(fk_file.path(tmp_path))
        with fk_file.open_read(tmp_path) as after:
            assert fk_file.current_version(after) == 2
            assert fk_file.version_rows(after, 2) == 8
        assert fk_file.current_version(before) == 1
        assert fk_file.version_rows(before, 1) == 3


def test_an_unknown_version_is_refused_naming_those_there_are(tmp_path: Path) -> None:
    write_table(fk_file.path(tmp_path), some_points(2), [1, 2], {1: None, 2: 1}, 2)
    with fk_file.open_read(tmp_path) as con, pytest.raises(BadInput, match=r"no table version 7; .*1, 2"):
        fk_file.read_points(con, 7)


def test_parents_in_a_circle_are_told_apart_from_a_history(tmp_path: Path) -> None:
    write_table(fk_file.path(tmp_path), some_points(2), [1, 2], {1: 2, 2: 1}, 2)
    with fk_file.open_read(tmp_path) as con, pytest.raises(Damaged, match="damaged"):
        fk_file.ancestors(con, 2)


def test_no_table_yet_says_what_makes_one(tmp_path: Path) -> None:
    with (
        pytest.raises(BadInput, match=r"no table yet: .*fk\.duckdb.*`nightpick table merge`"),
        fk_file.open_read(tmp_path),
    ):
        pass


@pytest.mark.parametrize("content", [b"", b"fk_row,ee_x\n" * 1000], ids=["empty", "a CSV"])
def test_a_file_that_is_no_duckdb_file_is_one_clear_line(tmp_path: Path, content: bytes) -> None:
    fk_file.path(tmp_path).write_bytes(content)
    with (
        pytest.raises(Damaged, match=r"fk\.duckdb: not readable as a table") as caught,
        fk_file.open_read(tmp_path),
    ):
        pass
    assert "\n" not in str(caught.value)


def test_a_database_of_something_else_is_told_by_what_is_in_it(tmp_path: Path) -> None:
    with duckdb.connect(str(fk_file.path(tmp_path))) as con:
        con.execute("CREATE TABLE recipe (name VARCHAR)")
    with (
        pytest.raises(Damaged, match=r"not readable as a table: another database, with recipe in it"),
        fk_file.open_read(tmp_path),
    ):
        pass


@pytest.mark.parametrize("kept_share", [0.1, 0.5, 0.8, 0.99])
def test_a_file_cut_short_is_told_wherever_it_is_noticed(tmp_path: Path, kept_share: float) -> None:
    file = fk_file.path(tmp_path)
    write_table(file, some_points(1), [1], {1: None}, 1)
    with duckdb.connect(str(file)) as con:
        values = ", ".join(["random()"] * 9)
        con.execute(f"INSERT INTO fk_point SELECT range, {values}, 1, 2 FROM range(1, 20_000)")
    content = file.read_bytes()
    file.write_bytes(content[: int(kept_share * len(content))])
    with (
        pytest.raises(Damaged, match=r"fk\.duckdb: not readable as a table: .*fk\.duckdb") as caught,
        fk_file.open_read(tmp_path) as con,
    ):
        fk_file.read_points(con, 1)
    assert "\n" not in str(caught.value)


def test_a_table_that_another_program_writes_is_busy(tmp_path: Path) -> None:
    write_table(fk_file.path(tmp_path), some_points(1), [1], {1: None}, 1)
    file = str(fk_file.path(tmp_path))
    hold = f"import duckdb; con = duckdb.connect({file!r}); print('held', flush=True); input()"
    with subprocess.Popen(
        [sys.executable, "-c", hold], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None and other.stdout.readline() == "held\n"
        with pytest.raises(Busy, match="another program has it open to write"), fk_file.open_read(tmp_path):
            pass
        other.communicate("\n")


def test_a_folder_with_a_quote_in_its_name_opens(tmp_path: Path) -> None:
    folder = tmp_path / "it's"
    folder.mkdir()
    write_table(fk_file.path(folder), some_points(1), [1], {1: None}, 1)
    with fk_file.open_read(folder) as con:
        assert fk_file.version_rows(con, 1) == 1


def test_importing_the_table_file_loads_nothing_heavier_than_duckdb_and_numpy() -> None:
    code = "import sys, lib.runlog.fk_file; print(*sorted({m.split('.')[0] for m in sys.modules}))"
    loaded = set(
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True
        ).stdout.split()
    )
    assert {"duckdb", "numpy"} <= loaded
    assert not loaded & {"pandas", "pyarrow", "rich", "prefect", "scipy", "pydantic", "matplotlib"}
