"""What every command keeps: one JSON document whatever happens, and usage errors a person can act on."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import pytest

from flows import cli
from flows.cli import main
from flows.commands import VERBS
from flows.commands.verb import add_verb, print_json
from lib.errors import Busy
from lib.settings import Settings

LOG54 = Path(__file__).parents[1] / "data" / "log54"


def add_falls(verbs: Any, common: argparse.ArgumentParser) -> None:
    """A verb that ends in every way a verb can, to be added to the real ones."""
    parser = add_verb(verbs, common, "falls", _falls, does="fall", example="nightpick falls badly")
    parser.add_argument("how", choices=("badly", "busy", "stopped", "after its answer"))


def _falls(args: argparse.Namespace, settings: Settings) -> int:
    if args.how == "busy":
        raise Busy("somebody else has it")
    if args.how == "stopped":
        raise KeyboardInterrupt
    if args.how == "after its answer":
        print_json([{"path": "a.csv"}, {"path": "b.csv", "error": "read-only"}])
        raise Busy("b.csv: read-only")
    return 1 // 0


@pytest.fixture(autouse=True)
def _with_a_verb_that_falls(monkeypatch: pytest.MonkeyPatch, data_dir: Path) -> None:
    monkeypatch.setattr(cli, "VERBS", (*VERBS, add_falls))


@pytest.mark.parametrize(
    ("how", "code", "kind", "message"),
    [
        ("badly", 1, "defect", "ZeroDivisionError: integer division or modulo by zero (this is a defect"),
        ("busy", 4, "busy", "somebody else has it"),
        ("stopped", 130, "stopped", "stopped"),
    ],
)
def test_whatever_ends_a_command_is_one_document_and_one_line(
    capsys: pytest.CaptureFixture[str], how: str, code: int, kind: str, message: str
) -> None:
    assert main(["falls", how, "--json"]) == code
    told = capsys.readouterr()
    error = json.loads(told.out)["error"]
    assert (error["code"], error["kind"]) == (code, kind)
    assert error["message"].startswith(message)
    assert told.err == f"nightpick: {error['message']}\n"
    assert main(["falls", how]) == code
    assert capsys.readouterr() == ("", told.err)


def test_an_answer_that_tells_its_own_errors_is_the_only_document(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["falls", "after its answer", "--json"]) == 4
    told = capsys.readouterr()
    assert [entry["path"] for entry in json.loads(told.out)] == ["a.csv", "b.csv"]
    assert told.err == "nightpick: b.csv: read-only\n"


def test_an_export_of_which_one_path_fails_is_one_list_with_its_error(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert main(["scan", "ingest", str(LOG54 / "rows_before.csv")]) == 0
    assert main(["table", "merge"]) == 0
    capsys.readouterr()
    paths = [str(tmp_path / "fk.csv"), str(tmp_path / "nowhere" / "fk.csv")]
    assert main(["table", "export", *paths, "--json"]) == 2
    whole, failed = json.loads(capsys.readouterr().out)
    assert (whole["path"], whole["error"], Path(paths[0]).is_file()) == (paths[0], None, True)
    assert failed["error"].endswith("nowhere: no such folder; make it first")


def test_debug_shows_where_and_still_ends_with_the_document_the_line_and_the_code(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["falls", "badly", "--json", "--debug"]) == 1
    told = capsys.readouterr()
    assert json.loads(told.out)["error"]["kind"] == "defect"
    assert "in _falls" in told.err and told.err.splitlines()[-1].startswith("nightpick: ZeroDivisionError")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("tabel", "expected night, batch, init"),
        ("tabel", "found 'tabel' (did you mean table?); see `nightpick --help`"),
        ("--dbug doctor", "unrecognized arguments: --dbug (did you mean --debug?); see `nightpick --help`"),
        ("table", "the following arguments are required: VERB; see `nightpick table --help`"),
        (
            "table merge --drry-run",
            "--drry-run (did you mean --dry-run?); see `nightpick table merge --help`",
        ),
        ("table merge more", "unrecognized arguments: more; see `nightpick table merge --help`"),
        ("table merge --accept-worse -1", "expected a whole number, zero or more, found '-1'"),
        ("table rollback one", "argument N: expected a whole number, found 'one'"),
        ("table where here", "argument ROW: expected ROW (a row number, with or without fk_row_), found"),
        ("lookup place west 0.19", "argument X: expected a number, found 'west'"),
        ("lookup place -1 0.19 --ref-joints a,b", "expected J0,...,J5 (reference pose [deg]), found 'a,b'"),
        ("lookup place -1 0.19 --ref-joints 1,2", "'1,2' has 2 values; expected six joints [deg]"),
        ("lookup sweep place -1 0.19", "required: --vary; see `nightpick lookup sweep place --help`"),
        ("scan ingest a.csv --angle-unit grad", "argument --angle-unit: expected deg or rad, found 'grad'"),
        ("night --seed -1", "argument --seed: expected a whole number, zero or more, found '-1'"),
        ("night --runs -1", "argument --runs: expected a whole number, zero or more, found '-1'"),
        ("night --seed 1.5", "zero or more, found '1.5'; see `nightpick night --help`"),
    ],
)
def test_a_usage_error_is_exit_code_2_in_words_and_names_the_help_of_its_verb(
    capsys: pytest.CaptureFixture[str], arguments: str, said: str
) -> None:
    with pytest.raises(SystemExit) as left:
        main([*arguments.split(), "--json"])
    assert left.value.code == 2
    told = capsys.readouterr()
    error = json.loads(told.out)["error"]
    assert said in error["message"] and said in told.err
    assert (error["code"], error["kind"], told.err.count("\n")) == (2, "usage", 1)
    assert "invalid" not in told.err


def test_without_json_a_usage_error_leaves_stdout_empty(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["table", "merge", "--jsn"])
    assert capsys.readouterr().out == ""
