"""`nightpick table ...`: what the smaller verbs say and how they end."""

from __future__ import annotations

from pathlib import Path

import pytest

from flows.cli import main
from tests.lib.scan.scan_files import write_scan
from tests.lib.table.conftest import measured, poses


@pytest.fixture
def folder(data_dir: Path) -> Path:
    """The folder beside a table with one version."""
    assert main(["scan", "ingest", str(write_scan(data_dir.parent / "a.csv", measured(poses(50))))]) == 0
    assert main(["table", "merge"]) == 0
    return data_dir.parent


def test_of_a_folder_that_takes_nothing_one_thing_is_said(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "closed").mkdir(mode=0o555)
    paths = [str(folder / name) for name in ("closed/a.csv", "closed/b.npz", "open.csv", "none/c.csv")]
    capsys.readouterr()
    assert main(["table", "export", *paths]) == 2
    said = capsys.readouterr().err
    assert said == (
        f"nightpick: {folder}/closed: is read-only, nothing was written there; choose another place "
        "(2 files); "
        f"{folder}/none: no such folder; make it first (1 of 4 written and proved)\n"
    )


def test_one_of_a_thing_is_said_in_the_singular(data_dir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    scan = str(write_scan(data_dir.parent / "one.csv", measured(poses(1))))
    assert main(["scan", "ingest", scan]) == 0
    assert main(["table", "merge"]) == 0
    told = capsys.readouterr().out
    assert "scan 1, 1 row, 0 repeated in the file" in told
    assert "1 row scanned, 1 added, 0 known already: 1 row, content md5" in told
    assert "0 + 1 - 0 duplicates = 1 row\n" in told
    assert " 1 rows" not in told and "None" not in told


@pytest.mark.parametrize(
    ("verb", "arguments"),
    [("diff", ("N", "M")), ("rollback", ("N",)), ("export", ("PATH",)), ("where", ("ROW",))],
)
def test_every_argument_has_its_help(
    verb: str, arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(["table", verb, "--help"])
    told = capsys.readouterr().out
    for name in arguments:
        assert any(line.split()[:1] == [name] and len(line.split()) > 2 for line in told.splitlines()), name
