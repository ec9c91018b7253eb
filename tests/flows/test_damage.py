"""Whatever is damaged: what, where and what to do, in one line, exit code 1; the rest still answers."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import pytest

from flows.cli import main
from lib.runlog import close_logs, run_log
from lib.runlog.folder import closed_folder
from lib.scan import ScanStore

LOG54 = Path(__file__).parents[1] / "data" / "log54"
QUARANTINED = (LOG54 / "rows_scan.csv").read_text() + "1,2,3,4,5,6,7,8,none\n"
WAITING = "ee_x,ee_y,ee_z,j0,j1,j2,j3,j4,j5\n-0.1,0.1,0.1,36,57,25,-7,-86,{}\n"


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with two versions, a scan in quarantine, two that wait, and closed logs."""
    folder = tmp_path_factory.mktemp("whole")
    scans = [folder / f"{name}.csv" for name in ("base", "second", "third", "fourth")]
    shutil.copy(LOG54 / "rows_before.csv", scans[0])
    scans[1].write_text(QUARANTINED)
    scans[2].write_text(WAITING.format(-30))
    scans[3].write_text(WAITING.format(-31))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NIGHTPICK_DATA_DIR", str(folder / "data"))
        patch.setenv("NIGHTPICK_ROBOT", "none")  # the rows are made up, so no chain explains them
        for scan in scans:
            assert main(["scan", "ingest", str(scan), "--quarantine"]) == 0
            if scan in scans[:2]:
                assert main(["table", "merge"]) == 0
    close_logs(folder / "data")
    return folder / "data"


@dataclass
class Folder:
    """A data folder to damage, and what our commands say of it."""

    path: Path
    capture: pytest.CaptureFixture[str]

    def answer(self, *command: str) -> tuple[int, Any, str]:
        """Return exit code, JSON document and what stderr got."""
        self.capture.readouterr()
        code = main([*command, "--json"])
        said = self.capture.readouterr()
        return code, json.loads(said.out), said.err

    def damage_of(self, *command: str) -> str:
        """Return the one line of a command that meets what is damaged."""
        code, document, said = self.answer(*command)
        assert (code, document["error"]["kind"], said.count("\n")) == (1, "damaged", 1), (document, said)
        return str(document["error"]["message"])


@pytest.fixture
def folder(
    whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Folder:
    shutil.copytree(whole, tmp_path / "data")
    monkeypatch.setenv("NIGHTPICK_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("NIGHTPICK_ROBOT", "none")
    return Folder(tmp_path / "data", capsys)


def cut(file: Path, share: float) -> None:
    content = file.read_bytes()
    file.write_bytes(content[: int(share * len(content))])


def foreign(file: Path) -> None:
    file.unlink()
    with duckdb.connect(str(file)) as con:
        con.execute("CREATE TABLE recipe (name VARCHAR)")


def altered(points: Path) -> None:
    """Write a kept scan's rows anew with one value changed: a file that can be read."""
    with duckdb.connect() as con:
        con.execute(f"CREATE TABLE point AS FROM read_parquet('{points}')")
        con.execute("UPDATE point SET ee_x = ee_x + 0.001")
        con.execute(f"COPY point TO '{points}' (FORMAT parquet)")


TABLE_READERS = (
    ("table", "verify"),
    ("table", "history"),
    ("table", "merge"),
    ("table", "rollback", "1"),
    ("table", "export", "x.csv"),
    ("table", "where", "1"),
    ("table", "diff", "1", "2"),
    ("lookup", "place", "-0.17", "0.1899"),
    ("sql", "SELECT count(ee_x_m) FROM fk_point"),
)


@pytest.mark.parametrize(
    "damage", [lambda f: cut(f, 0.003), lambda f: cut(f, 0.3), foreign], ids=["head", "cut", "foreign"]
)
def test_a_damaged_table_is_told_by_every_command_that_reads_it(
    folder: Folder, damage: Callable[[Path], None]
) -> None:
    table = folder.path / "fk.duckdb"
    damage(table)
    before = table.read_bytes()
    for command in TABLE_READERS:
        said = folder.damage_of(*command)
        assert said.startswith(f"{table}: not readable as a table: ")
        assert said.endswith("put back a copy, or move the file away and merge the kept scans again")
    code, document, _ = folder.answer("doctor")
    assert code == 1
    found = {finding["name"]: finding for finding in document["findings"]}
    assert not found["table"]["ok"] and str(table) in found["table"]["found"]
    assert found["run log"]["ok"] and found["kept scans"]["ok"]
    assert table.read_bytes() == before
    assert not list(folder.path.glob("fk.staged*"))


def test_a_table_moved_away_is_made_again_from_the_kept_scans(folder: Folder) -> None:
    _, before, _ = folder.answer("table", "history")
    (folder.path / "fk.duckdb").unlink()
    code, document, _ = folder.answer("table", "merge")
    assert code == 0 and document["version"] == 4
    _, after, _ = folder.answer("table", "history")
    assert [v["content_md5"] for v in after[:2]] == [v["content_md5"] for v in before]


@pytest.mark.parametrize("damage", [lambda f: cut(f, 0.5), Path.unlink, altered])
def test_a_damaged_scan_is_told_and_the_others_are_merged(
    folder: Folder, damage: Callable[[Path], None]
) -> None:
    third, fourth = ScanStore(folder.path).kept()[2:]
    points = ScanStore(folder.path).points_path(third.md5)
    damage(points)
    code, document, said = folder.answer("table", "merge")
    assert code == 1
    assert [merge["scan_file"] for merge in document["merges"]] == ["fourth.csv"]
    assert document["merges"][0]["promoted"] and document["version"] == 3
    (line,) = document["damaged"]
    assert line.startswith(f"third.csv is not merged: {points}: the kept scan's rows cannot be read: ")
    assert line.endswith(f"remove {third.md5}.json beside it and ingest the raw file beside it again")
    assert said == f"nightpick: {line}\n"
    # And what it says helps.
    (folder.path / "scans" / f"{third.md5}.json").unlink()
    assert main(["scan", "ingest", str(folder.path / "scans" / third.raw)]) == 0
    code, document, _ = folder.answer("table", "merge")
    assert (code, document["version"], document["damaged"]) == (0, 4, [])
    assert folder.answer("table", "verify")[0] == 0
    assert fourth.md5 in {v["scan_md5"] for v in folder.answer("table", "history")[1]}


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        (Path.unlink, "the raw scan is gone"),
        (lambda raw: raw.write_text("altered"), "the raw scan was altered, its md5 is "),
    ],
)
def test_a_raw_scan_that_is_gone_or_altered_is_told_by_verify_and_doctor(
    folder: Folder, damage: Callable[[Path], None], says: str
) -> None:
    base = ScanStore(folder.path).kept()[0]
    raw = ScanStore(folder.path).raw_path(base)
    damage(raw)
    code, document, _ = folder.answer("table", "verify")
    assert (code, document["ok"], document["damage"]) == (1, False, [])
    (line,) = document["scans"]
    assert line.startswith(f"{raw}: {says}") and f"put back a copy of base.csv, md5 {base.md5}" in line
    assert main(["table", "verify"]) == 1
    said = folder.capture.readouterr()
    assert line in said.out and "the table is whole, 1 files of the kept scans are not" in said.err
    code, document, _ = folder.answer("doctor")
    found = {finding["name"]: finding for finding in document["findings"]}
    assert code == 1 and found["kept scans"] == {"name": "kept scans", "ok": False, "found": line, "todo": ""}


def test_rows_and_rejects_of_a_merged_scan_are_proved_too(folder: Folder) -> None:
    store = ScanStore(folder.path)
    base, second = store.kept()[:2]
    altered(store.points_path(base.md5))
    cut(store.rejects_path(second.md5), 0.5)
    code, document, _ = folder.answer("table", "verify")
    assert code == 1
    assert [line.split(":")[0] for line in document["scans"]] == [
        str(store.points_path(base.md5)),
        str(store.rejects_path(second.md5)),
    ]


def test_a_tampered_table_is_not_exported(folder: Folder, tmp_path: Path) -> None:
    with duckdb.connect(str(folder.path / "fk.duckdb")) as con:
        con.execute("UPDATE fk_point SET j3 = j3 + 1e-9 WHERE fk_row = 4")
    out = tmp_path / "out.csv"
    said = folder.damage_of("table", "export", str(out))
    assert "version 2 reads as" in said and "`nightpick table verify` tells where" in said
    assert not out.exists()


def test_a_damaged_closed_part_is_told_and_the_rest_answers(folder: Folder) -> None:
    (events,) = closed_folder(folder.path).glob("scan_event/*.parquet")
    run_log(folder.path).append("observation", name="after", value=1.0, unit="1", task="t")
    run_log(folder.path).close()
    cut(events, 0.5)
    code, document, said = folder.answer("sql", "SELECT count(*) AS n FROM merge")
    assert (code, document, said.count("\n")) == (1, [{"n": 2}], 1)
    assert said.startswith(f"nightpick: {events}: closed records of scan_event cannot be read: ")
    assert f"move {events.parents[1] / events.stem}.json away to do without them" in said
    assert folder.answer("sql", "SELECT name FROM observation WHERE name = 'after'")[1] == [{"name": "after"}]
    assert folder.answer("ask", "scans")[0] == 1
    code, document, _ = folder.answer("doctor")
    found = {finding["name"]: finding for finding in document["findings"]}
    assert code == 1 and str(events) in found["run log"]["found"]


def test_a_closed_part_with_damaged_values_is_told_by_the_question_that_needs_them(folder: Folder) -> None:
    (effects,) = closed_folder(folder.path).glob("merge_effect/*.parquet")
    content = bytearray(effects.read_bytes())
    content[40:3_000] = bytes(2_960)
    effects.write_bytes(content)
    said = folder.damage_of("sql", "SELECT max(hash(merge_effect)) FROM merge_effect")
    assert said.startswith(f"{effects}: closed records of merge_effect cannot be read: ")
    assert folder.answer("sql", "SELECT count(*) AS n FROM merge")[:2] == (0, [{"n": 2}])


@pytest.mark.parametrize(
    ("pattern", "says"),
    [
        ("scans/*.json", "not readable as a kept scan's manifest"),
        ("runlog/closed/*.json", "of a closed part"),
    ],
)
def test_a_damaged_manifest_is_told(folder: Folder, pattern: str, says: str) -> None:
    manifest = sorted(folder.path.glob(pattern))[0]
    cut(manifest, 0.5)
    said = folder.damage_of("sql", "SELECT 1")
    assert said.startswith(f"{manifest}: ") and says in said
