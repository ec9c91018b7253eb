"""Two thousand mutated scan files: read as an independent reader reads them, or one clear refusal."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from lib.scan import ScanOptions, ScanReading, ScanRefused, read_scan, rows
from tests.lib.scan.cell_by_cell import good_rows, last_written_line
from tests.lib.scan.mutations import BREAKING, KEEPING, File
from tests.lib.scan.scan_files import texts_of, twin_points

FILES = 2_000
BATCH = 250
# Mutated numbers may look like anything; which unit they are in is tested elsewhere.
BELIEVED = ScanOptions(angle_unit="deg", length_unit="m")
SET_ASIDE = ScanOptions(angle_unit="deg", length_unit="m", quarantine=True)


def start(rng: random.Random) -> File:
    """Return a good file of a few rows; every third has numbers of other shapes than a twin's."""
    points = twin_points(rng.randint(2, 25), rng.randrange(10**6))
    if rng.random() < 0.33:
        points *= rng.choice([1e-7, 20.0, 1 / 3])
    return File(texts_of(points))


def read(path: Path, options: ScanOptions) -> ScanReading | None:
    """Read a file; None where it is refused, and then in one clear line."""
    try:
        return read_scan(path, options)
    except ScanRefused as refused:
        assert str(refused).isprintable()
        assert refused.problem_count >= len(refused.problems) >= 1
        return None


def check(reading: ScanReading, data: bytes) -> None:
    """Every row that was read is a row, its cells are the file's; every row of the file was read."""
    expected = good_rows(data)
    assert reading.lines.tolist() == list(expected)
    assert reading.points.tolist() == list(expected.values())


@pytest.mark.parametrize("batch", range(FILES // BATCH))
def test_mutated_files_are_read_cell_by_cell_or_refused(
    batch: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "scan.csv"
    monkeypatch.setattr(rows, "PIECE_BYTES", (64, 500, rows.PIECE_BYTES)[batch % 3])
    read_whole = read_in_part = 0
    for seed in range(batch * BATCH, (batch + 1) * BATCH):
        rng = random.Random(seed)
        file = start(rng)
        for keeping in rng.sample(KEEPING, rng.randint(0, 3)):
            file = keeping(file, rng)
        for breaking in rng.sample(BREAKING, rng.randint(1, 2)):
            file = breaking(file, rng)
        data = file.data()
        path.write_bytes(data)
        whole, in_part = read(path, BELIEVED), read(path, SET_ASIDE)
        if whole is not None:
            check(whole, data)
            lines = whole.lines.tolist()
            assert lines == list(range(lines[0], last_written_line(data) + 1)), f"seed {seed} dropped a line"
            read_whole += 1
        if in_part is not None:
            check(in_part, data)
            read_in_part += 1
        assert whole is None or in_part is not None
    # Both outcomes are common, or this would test nothing.
    assert BATCH / 20 < read_whole < read_in_part < BATCH


@pytest.mark.parametrize("batch", range(4))
def test_mutations_that_keep_the_meaning_are_read(batch: int, tmp_path: Path) -> None:
    path = tmp_path / "scan.csv"
    for seed in range(batch * 100, (batch + 1) * 100):
        rng = random.Random(seed)
        original = start(rng)
        file = original
        for keeping in rng.sample(KEEPING, rng.randint(1, len(KEEPING))):
            file = keeping(file, rng)
        path.write_bytes(file.data())
        reading = read_scan(path, BELIEVED)
        assert reading.points.tolist() == [[float(cell) for cell in row] for row in original.table[1:]], (
            f"seed {seed}"
        )
