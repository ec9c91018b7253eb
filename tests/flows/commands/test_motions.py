"""`nightpick motions`: a study without a server, its JSON, the list, the batch's variant, errors."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from flows.cli import main
from lib.motion import chosen_variant


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("NIGHTPICK_CONFIG", raising=False)
    monkeypatch.setenv("NIGHTPICK_DATA_DIR", str(tmp_path / "data"))
    return tmp_path / "data"


def said(capsys: pytest.CaptureFixture[str]) -> dict[str, object]:
    document = json.loads(capsys.readouterr().out)
    assert isinstance(document, dict)
    return document


def test_a_study_is_run_listed_and_its_winner_made_the_batchs(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["motions", "run", "--only", "high-fast", "standard-fast", "--seed", "7", "--json"]) == 0
    study = said(capsys)
    ranking = study["ranking"]
    assert isinstance(ranking, list)
    assert [(row["name"], row["place"], row["passed"]) for row in ranking] == [
        ("high-fast", 1, 5), ("standard-fast", 2, 5),
    ]  # fmt: skip
    runs = study["runs"]
    assert isinstance(runs, list)
    assert sorted({run["seed"] for run in runs}) == [7, 8, 9, 10, 11]
    page = Path(str(study["page"])).read_text()
    assert (
        "http" not in page.replace("http://www.w3.org", "") and "<script>" in page
    )  # nothing from a network
    assert Path(str(study["figure"])).read_bytes().startswith(b"\x89PNG")

    assert main(["motions", "--winner", "high-fast"]) == 0
    assert capsys.readouterr().out == "the batch moves by high-fast from now on, 1.5 s a move\n"
    chosen = chosen_variant(data)
    assert chosen is not None and chosen.name == "high-fast"

    assert main(["motions", "list", "--json"]) == 0
    listed = said(capsys)
    assert listed["chosen"] == "high-fast"
    variants = listed["variants"]
    assert isinstance(variants, list) and len(variants) == 12
    last = {row["variant"]: row["last"] for row in variants}
    assert last["high-fast"]["place"] == 1 and last["side-slow"] is None
    assert main(["motions", "list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert any("high-fast" in line and "5/5" in line and line.endswith("the batch's") for line in lines)
    assert any("side-slow" in line and "not played" in line for line in lines)


def test_before_any_study_the_list_says_how_to_run_one(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["motions", "list"]) == 0
    assert "`nightpick motions run`" in capsys.readouterr().out
    assert not data.exists()


def test_a_weak_grip_ends_with_exit_code_1_and_says_what_each_variant_came_to(
    data: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NIGHTPICK_CELL__GRIP_FORCE_N", "0.2")
    assert main(["motions", "run", "--only", "low-fast"]) == 1
    assert "0/5" in capsys.readouterr().out
    assert main(["motions", "--winner", "low-fast"]) == 1
    assert "passed the gates in 0 of 5 repeats" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["--winner", "low-fast"], 2, "no study has played it"),
        (["--winner", "lowfast"], 2, "no such variant; expected standard-slow,"),
        (["run", "--only", "nothing"], 2, 'variant "nothing": no such variant'),
        (["run", "--repeats", "4"], 2, "--repeats 4: expected 5 or more"),
        (["list", "--seed", "3"], 2, "--seed belongs to a study"),
        (["run", "--winner", "low-fast", "--repeats", "5"], 2, "--repeats belongs to a study"),
    ],
)
def test_a_mistake_is_one_line_with_its_exit_code(
    data: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], code: int, says: str
) -> None:
    assert main(["motions", *arguments]) == code
    error = capsys.readouterr().err
    assert says in error and error.count("\n") == 1


def test_without_a_robot_nothing_is_played(
    data: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NIGHTPICK_ROBOT", "none")
    assert main(["motions", "run"]) == 2
    assert 'robot = "none"' in capsys.readouterr().err
