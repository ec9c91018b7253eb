"""Folders and scans may be called anything: every verb and the server find them, and nothing else."""

from __future__ import annotations

import json
import os
import pty
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from flows.cli import main
from flows.serving.server import any_free_port, start_child
from lib.runlog import close_logs
from lib.settings import Settings
from tests.flows.processes import with_database

LOG54 = Path(__file__).parents[1] / "data" / "log54"
STRANGE = 'it\'s %20 #1 [a] 50% *b &c=\u00e4 \u65e5\u672c ~ "d" {e} ;:@'
# Folders that STRANGE would match if it were taken for a pattern.
DECOYS = (STRANGE.replace("[a]", "a"), STRANGE.replace("*b", "xb"))


@pytest.fixture
def strange_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for decoy in DECOYS:
        (tmp_path / decoy).mkdir()
    folder = tmp_path / STRANGE / "data"
    monkeypatch.setenv("NIGHTPICK_DATA_DIR", str(folder))
    monkeypatch.chdir(tmp_path)
    return folder


def test_every_verb_works_in_a_strange_folder_and_stays_there(
    strange_dir: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def answer(*command: str) -> object:
        assert main([*command, "--json"]) == 0, command
        return json.loads(capsys.readouterr().out)

    scans = [tmp_path / DECOYS[0] / "[a].csv", strange_dir.parent / "bad*.csv"]
    strange_dir.parent.mkdir(parents=True)
    shutil.copy(LOG54 / "rows_before.csv", scans[0])
    scans[1].write_text((LOG54 / "rows_scan.csv").read_text() + "1,2,3,4,5,6,7,8,none\n")
    answer("scan", "ingest", str(scans[0]))
    answer("scan", "ingest", str(scans[1]), "--quarantine")
    assert [merge["version"] for merge in answer("table", "merge")["merges"]] == [1, 2]  # type: ignore[index]
    answer("table", "verify")
    answer("table", "rollback", "1")
    answer("table", "rollback", "2")
    exports = [str(strange_dir.parent / f"x?{suffix}") for suffix in (".csv", ".parquet", ".npz")]
    answer("table", "export", *exports)
    answer("lookup", "place", "-0.17", "0.1899")
    shutil.rmtree(strange_dir / "index")
    answer("lookup", "place", "-0.17", "0.1899")
    for decoy in DECOYS:  # the same files by name, with other rows in them: a pattern would read both
        shutil.copytree(strange_dir, tmp_path / decoy / "data")
    for closed in (False, True):
        if closed:
            assert close_logs(strange_dir).logs > 0
        assert answer("sql", "SELECT count(*) AS n FROM scan_event") == [{"n": 2}]
        assert answer("sql", "SELECT count(*) AS n FROM scan_reject") == [{"n": 1}]
        assert answer("sql", "SELECT count(*) AS n FROM fk_point") == [{"n": 11}]
    answer("doctor")
    assert sorted(file.name for file in tmp_path.iterdir()) == sorted([STRANGE, *DECOYS])


@pytest.mark.xdist_group("prefect")
def test_the_server_keeps_its_database_in_a_strange_folder(tmp_path: Path, migrated_database: Path) -> None:
    settings = Settings(data_dir=tmp_path / STRANGE)
    with_database(settings.data_dir, migrated_database)
    server = start_child(settings, "tests", any_free_port())
    assert server.child is not None
    try:
        server.wait_ready()
        assert (settings.data_dir / "prefect" / "prefect.db-wal").exists()  # it is open
    finally:
        server.child.stop()
    assert [file.name for file in tmp_path.iterdir()] == [STRANGE]


def test_a_scan_with_brackets_in_its_name_is_shown_by_it_on_a_terminal(
    tmp_path: Path,
) -> None:
    scan = tmp_path / "[" / "x] [bold] :star:.csv"  # as markup, the end of what never began
    scan.parent.mkdir()
    shutil.copy(LOG54 / "rows_before.csv", scan)
    for command in (["scan", "ingest", str(scan)], ["table", "merge"], ["table", "history"]):
        assert scan.name in on_a_terminal(tmp_path / "data", *command)


def on_a_terminal(data_dir: Path, *command: str) -> str:
    ours, its = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "flows.cli", *command],
        env={**os.environ, "NIGHTPICK_DATA_DIR": str(data_dir), "COLUMNS": "400", "TERM": "xterm"},
        stdin=its,
        stdout=its,
        stderr=its,
    ) as process:
        os.close(its)
        shown = b""
        try:
            while block := os.read(ours, 65536):
                shown += block
        except OSError:  # Linux says so when the other side is closed
            pass
    os.close(ours)
    text = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", shown.decode())
    assert process.returncode == 0, text
    return text
