"""`nightpick report`: the last night's page, a date's, a refusal by name, and a browser asked for."""

from __future__ import annotations

import json
import webbrowser
from pathlib import Path

import pytest

from flows.cli import main
from tests.lib.runlog.batch_sample import night_id, write_batch


@pytest.fixture(scope="module")
def nights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("report") / "data"
    write_batch(folder, range(2), 3)
    return folder


def test_the_last_night_or_that_of_a_date_is_written_and_named(
    nights: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("NIGHTPICK_DATA_DIR", str(nights))
    shown: list[str] = []

    def no_browser(address: str) -> bool:
        shown.append(address)
        return False

    monkeypatch.setattr(webbrowser, "open", no_browser)
    assert main(["report", "--open"]) == 0
    said = capsys.readouterr()
    page = nights / "reports" / f"{night_id(1)}.html"
    assert said.out == f"report: {page}\n" and shown == [page.resolve().as_uri()]
    assert said.err == f"no browser could be started here; open {page} by hand\n"
    assert " of 3 runs placed" in page.read_text(encoding="utf-8")
    assert main(["report", "2026-11-01", "--json"]) == 0
    first = nights / "reports" / f"{night_id(0)}.html"
    assert json.loads(capsys.readouterr().out) == [{"night_id": night_id(0), "report": str(first)}]


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("2020-01-01", "no night on 2020-01-01; the last one was on 2026-11-02"),
        ("yesterday", "'yesterday' is no night; expected a date such as 2026-11-30, or an id"),
    ],
)
def test_a_night_that_was_not_is_bad_input(
    nights: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], asked: str, said: str
) -> None:
    monkeypatch.setenv("NIGHTPICK_DATA_DIR", str(nights))
    assert main(["report", asked]) == 2
    assert said in capsys.readouterr().err


def test_before_the_first_night_it_says_how_to_run_one(
    data_dir: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["report"]) == 2
    assert "no night has run yet; `nightpick night` runs one" in capsys.readouterr().err
