"""What refuses a night, and what is only told."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from prefect import flow

from flows.serving.server import Server
from lib.errors import CheckFailed
from lib.runlog import connect
from lib.scan import ScanStore
from lib.settings import Settings
from tasks.doctor_checks import doctor_checks

LOG54 = Path(__file__).parents[1] / "data" / "log54"


@pytest.mark.xdist_group("prefect")
def test_a_lost_raw_scan_is_told_and_refuses_no_night_a_damaged_table_does(
    prefect_api: Server, data_dir: Path
) -> None:
    settings = replace(Settings(), data_dir=data_dir)
    store = ScanStore(data_dir)
    store.ingest(LOG54 / "rows_before.csv")
    raw = store.raw_path(store.kept()[0])
    raw.unlink()

    @flow
    def night() -> None:
        doctor_checks(settings)

    night()
    with connect(data_dir) as con:
        told = con.execute("SELECT value FROM observation WHERE name = 'checks_not_ok'").fetchall()
    assert told == [(1.0,)]
    (data_dir / "fk.duckdb").write_bytes(b"no database")
    with pytest.raises(CheckFailed, match=r"table: .*fk\.duckdb: not readable as a table.*; kept scans: "):
        night()
