"""Numbers on the command line: read as people write them, for every verb."""

from __future__ import annotations

from pathlib import Path

import pytest

from flows.cli import main


@pytest.mark.parametrize("written", ["1_0", "\u0663", "0x1", "5,0", ""])
@pytest.mark.parametrize(
    "command",
    [
        ["lookup", "place", "{}", "0.19"],
        ["lookup", "pick", "0.14", "0.2", "--table", "{}"],
        ["night", "--seed", "{}"],
    ],
)
def test_what_is_no_plain_number_is_refused(
    command: list[str], written: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        main([word.format(written) for word in command])
    assert stopped.value.code == 2
    assert f", found {written!r}" in capsys.readouterr().err


@pytest.mark.parametrize("written", ["-inf", "-Infinity", "-nan", "inf"])
def test_an_infinite_target_is_told_as_such_not_as_a_missing_argument(
    log54_data_dir: Path, written: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["lookup", "place", written, "0.19"]) == 2
    assert "expected a finite number of metres" in capsys.readouterr().err
