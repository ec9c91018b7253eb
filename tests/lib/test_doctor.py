"""The doctor: everything fine on a fresh folder, and each trouble named with what to do."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from lib import doctor
from lib.doctor import Finding, examine
from lib.scan import ScanStore
from lib.settings import Settings

ROOT = Path(__file__).parents[2]


def test_a_fresh_machine_is_fine_and_nothing_is_made(tmp_path: Path) -> None:
    found = _examined(Settings(data_dir=tmp_path / "new" / "data"))
    assert [finding.name for finding in found.values() if not finding.ok] == []
    assert "will be made" in found["data folder"].found
    assert found["table"].found == "none yet, the first merge makes it"
    assert "prefect 3." in found["packages"].found
    assert found["robot"].found == "mecharm270, 6 joints"
    assert list(tmp_path.iterdir()) == []


def test_a_data_folder_that_is_a_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("")
    finding = _examined(Settings(data_dir=tmp_path / "data" / "deeper"))["data folder"]
    assert not finding.ok
    assert finding.found == f"{tmp_path / 'data'} is a file"
    assert finding.todo == "set data_dir to a folder"


def test_a_data_folder_without_the_right_to_write_is_named(tmp_path: Path) -> None:
    program = (
        "from pathlib import Path; from lib.doctor import examine; from lib.settings import Settings;"
        f"found = examine(Settings(data_dir=Path({str(tmp_path / 'data')!r})), None);"
        "print(*next((f.ok, f.found) for f in found if f.name == 'data folder'))"
    )
    command = [sys.executable, "-c", program]
    if os.geteuid() == 0:  # whom no mode keeps from writing, unless that right is given up
        if shutil.which("setpriv") is None:
            pytest.skip("root may write everywhere, and there is no setpriv to give that up")
        command = ["setpriv", "--bounding-set=-dac_override,-dac_read_search", *command]
    tmp_path.chmod(0o500)
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    finally:
        tmp_path.chmod(0o700)
    assert done.stdout == f"False {tmp_path}: not writable: Permission denied\n"


def test_a_full_disk_is_told_before_the_night(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Usage(NamedTuple):
        free: int = 1_500_000_000

    monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage())
    finding = _examined(Settings(data_dir=tmp_path))["free space"]
    assert (finding.ok, finding.found) == (False, "1.5 GB")
    assert "2 GB" in finding.todo


def test_a_missing_package_and_what_to_do_about_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(doctor, "requires", lambda _: ["numpy>=2.0", "not-a-package<3"])
    finding = _examined(Settings(data_dir=tmp_path))["packages"]
    assert (finding.ok, finding.found, finding.todo) == (False, "missing: not-a-package", "run `make setup`")


def test_a_robot_or_a_table_that_cannot_be_read_is_a_finding_not_an_error(tmp_path: Path) -> None:
    (tmp_path / "fk.duckdb").write_bytes(b"no database")
    found = _examined(Settings(data_dir=tmp_path, robot="no-such-robot"))
    assert not found["robot"].ok
    assert "no-such-robot" in found["robot"].found
    assert not found["table"].ok
    assert "fk.duckdb" in found["table"].found


def test_files_of_the_past_that_are_gone_are_named_and_stop_no_night(tmp_path: Path) -> None:
    scan = tmp_path / "scan.csv"
    scan.write_text("ee_x,ee_y,ee_z,j0,j1,j2,j3,j4,j5\n-0.1,0.1,0.1,36,57,25,-7,-86,-30\n")
    settings = Settings(data_dir=tmp_path / "data")
    store = ScanStore(settings.data_dir)
    store.ingest(scan)
    assert _examined(settings)["kept scans"] == Finding("kept scans", True, "all files whole", "", True)
    raw = store.raw_path(store.kept()[0])
    raw.unlink()
    found = _examined(settings)["kept scans"]
    assert (found.ok, found.stops_a_night) == (False, False)
    assert found.found.startswith(f"{raw}: the raw scan is gone; put back a copy of scan.csv")


def _examined(settings: Settings) -> dict[str, Finding]:
    return {finding.name: finding for finding in examine(settings, None)}
