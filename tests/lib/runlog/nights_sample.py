"""Two nights of a batch, small enough to count by hand."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

from lib.runlog import RunLog

FIRST_NIGHT = datetime(2026, 3, 1, 21, 0, tzinfo=UTC)
SECOND_NIGHT = datetime(2026, 3, 2, 21, 0, tzinfo=UTC)
CELL = "place_x-180_z200"

# night, number, state, place, distance [mm], warmest servo [degrees C]
RUNS = (
    ("n1", 1, "finished", "yes", 8.0, 41.0),
    ("n1", 2, "finished", "yes", 6.0, 43.0),
    ("n1", 3, "finished", "no", 90.0, 52.0),
    ("n1", 4, "refused", None, None, 44.0),
    ("n2", 1, "finished", "yes", 3.0, 40.0),
    ("n2", 2, "finished", "yes", 2.0, 44.9),
    ("n2", 3, "unknown", None, None, 53.0),
    ("n2", 4, "unfinished", None, None, 41.0),
)


def write_nights(data_dir: Path) -> Path:
    """Record the two nights and return the data folder."""
    log = RunLog(data_dir)
    for night_id, start in (("n1", FIRST_NIGHT), ("n2", SECOND_NIGHT)):
        log.append(
            "night", night_id=night_id, arm="a", local_date=start.date(), sequence=1, started_utc=start
        )
        version = 1 if night_id == "n1" else 2
        log.append(
            "homing", homing_id=f"h-{night_id}", robot="mecharm270", state="finished", started_utc=start
        )
        offset = 0.25 if night_id == "n1" else 0.75
        log.append(
            "homing_joint",
            homing_id=f"h-{night_id}",
            variable="j0",
            value=10 + offset,
            unit="deg",
            encoder=10.0,
            joint_offset=offset,
            confidence="high",
            std=0.01,
        )
        for night, number, state, place, distance_mm, warmest_c in RUNS:
            if night == night_id:
                _run(log, night_id, start, number, state, place, distance_mm, version, warmest_c)
        for revision, (x_mm, reason) in enumerate(
            [(1.0, "learned"), (4.0, "outlier (99 against 16): not used")]
        ):
            step = 10 * version
            log.append(
                "memory_cell",
                memory_cell=CELL,
                revision=step + revision,
                bias_x_mm=x_mm * version,
                bias_y_mm=0.0,
                bias_z_mm=0.0,
                sigma_x_mm=0.5,
                sigma_y_mm=0.5,
                sigma_z_mm=0.5,
                placements=step,
                outliers=0,
                reason=reason,
                night_id=night_id,
            )
    log.append("gate_refusal", arm="a", rule="joint_limit", message="j1 = 130 deg", time_utc=FIRST_NIGHT)
    log.append("gate_refusal", arm="a", rule="joint_limit", message="j1 = 131 deg", time_utc=SECOND_NIGHT)
    return data_dir


def _run(
    log: RunLog,
    night_id: str,
    start: datetime,
    number: int,
    state: str,
    place: str | None,
    distance_mm: float | None,
    version: int,
    warmest_c: float,
) -> None:
    stem = f"run_{number:04d}_{night_id}"
    at = start + timedelta(minutes=number)
    log.append(
        "run",
        run_stem=stem,
        run_number=number,
        state=state,
        started_utc=at,
        night_id=night_id,
        table_version=version,
        homing_id=f"h-{night_id}",
        rule="no_row_within_tolerance" if state == "refused" else None,
        reason="nearest row is 12.0 mm away" if state == "refused" else None,
    )
    log.append("arm_health", arm="a", run_stem=stem, warmest_c=warmest_c, lowest_v=7.5, time_utc=at)
    found = state != "refused"
    log.append(
        "lookup_observation",
        run_stem=stem,
        tag="stage8",
        aim_x_m=-0.17,
        aim_z_m=0.19,
        fk_row=7 if found else None,
        xz_distance_m=0.005 if found else None,
        binding_filter="j0_lock",
        night_id=night_id,
    )
    if place is not None and distance_mm is not None:
        log.append(
            "place",
            run_stem=stem,
            place=place,
            in_box_dist_mm=distance_mm,
            memory_cell=CELL,
            night_id=night_id,
            fk_row=7,
            pose_id="fk_row_7",
            refined=number == 1,
            target_x_m=-0.17,
            target_z_m=0.19,
            seen_x_m=-0.17 + distance_mm / 1e3,
            seen_z_m=0.19,
            spacing_x_m=0.003,
            spacing_z_m=0.004,
            reality_x_m=distance_mm / 1e3 - 0.003,
            reality_z_m=-0.004,
            camera_sigma_m=0.001,
        )
