"""What holds since the arm's last power-on: where it was found, whether it was homed, what was approved last.

Kept in one small file an arm, so that the next process knows it too; a power-on that it does not know
of, or another reboot count, makes it void.
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from lib.arm.plausible import Angles

NO_OFFSETS: Angles = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
# An arm that stands this near to an approved path stands on it: sag, backlash and braking.
ON_THE_WAY_DEG = 1.5


@dataclass(frozen=True)
class SincePowerOn:
    """What is known of the arm since it was powered on."""

    reboots: int | None
    """Reboot count it was found with; None where the controller does not say."""
    found_deg: Angles
    """Its encoders where it was found [deg]."""
    homed_utc: str | None = None
    """When it was homed; None: not since."""
    offsets_deg: Angles = NO_OFFSETS
    """What homing found: true joint = encoder + offset [deg]."""
    approved_deg: tuple[Angles, Angles] | None = None
    """Start and target, true joints, of the last path that the gate let pass [deg]."""
    process: int | None = None
    """Process of an emulated arm: another one is another arm, just switched on."""

    @property
    def homed(self) -> bool:
        """Whether it was homed since its power-on."""
        return self.homed_utc is not None


def load(path: Path) -> SincePowerOn | None:
    """Return what was kept; None where nothing was, or nothing readable: then the arm is as found."""
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
        approved = kept["approved_deg"]
        return SincePowerOn(
            reboots=kept["reboots"],
            found_deg=_angles(kept["found_deg"]),
            homed_utc=kept["homed_utc"],
            offsets_deg=_angles(kept["offsets_deg"]),
            approved_deg=None if approved is None else (_angles(approved[0]), _angles(approved[1])),
            process=kept["process"],
        )
    except (OSError, ValueError, KeyError, TypeError, IndexError):
        return None


def keep(path: Path, known: SincePowerOn) -> None:
    """Keep it, whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}-{os.getpid()}")
    with beside.open("w", encoding="utf-8") as file:
        json.dump(asdict(known), file)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)


def now_utc() -> str:
    """Return the time as it is kept."""
    return datetime.now(UTC).isoformat()


def path_start(measured_deg: Angles, approved_deg: tuple[Angles, Angles] | None) -> Angles:
    """Return where the next path begins: on the approved path if the arm stands on it, else as measured.

    An arm that was sent to 5 mm above the table and sags by half a degree must be able to leave again.
    """
    if approved_deg is None:
        return measured_deg
    start, target, measured = np.array(approved_deg[0]), np.array(approved_deg[1]), np.array(measured_deg)
    way = target - start
    length = float(way @ way)
    share = min(1.0, max(0.0, float((measured - start) @ way) / length)) if length else 1.0
    nearest = start + share * way
    if np.abs(nearest - measured).max() > ON_THE_WAY_DEG:
        return measured_deg
    return _angles(nearest.tolist())


def _angles(values: object) -> Angles:
    if not isinstance(values, list) or len(values) != 6:
        raise ValueError(f"expected six angles, found {values!r}")
    return tuple(float(value) for value in values)  # type: ignore[return-value]
