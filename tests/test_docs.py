"""What the documents show is what the program takes."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from flows.cli import build_parser, main

ROOT = Path(__file__).parents[1]
DOCUMENTS = sorted([ROOT / "README.md", ROOT / "CHANGELOG.md", *(ROOT / "docs").glob("*.md")])


def commands() -> list[str]:
    """Return every `nightpick ...` line of the console blocks, continuation lines joined."""
    found = []
    for document in DOCUMENTS:
        for block in re.findall(r"```console\n(.*?)```", document.read_text(encoding="utf-8"), re.DOTALL):
            for line in block.replace("\\\n", " ").splitlines():
                command = line.split(" #")[0].strip()
                command = re.sub(r"^(\$ )?([A-Z_]+=\S+ )*(\.venv/bin/)?", "", command)
                if command.startswith("nightpick"):
                    found.append(command)
    return found


@pytest.mark.parametrize("command", commands())
def test_a_shown_command_is_one_the_command_line_takes(command: str) -> None:
    build_parser().parse_args(shlex.split(command)[1:])


def test_there_are_shown_commands() -> None:
    assert len(commands()) >= 8


def test_the_first_hour_can_be_walked_from_what_a_night_leaves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("NIGHTPICK_DATA_DIR", raising=False)
    _leave_two_small_versions()
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"## A first hour\n.*?```console\n(.*?)```", readme, re.DOTALL)
    lines = [line.split(" #")[0].strip() for line in block.splitlines()]
    assert (lines[0], lines[-1]) == (". .venv/bin/activate", "nightpick up")  # the last one stays up
    for line in lines[1:-1]:
        capsys.readouterr()
        assert main(shlex.split(line)[1:]) == 0, (line, capsys.readouterr().err)
    assert Path("data/more.csv").is_file()


def _leave_two_small_versions() -> None:
    """Leave a data folder as `make night` does, of few base poses."""
    Path("data/requests").mkdir(parents=True)
    for name, bases in (("base", "36.215,57,20,-12,-86,-30\n"), ("low", "36.215,57,25,-7,-86,-30\n")):
        Path(f"data/requests/{name}.csv").write_text(bases)
        assert main(["scan", "simulate", f"data/requests/{name}.csv", f"data/{name}.csv"]) == 0
        assert main(["scan", "ingest", f"data/{name}.csv"]) == 0
    assert main(["table", "merge"]) == 0


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_and_pictures_of_the_documents_are_there(document: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", document.read_text(encoding="utf-8")):
        if not target.startswith("http"):
            assert (document.parent / target).exists(), f"{document.name} shows {target}"


def test_every_shown_make_target_is_one() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    shown = set(re.findall(r"\bmake (\w+)", (ROOT / "README.md").read_text(encoding="utf-8")))
    assert {"night", "test"} <= shown
    for target in shown:
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


def test_every_verb_shows_an_example() -> None:
    parser = build_parser()
    verbs = next(a for a in parser._actions if a.dest == "verb").choices
    assert verbs is not None
    for name in verbs:
        help_text = verbs[name].format_help()  # type: ignore[index]
        assert "example: nightpick" in help_text or "VERB" in help_text, name


def test_no_commit_holds_a_registry_address() -> None:
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    assert "http://" not in lock and "https://" not in lock and "index-url" not in lock
    pins = [line for line in lock.splitlines() if line and not line.startswith((" ", "#"))]
    assert pins and all("==" in pin for pin in pins)
    assert lock.count("--hash=sha256:") >= len(pins)
