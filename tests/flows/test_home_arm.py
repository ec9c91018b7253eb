"""The flows home-arm and calibrate: their tasks, their rows, their evidence."""

from __future__ import annotations

import json
import time
from pathlib import Path
from uuid import UUID

import pytest
from prefect.client.orchestration import get_client
from prefect.client.schemas.filters import ArtifactFilter, ArtifactFilterFlowRunId
from prefect.client.schemas.objects import State

from flows.calibrate import calibrate
from flows.home_arm import home_arm
from flows.serving.server import Server
from lib.runlog import connect
from lib.settings import Settings
from tests.lib.homing.calibrate.test_arm_calibration import entry
from tests.lib.homing.calibrate.test_robot_calibration import readings

pytestmark = pytest.mark.xdist_group("prefect")

VISION = Path(__file__).parents[2] / "../shared/accept/vision"


def joints_told(prefect_flow_run_id: str, within_s: float = 20.0) -> list[str]:
    """Return the joints the server has events of from one run, in their order; they arrive a little later."""
    # The server is shared by the whole session: other tests home there too.
    of_run = {"id": [f"prefect.flow-run.{prefect_flow_run_id}"]}
    seen: list[str] = []
    ends_s = time.monotonic() + within_s
    with get_client(sync_client=True) as client:
        while time.monotonic() < ends_s and len(seen) < 6:
            found = {"event": {"name": ["nightpick.joint-found"]}, "related": of_run, "order": "ASC"}
            events = client.request("POST", "/events/filter", json={"filter": found}).json()["events"]
            seen = [event["payload"]["variable"] for event in events]
            time.sleep(0.2)
    return seen


def artifact_keys(prefect_flow_run_id: str) -> set[str | None]:
    with get_client(sync_client=True) as client:
        of_run = ArtifactFilter(flow_run_id=ArtifactFilterFlowRunId(any_=[UUID(prefect_flow_run_id)]))
        return {artifact.key for artifact in client.read_artifacts(artifact_filter=of_run)}


def test_the_arm_is_filmed_homed_and_its_offsets_are_kept(
    prefect_api: Server, data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NIGHTPICK_CELL__TIME_SCALE", "20")
    state = home_arm(return_state=True)
    assert isinstance(state, State)
    assert state.is_completed(), state.message
    with connect(data_dir) as con:
        tasks = con.execute("SELECT task, state FROM task_run ORDER BY started_utc").fetchall()
        ((flow_run_id, prefect_id),) = con.execute(
            "SELECT flow_run_id, prefect_flow_run_id FROM flow_run"
        ).fetchall()
        ((homing_state, homing_flow, cameras),) = con.execute(
            "SELECT state, flow_run_id, cameras FROM homing"
        ).fetchall()
        offsets = con.execute("SELECT joint_offset FROM homing_joint ORDER BY variable").fetchall()
        metrics = {row[0] for row in con.execute("SELECT DISTINCT name FROM observation").fetchall()}
    assert tasks == [("film arm", "finished"), ("find joints", "finished"), ("keep offsets", "finished")]
    assert (homing_state, homing_flow, cameras) == ("confident", flow_run_id, 4)
    # The seeded offsets are up to 1 degree, and the arm's sag and play come on top.
    assert len(offsets) == 6
    assert all(abs(offset) < 2.0 for (offset,) in offsets)
    assert joints_told(prefect_id) == ["j0", "j1", "j2", "j3", "j4", "j5"]
    assert {"homing_residual", "homing_j0_std", "homing_seen", "homing_largest_offset"} <= metrics
    assert {
        "homing-state", "homing-chain", "homing-image-left", "homing-image-right", "homing-image-above",
        "homing-image-back",
    } <= artifact_keys(prefect_id)  # fmt: skip


@pytest.mark.skipif(not VISION.is_dir(), reason=f"no real readings at {VISION}")
def test_an_arms_axes_are_calibrated_with_their_proof(prefect_api: Server, data_dir: Path) -> None:
    readings = VISION.resolve() / "positioner" / "measurements.yaml"
    state = calibrate(readings=str(readings), return_state=True)
    assert isinstance(state, State)
    assert state.is_completed(), state.message
    with connect(data_dir) as con:
        ((prefect_id,),) = con.execute("SELECT prefect_flow_run_id FROM flow_run").fetchall()
        ((held_out,),) = con.execute(
            "SELECT value FROM observation WHERE name = 'calibration_held_out'"
        ).fetchall()
    assert held_out < 0.02
    assert artifact_keys(prefect_id) == {"arm-calibration"}


def test_a_known_arms_joints_are_calibrated(prefect_api: Server, data_dir: Path, tmp_path: Path) -> None:
    (tmp_path / "readings.json").write_text(json.dumps([entry(r) for r in readings(40)]))
    state = calibrate(readings=str(tmp_path / "readings.json"), robot="mecharm270", return_state=True)
    assert isinstance(state, State)
    assert state.is_completed(), state.message
    with connect(data_dir) as con:
        ((prefect_id,),) = con.execute("SELECT prefect_flow_run_id FROM flow_run").fetchall()
        ((held_out,),) = con.execute(
            "SELECT value FROM observation WHERE name = 'calibration_held_out_place'"
        ).fetchall()
    assert held_out < 0.2
    assert artifact_keys(prefect_id) == {"joint-calibration"}


def test_settings_of_homing_are_checked() -> None:
    from lib.errors import BadInput
    from lib.settings import load

    assert Settings().homing.board_limit_px == 2.0
    with pytest.raises(BadInput, match=r"homing\.jump_limit_deg = -1\.0; expected zero or more"):
        load(environment={"NIGHTPICK_HOMING__JUMP_LIMIT_DEG": "-1"})
