"""The night's flow: it goes on where a stage says no, and says so; only the doctor stops it."""

from __future__ import annotations

from pathlib import Path
from uuid import UUID

import numpy as np
import pytest
from prefect.client.orchestration import get_client
from prefect.client.schemas.objects import State

from flows.night import night
from flows.serving.server import Server
from lib.cell import write_simulated_scan
from lib.errors import Busy, CheckFailed
from lib.robot import load_robot
from lib.runlog import connect, holding_arm
from lib.scan import inbox_folder, waiting_scans

pytestmark = pytest.mark.xdist_group("prefect")


def test_a_night_with_a_refused_and_a_blocked_scan_merges_the_good_one_and_asks_for_attention(
    prefect_api: Server, data_dir: Path
) -> None:
    inbox = _inbox_with(data_dir, "good")
    (inbox / "cut.csv").write_text("ee_x,ee_y,ee_z,j0,j1,j2,j3,j4,j5\n0.1,0.2,0.3,1,2,3,4,5,6\n0.1,0.")
    _inbox_with(data_dir, "moved", shifted_m=0.003)

    state = night(return_state=True)
    assert isinstance(state, State)
    assert state.is_completed()
    assert state.name == "Attention"
    assert state.message is not None
    assert "cut.csv refused" in state.message
    assert "moved.csv blocked by" in state.message

    assert [scan.name for scan in waiting_scans(data_dir)] == ["cut.csv"]  # stays where its owner put it
    with connect(data_dir) as con:
        ((night_id, ended, page),) = con.execute("SELECT night_id, state, report_path FROM night").fetchall()
        merges = con.execute("SELECT scan_file, state, night_id FROM merge ORDER BY seq").fetchall()
        offers = con.execute("SELECT status, night_id FROM scan_event ORDER BY seq").fetchall()
        failed = con.execute("SELECT task FROM task_run WHERE state = 'failed' ORDER BY seq").fetchall()
        ((flow_run_id,),) = con.execute("SELECT prefect_flow_run_id FROM flow_run").fetchall()
        (rows,) = con.execute("SELECT count(*) FROM fk_point").fetchone() or (0,)
    assert ended == "attention"
    assert {row[2] for row in merges} == {row[1] for row in offers} == {night_id}
    assert [(file, state) for file, state, _ in merges] == [
        ("good.csv", "published"),
        ("moved.csv", "blocked"),
    ]
    assert sorted(status for status, _ in offers) == ["ingested", "ingested", "refused"]
    assert failed == [("ingest scan",), ("merge scan",)]
    assert rows == 16_807
    assert "cut.csv" in (data_dir / page).read_text()
    with get_client(sync_client=True) as client:
        assert client.read_flow_run(UUID(flow_run_id)).name == f"night {night_id}"


def test_what_the_doctor_finds_wrong_stops_the_night_before_anything_is_touched(
    prefect_api: Server, data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _inbox_with(data_dir, "good")
    monkeypatch.setenv("NIGHTPICK_ROBOT", "no-such-robot")
    with pytest.raises(CheckFailed, match=r"robot: .*no-such-robot"):
        night()
    assert [scan.name for scan in waiting_scans(data_dir)] == ["good.csv"]
    with connect(data_dir) as con:
        ((state, error),) = con.execute("SELECT state, error FROM night").fetchall()
        ((run_id, ended),) = con.execute("SELECT prefect_flow_run_id, state FROM flow_run").fetchall()
    assert (state, ended) == ("failed", "failed")
    assert "no-such-robot" in error
    log = (data_dir / "prefect" / "logs" / f"{run_id}.log").read_text()
    assert "Traceback" not in log  # a refusal is one line, also where Prefect shows it
    assert "Finished in state Failed" in log


def test_a_second_night_for_the_same_arm_is_told_that_one_runs(prefect_api: Server, data_dir: Path) -> None:
    with holding_arm(data_dir, "mecharm270"), pytest.raises(Busy, match="a night already runs"):
        night()


def _inbox_with(data_dir: Path, name: str, shifted_m: float = 0.0) -> Path:
    """Put a simulated scan of one base into the inbox, its tips shifted along x by so much [m]."""
    inbox = inbox_folder(data_dir)
    inbox.mkdir(parents=True, exist_ok=True)
    request = data_dir / f"{name}.bases.csv"
    request.write_text("36.215,57,20,-12,-86,-30\n" if not shifted_m else "33,60,15,-12,-86,-30\n")
    write_simulated_scan(load_robot("mecharm270"), request, inbox / f"{name}.csv", seed=1)
    if shifted_m:
        points = np.loadtxt(inbox / f"{name}.csv", delimiter=",", skiprows=1)
        points[:, 0] += shifted_m
        header = (inbox / f"{name}.csv").read_text().splitlines()[0]
        np.savetxt(inbox / f"{name}.csv", points, fmt="%.9g", delimiter=",", header=header, comments="")
    return inbox
