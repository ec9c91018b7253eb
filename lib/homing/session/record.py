"""A homing's rows in the run log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from lib.homing.session.offsets import JointOffset
from lib.homing.state import Movement
from lib.runlog import run_log


def record_homing(data_dir: Path, common: Mapping[str, object], **values: object) -> None:
    """Append the homing's row; the last one holds."""
    run_log(data_dir).append("homing", **common, **values)


def record_joints(
    data_dir: Path, homing_id: str, movements: Sequence[Movement], offsets: Sequence[JointOffset]
) -> None:
    """Append a row a joint; what was not seen has no value, not zero."""
    by_name = {offset.variable: offset for offset in offsets}
    rows = []
    for m in movements:
        offset = by_name.get(m.name)
        rows.append(
            {
                "homing_id": homing_id,
                "variable": m.name,
                "value": m.value,
                "unit": m.unit,
                "observable": m.observable,
                "confidence": m.confidence,
                "std": m.std,
                "n_markers": m.n_markers,
                "method": m.method,
                "encoder": None if offset is None else offset.encoder_deg,
                "joint_offset": None if offset is None else offset.offset_deg,
            }
        )
    run_log(data_dir).append_all("homing_joint", rows)
