"""Nights of a batch as real ones are recorded, every relation of them, drawn from a seed.

``night_records`` gives the rows of one night relation by relation, so that a test can compute from
them, in Python, what a question should answer.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from lib.runlog import RunLog

ARM = "mecharm270"
FIRST_NIGHT = datetime(2026, 11, 1, 21, 0, tzinfo=UTC)
TARGETS_M = ((-0.170, 0.190), (-0.150, 0.190), (-0.170, 0.215), (-0.190, 0.210))
CELLS = ("place_x-180_z200", "place_x-160_z200", "place_x-160_z220", "place_x-200_z220")
STATES = (
    "IDLE", "LOOKING", "MOVING_TO_BLOCK", "GRABBING", "LIFTING", "MOVING_TO_PLACE", "LOWERING", "SERVOING",
    "PLACING", "RETURNING_HOME", "VERIFYING", "COMPLETE",
)  # fmt: skip
MOVES = 13
TAGS = ("pick", "stage8", "zservo_i1", "zservo_i2", "zservo_i3", "zservo_i4")
FIGURES = (
    "look_time", "pick_time", "servo_time", "release_time", "reported_not_moved", "grip_width", "sight_sigma",
    "commanded_seen_gap", "reported_seen_gap", "frames",
)  # fmt: skip
# The run of every night in which the arm said that it had moved and had not.
NOT_MOVED = 11
# The run of every night that no camera saw the end of.
UNSEEN = 37
TASKS = ("place block", "watch block")

Rows = dict[str, list[dict[str, Any]]]

# How many records one run leaves in each relation, by five runs of the simulated cell; more where a servo
# looks more often, which is allowed for.
A_RUN = {
    "run": 2, "run_state": 11, "lookup_observation": 6, "place": 1, "memory_cell": 1, "arm_health": 3,
    "observation": 10, "task_run": 4, "arm_move": 14,
}  # fmt: skip


@dataclass(frozen=True)
class Drawn:
    """What happens in one run."""

    night: int
    number: int
    state: str
    place: str | None
    offset_mm: tuple[float, float] | None
    """Block less box centre; None where it was not seen or not placed."""
    bias_mm: tuple[float, float, float]
    spacing_mm: tuple[float, float]
    warmest_c: float
    ids: tuple[str, ...]

    @property
    def stem(self) -> str:
        return f"run_{self.number:04d}_{self.started_utc:%Y%m%d_%H%M%S}"

    @property
    def started_utc(self) -> datetime:
        return started_utc(self.night) + timedelta(minutes=5 + 4 * self.number)

    @property
    def cell(self) -> int:
        return self.number % len(CELLS)

    @property
    def fk_row(self) -> int:
        return 1_000_000 + 137 * self.cell + self.number % 3


def night_id(night: int) -> str:
    return f"{ARM}-{started_utc(night):%Y-%m-%d}-0"


def started_utc(night: int) -> datetime:
    return FIRST_NIGHT + timedelta(days=night)


def draw_night(night: int, runs: int) -> list[Drawn]:
    """Draw a night: placements get nearer from run to run, some are refused, missed or not seen."""
    rng = np.random.default_rng([night, 6])
    drawn = []
    for number in range(1, runs + 1):
        learned = 1 - math.exp(-(night * runs + number) / (3 * len(CELLS)))
        shift_mm = np.array([4.0, 2.0, -3.0]) + rng.normal(0, 0.3, 3)
        off_mm = (1 - learned) * shift_mm[[0, 2]] * 2 + rng.normal(0, 1.7, 2)
        chance = rng.random()
        state: str = "finished"
        place: str | None = "yes"
        offset: tuple[float, float] | None = (float(off_mm[0]), float(off_mm[1]))
        if chance < 0.03:
            state, place, offset = "refused", None, None
        elif chance < 0.04:
            state, place, offset = "aborted", None, None
        elif chance < 0.05 or number == UNSEEN:
            place, offset = "unknown", None
        elif chance < 0.065:
            place, offset = "no", (float(off_mm[0]) + 84.0, float(off_mm[1]) - 12.0)
        drawn.append(
            Drawn(
                night, number, state, place, offset,
                tuple(float(v) for v in learned * shift_mm),  # type: ignore[arg-type]  # three
                (float(rng.normal(0, 2)), float(rng.normal(0, 2))),
                float(38 + 10 * (1 - math.exp(-number / 20)) + rng.normal(0, 1)),
                tuple(rng.bytes(16).hex() for _ in range(2)),
            )
        )  # fmt: skip
    return drawn


def night_records(night: int, runs: int, a_run: Mapping[str, int] = A_RUN) -> Rows:
    """Return the rows of one night, relation by relation, in the order they are written."""
    drawn = draw_night(night, runs)
    rows: Rows = {"night": [_night(night)]}
    for run in drawn:
        for relation, of_run in _of_run(run).items():
            wanted = min(len(of_run), a_run[relation]) if relation in ("run", "place") else a_run[relation]
            rows.setdefault(relation, []).extend(islice(cycle(of_run), wanted if of_run else 0))
    rows["homing"] = [_homing(night)]
    rows["homing_joint"] = [_joint(night, j) for j in range(6)]
    rows["gate_refusal"] = [_refused_motion(run) for run in drawn if run.number % 17 == 5]
    rows["night"].append(
        {**_night(night), "state": "finished", "ended_utc": started_utc(night) + timedelta(hours=8)}
    )
    return rows


def write_batch(data_dir: Path, nights: Sequence[int], runs: int, *, pictures: bool = False) -> list[Rows]:
    """Record nights and return their rows; ``pictures`` also keeps some of every run."""
    log = RunLog(data_dir)
    written = []
    for night in nights:
        rows = night_records(night, runs)
        for relation, of_relation in rows.items():
            log.append_all(relation, of_relation)
        for run in draw_night(night, runs) if pictures else ():
            _draw_pictures(data_dir / "images" / run.stem, run)
        written.append(rows)
    log.close()
    return written


def _night(night: int) -> dict[str, Any]:
    start = started_utc(night)
    return {
        "night_id": night_id(night), "arm": ARM, "local_date": start.date(), "sequence": 0,
        "started_utc": start, "state": "unfinished", "time_utc": start,
    }  # fmt: skip


def _of_run(run: Drawn) -> Rows:
    tied = {"night_id": night_id(run.night), "flow_run_id": f"flow-{run.night}", "task_run_id": run.ids[0]}
    of_run = {"run_stem": run.stem, **tied}
    at = run.started_utc
    refused = run.state == "refused"
    begun = {
        **of_run, "time_utc": at, "run_number": run.number, "arm": ARM, "state": "unfinished",
        "started_utc": at,
        "table_version": run.night + 1, "homing_id": f"homing-{run.night}", "images": f"images/{run.stem}",
    }  # fmt: skip
    ended = {
        **of_run, "time_utc": at + timedelta(seconds=70), "state": run.state,
        "ended_utc": at + timedelta(seconds=70), "rule": "no_row_within_tolerance" if refused else None,
        "reason": "the nearest row is 12.4 mm away" if refused else "stopped by hand"
        if run.state == "aborted" else None,
    }  # fmt: skip
    return {
        "run": [begun, ended],
        "run_state": [
            {
                **of_run, "from_state": STATES[k], "state": STATES[k + 1], "reason": "the state before ended",
                "at_s": 8.0 * k, "time_utc": at + timedelta(seconds=8 * k),
            }
            for k in range(len(STATES) - 1)
        ],
        "lookup_observation": [{**of_run, **_lookup(run, k), "time_utc": at} for k in range(len(TAGS))],
        "place": [{**of_run, **_place(run), "time_utc": at}] if run.place is not None else [],
        "memory_cell": [{**of_run, **_memory(run), "time_utc": at}] if run.place is not None else [],
        "arm_move": [{**of_run, **_move(run, k), "time_utc": at} for k in range(MOVES)] + [
            {
                **of_run, "move_number": MOVES - 2, "seen_x_m": -0.17, "seen_y_m": 0.1, "seen_z_m": 0.19,
                "not_moved": run.number == NOT_MOVED, "time_utc": at,
            }
        ],
        "arm_health": [{**of_run, **_health(run, k), "time_utc": at} for k in range(3)],
        "observation": [
            {
                **tied, "name": name, "value": 0.1 * k + run.number / 7, "unit": "s", "task": TASKS[0],
                "time_utc": at,
            }
            for k, name in enumerate(FIGURES)
        ],
        "task_run": [
            {**tied, "task_run_id": run.ids[k], "task": task, "started_utc": at, "time_utc": at, **values}
            for k, task in enumerate(TASKS)
            for values in (
                {"state": "unfinished", "run_name": f"place {run.number}"},
                {"state": "finished", "duration_s": 60.0 + run.number / 10 + k},
            )
        ],
    }  # fmt: skip


def _lookup(run: Drawn, step: int) -> dict[str, Any]:
    x_m, z_m = TARGETS_M[run.cell]
    found = not (run.state == "refused" and step == 1)
    return {
        "tag": TAGS[step], "method": "fk_nearest", "fk_row": run.fk_row + step if found else None,
        "aim_x_m": x_m - run.bias_mm[0] / 1e3, "aim_z_m": z_m - run.bias_mm[2] / 1e3,
        "ee_y_m": 0.1 + step / 1e3, "d_ee_y_vs_prev_mm": 1.0 if step > 1 else None,
        "xz_distance_m": math.hypot(*run.spacing_mm) / 1e3 if found else None, "max_dj_deg": 4.0 + step,
        "target_deg": [30.9, 59.2, 20.0, -11.8, -86.5, -29.6], "table_version": run.night + 1,
        "binding_filter": ("j0_lock", "ee_y_target", "absence_of_points")[run.number % 3],
    }  # fmt: skip


def _place(run: Drawn) -> dict[str, Any]:
    x_m, z_m = TARGETS_M[run.cell]
    aim = (x_m - run.bias_mm[0] / 1e3, z_m - run.bias_mm[2] / 1e3)
    tip = (aim[0] + run.spacing_mm[0] / 1e3, aim[1] + run.spacing_mm[1] / 1e3)
    names = ("in_box_dist_mm", "seen_x_m", "seen_z_m", "reality_x_m", "reality_z_m")
    seen: dict[str, float | None] = dict.fromkeys(names)
    if run.offset_mm is not None:
        off_m = (run.offset_mm[0] / 1e3, run.offset_mm[1] / 1e3)
        seen = {
            "in_box_dist_mm": math.hypot(*run.offset_mm),
            "seen_x_m": x_m + off_m[0], "seen_z_m": z_m + off_m[1],
            "reality_x_m": off_m[0] - run.spacing_mm[0] / 1e3,
            "reality_z_m": off_m[1] - run.spacing_mm[1] / 1e3,
        }  # fmt: skip
    return {
        **seen, "place": run.place, "confidence": 0.97 if run.offset_mm else None, "fk_row": run.fk_row,
        "pose_id": f"fk_row_{run.fk_row}", "method": "fk_nearest", "refined": run.number % 3 > 0,
        "table_version": run.night + 1, "target_x_m": x_m, "target_z_m": z_m, "aim_x_m": aim[0],
        "aim_y_m": 0.1 + run.bias_mm[1] / 1e3, "aim_z_m": aim[1], "tip_x_m": tip[0], "tip_y_m": 0.1,
        "tip_z_m": tip[1], "spacing_x_m": run.spacing_mm[0] / 1e3, "spacing_z_m": run.spacing_mm[1] / 1e3,
        "camera_sigma_m": 0.0012, "looks": 1 + run.number % 4, "servo_reason": "1.7 mm, within 1.8 mm",
        "j0_deg": 30.9, "j1_deg": 59.2, "j2_deg": 20.0, "j3_deg": -11.8, "j4_deg": -86.5, "j5_deg": -29.6,
        "memory_cell": CELLS[run.cell], "height_correction_mm": -run.bias_mm[1], "j4_selected_deg": -86.0,
        "binding_filter": "j0_lock",
    }  # fmt: skip


def _memory(run: Drawn) -> dict[str, Any]:
    revision = run.night * 1000 + run.number
    sigma_mm = 10 / math.sqrt(1 + revision / len(CELLS))
    return {
        "memory_cell": CELLS[run.cell], "revision": revision,
        **{f"bias_{a}_mm": v for a, v in zip("xyz", run.bias_mm, strict=True)},
        **{f"sigma_{a}_mm": sigma_mm for a in "xyz"},
        "covariance_m2": (np.eye(3) * (sigma_mm / 1e3) ** 2).tolist(), "placements": revision, "outliers": 0,
        "table_version": run.night + 1, "calibration": f"homing-{run.night}",
        "reason": "outlier (99 against 16): not used" if run.place == "no" else "learned",
    }  # fmt: skip


def _move(run: Drawn, k: int) -> dict[str, Any]:
    commanded = [30.9 + k, 59.2, 20.0, -11.8, -86.5, -29.6]
    return {
        "move_number": k + 1, "run_step": STATES[1 + k % 9], "commanded_deg": commanded,
        "reported_deg": [c + 0.05 * run.number % 0.4 for c in commanded], "off_deg": 0.05 * run.number % 0.4,
        "speed": 40, "sends": 1, "duration_s": 2.1, "commanded_x_m": -0.17, "commanded_y_m": 0.1,
        "commanded_z_m": 0.19, "reported_x_m": -0.169, "reported_y_m": 0.1, "reported_z_m": 0.191,
    }  # fmt: skip


def _health(run: Drawn, look: int) -> dict[str, Any]:
    temperatures = [run.warmest_c - j for j in range(6)]
    return {
        "arm": ARM, "powered": True, "temperatures_c": temperatures, "warmest_c": max(temperatures),
        "voltages_v": [7.4 + j / 50 for j in range(6)], "lowest_v": 7.4, "servo_states": [0] * 6,
        "reboot_count": 1, "error_code": 0, "gripper_open_pct": 100.0 * (look % 2), "suspect_calls": 0,
    }  # fmt: skip


def _homing(night: int) -> dict[str, Any]:
    return {
        "homing_id": f"homing-{night}", "arm": ARM, "robot": ARM, "source": "cameras", "method": "pixel_ba",
        "state": "confident", "residual_px": 0.31 + night % 3 / 100, "cameras": 4, "markers": 11,
        "rejected": 0, "warnings": [], "started_utc": started_utc(night), "duration_s": 21.0,
        "night_id": night_id(night), "time_utc": started_utc(night),
    }  # fmt: skip


def _joint(night: int, joint: int) -> dict[str, Any]:
    seen = joint != 5
    offset = 0.3 * joint - 0.5 + 0.02 * math.sin(night + joint)
    return {
        "homing_id": f"homing-{night}", "variable": f"j{joint}", "unit": "deg", "observable": seen,
        "value": 10.0 * joint + offset if seen else None, "confidence": "high" if seen else "none",
        "std": 0.02 if seen else None, "n_markers": 3 if seen else 0, "method": "pixel_ba" if seen else None,
        "encoder": 10.0 * joint, "joint_offset": offset if seen else None, "night_id": night_id(night),
        "time_utc": started_utc(night),
    }  # fmt: skip


def _refused_motion(run: Drawn) -> dict[str, Any]:
    return {
        "arm": ARM, "run_stem": run.stem, "rule": "joint_limit", "message": f"j4 = -{92 + run.number} deg",
        "numbers": {"found_deg": -92.0 - run.number}, "asked": {"joints_deg": [0, 0, 0, 0, -92, 0]},
        "night_id": night_id(run.night), "time_utc": run.started_utc,
    }  # fmt: skip


def _draw_pictures(folder: Path, run: Drawn) -> None:
    """Keep a picture before and one after: a box from above, and a block where it came to lie."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, shown in (("1-held", None), ("2-placed", run.offset_mm)):
        picture = np.full((360, 480, 3), 206, np.uint8)
        cv2.rectangle(picture, (100, 40), (380, 320), (120, 140, 150), 10)
        if shown is not None:
            x, y = 240 + round(2 * shown[0]), 180 - round(2 * shown[1])
            cv2.rectangle(picture, (x - 30, y - 30), (x + 30, y + 30), (60, 90, 190), -1)
        cv2.putText(picture, f"{run.number} {name}", (8, 24), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (40, 40, 40), 1)
        cv2.imwrite(str(folder / f"{name}.jpg"), picture)
