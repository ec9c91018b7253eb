"""`nightpick sql` and `nightpick ask` as people and machines call them."""

from __future__ import annotations

import csv
import json
import os
import pty
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from lib.runlog import named_questions
from tests.flows.processes import wait_until
from tests.lib.runlog.sample import write_sample


@pytest.fixture(scope="module")
def data_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_sample(tmp_path_factory.mktemp("sample") / "data")


def nightpick(data_dir: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "flows.cli", *arguments],
        env={**os.environ, "NIGHTPICK_DATA_DIR": str(data_dir), "TZ": "America/New_York"},
        capture_output=True,
        text=True,
        check=False,
    )


def on_a_terminal(data_dir: Path, columns: int, *arguments: str) -> str:
    """Run nightpick with a terminal of so many columns as its output, and return what it shows."""
    ours, its = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "flows.cli", *arguments],
        env={**os.environ, "NIGHTPICK_DATA_DIR": str(data_dir), "COLUMNS": str(columns), "TERM": "xterm"},
        stdout=its,
        stdin=its,
    ):
        os.close(its)
        shown = b""
        try:
            while block := os.read(ours, 65536):
                shown += block
        except OSError:  # Linux says so when the other side is closed
            pass
    os.close(ours)
    return re.sub(r"\x1b\[[0-9;]*m", "", shown.decode())


STATEMENT = "SELECT night_id, started_utc, 0.1::DOUBLE + 0.2::DOUBLE AS sum, error, true AS yes FROM night"


def test_a_pipe_gets_csv_with_every_digit_and_times_with_their_zone(data_dir: Path) -> None:
    done = nightpick(data_dir, "sql", STATEMENT)
    assert (done.returncode, done.stderr) == (0, "")
    assert list(csv.reader(done.stdout.splitlines())) == [
        ["night_id", "started_utc", "sum", "error", "yes"],
        ["n1", "2026-03-01T20:00:00+00:00", "0.30000000000000004", "", "true"],
    ]


def test_json_is_one_list_of_objects_with_json_columns_as_they_nest(data_dir: Path) -> None:
    done = nightpick(
        data_dir,
        "sql",
        "--json",
        "SELECT started_utc, local_date, 1.5 AS d, 'nan'::DOUBLE AS n, {'a': [1, NULL]} AS s, "
        "(SELECT figures FROM merge_audit WHERE name = 'count' LIMIT 1) AS figures, 1 AS d FROM night",
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout) == [
        {
            "started_utc": "2026-03-01T20:00:00+00:00",
            "local_date": "2026-03-01",
            "d": 1.5,
            "n": None,
            "s": {"a": [1, None]},
            "figures": {"rows": 5},
            "d_2": 1,
        }
    ]


def test_a_terminal_gets_a_table_or_blocks_where_that_is_too_wide(data_dir: Path) -> None:
    wide = on_a_terminal(data_dir, 120, "sql", STATEMENT).split("\r\n")
    assert wide[0].split() == ["night_id", "started_utc", "sum", "error", "yes"]
    assert wide[1].split() == ["n1", "2026-03-01", "20:00:00", "UTC", "0.3", "true"]
    assert wide[2] == "(1 row)"
    narrow = on_a_terminal(data_dir, 40, "sql", STATEMENT).split("\r\n")
    assert narrow[0] == "row 1"
    assert narrow[2].split() == ["started_utc", "2026-03-01", "20:00:00", "UTC"]


def test_a_terminal_is_not_flooded_and_told_so_a_pipe_gets_all(data_dir: Path) -> None:
    shown = on_a_terminal(data_dir, 80, "sql", "FROM range(2500)").split("\r\n")
    assert shown[-2] == "(the first 1,000 rows; a pipe gets all of them)"
    assert len(shown) == 1 + 1000 + 2
    assert len(nightpick(data_dir, "sql", "FROM range(2500)").stdout.splitlines()) == 2501


def test_no_rows_are_said_on_a_terminal_and_a_header_in_a_pipe(data_dir: Path) -> None:
    nothing = "SELECT name FROM observation WHERE false"
    assert on_a_terminal(data_dir, 80, "sql", nothing).split() == ["name", "(no", "rows)"]
    assert nightpick(data_dir, "sql", nothing).stdout == "name\n"


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("selct 1", 'nightpick: sql: Parser Error: syntax error at or near "selct"\n'),
        ("FROM read_csv('/etc/passwd')", "nightpick: read_csv() is not allowed"),
        ("SELECT CAST(name AS INTEGER) FROM observation", "nightpick: sql: Conversion Error"),
    ],
)
def test_a_bad_statement_is_one_line_and_exit_code_2(data_dir: Path, statement: str, said: str) -> None:
    done = nightpick(data_dir, "sql", statement)
    assert done.returncode == 2
    assert done.stderr.startswith(said)
    assert done.stderr.count("\n") == 1


def test_a_reader_that_closes_the_pipe_early_gets_no_complaint(data_dir: Path) -> None:
    done = subprocess.run(
        f"{sys.executable} -m flows.cli sql 'FROM range(1000000)' | head -1",
        shell=True,
        env={**os.environ, "NIGHTPICK_DATA_DIR": str(data_dir)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert (done.stdout, done.stderr) == ("range\n", "")


def test_ask_answers_by_name_and_says_on_a_terminal_what_it_answers(data_dir: Path) -> None:
    done = nightpick(data_dir, "ask", "scans", "--json")
    assert [scan["sequence"] for scan in json.loads(done.stdout)] == [3, 2, 1]
    shown = on_a_terminal(data_dir, 200, "ask", "scans")
    assert shown.startswith(
        "Which scans were kept, the newest first, where does each stand, and which version"
    )


def test_ask_lists_the_questions(data_dir: Path) -> None:
    expected = [{"name": question.name, "answers": question.answers} for question in named_questions()]
    assert json.loads(nightpick(data_dir, "ask", "--list", "--json").stdout) == expected
    listed = nightpick(data_dir, "ask", "--list").stdout
    assert [line.split(maxsplit=1) for line in listed.splitlines()] == [list(q.values()) for q in expected]
    assert nightpick(data_dir, "ask").stdout == listed


def test_ask_with_a_wrong_name_lists_the_names(data_dir: Path) -> None:
    done = nightpick(data_dir, "ask", "table-histroy")
    assert done.returncode == 2
    assert done.stderr.startswith("nightpick: no question 'table-histroy'; there are audits, distances,")


def queried_s(process: int) -> float:
    """Return the processor time [s] of a process beside its first thread: that of its query."""
    ticks = 0
    for thread in Path(f"/proc/{process}/task").iterdir():
        if thread.name != str(process):
            user, system = (thread / "stat").read_text().rpartition(")")[2].split()[11:13]
            ticks += int(user) + int(system)
    return ticks / os.sysconf("SC_CLK_TCK")


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT count(*) FROM range(100_000_000_000) AS long WHERE sin(range) > 2",
        "FROM range(100_000_000_000) AS long WHERE sin(range) > 2",
        "SELECT sum(a.range * b.range) FROM range(10_000_000) AS a, range(1_000_000) AS b",
    ],
)
def test_ctrl_c_ends_a_long_question(data_dir: Path, statement: str) -> None:
    asked = subprocess.Popen(
        [sys.executable, "-m", "flows.cli", "sql", statement],
        env={**os.environ, "NIGHTPICK_DATA_DIR": str(data_dir)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with asked:
        wait_until(lambda: queried_s(asked.pid) > 0.2, 100, "the question is being answered")
        asked.send_signal(signal.SIGINT)
        try:
            said = asked.communicate(timeout=30)
        except subprocess.TimeoutExpired:
            asked.kill()
            raise
    assert (asked.returncode, *said) == (130, "", "nightpick: stopped by Ctrl-C (SIGINT)\n")


def test_a_document_without_end_is_refused_before_it_fills_the_memory(data_dir: Path) -> None:
    endless = nightpick(data_dir, "sql", "SELECT * FROM range(300000000)", "--json")
    assert endless.returncode == 2
    (document,) = endless.stdout.splitlines()
    said = json.loads(document)["error"]["message"]
    assert said.startswith("sql: more than 200,000 rows for one JSON document; add LIMIT")
