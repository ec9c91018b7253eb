"""Camera against encoder, joint by joint: true = encoder + offset."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from lib.homing.state import Movement
from lib.runlog import connect, sql_text


@dataclass(frozen=True)
class JointOffset:
    """One joint's."""

    variable: str
    encoder_deg: float
    camera_deg: float | None
    """None where the cameras do not see the joint surely enough."""
    std_deg: float | None
    offset_deg: float | None
    last_offset_deg: float | None
    """Of the last homing that found one; None where there is none."""
    jump_limit_deg: float

    @property
    def jump_deg(self) -> float | None:
        """How far the offset went since the last homing; None where either is unknown."""
        if self.offset_deg is None or self.last_offset_deg is None:
            return None
        return self.offset_deg - self.last_offset_deg

    @property
    def alarm(self) -> str | None:
        """Say what jumped, None where nothing did."""
        if self.jump_deg is None or abs(self.jump_deg) <= self.jump_limit_deg:
            return None
        return (
            f"{self.variable}: its offset went from {self.last_offset_deg:.2f} to {self.offset_deg:.2f} deg; "
            f"expected {self.jump_limit_deg:g} at most: did the joint slip, or was a marker moved? "
            "home again to take it as it is"
        )


def compare_offsets(
    movements: Sequence[Movement],
    encoders_deg: Sequence[float],
    last: Mapping[str, float],
    jump_limit_deg: float,
) -> tuple[JointOffset, ...]:
    """Return every joint's offset; angles are compared the short way round.

    Only variables seen with confidence high or medium have one.
    """
    found = []
    for movement, encoder in zip(movements, encoders_deg, strict=True):
        camera = movement.value if movement.sendable else None
        offset = None if camera is None else (camera - encoder + 180.0) % 360.0 - 180.0
        found.append(
            JointOffset(
                movement.name,
                float(encoder),
                camera,
                movement.std if movement.sendable else None,
                offset,
                last.get(movement.name),
                jump_limit_deg,
            )
        )
    return tuple(found)


def sendable_offsets(offsets: Sequence[JointOffset]) -> tuple[float, ...] | None:
    """Return what the arm may be told [deg]; None where any joint has no sure offset."""
    values = [offset.offset_deg for offset in offsets]
    known = tuple(value for value in values if value is not None)
    return known if known and len(known) == len(values) else None


def last_offsets(data_dir: Path, arm: str, source: str) -> dict[str, float]:
    """Return each joint's offset [deg] of an arm's last homing that found one by pictures of this source.

    A simulated cell of another seed is another arm, though it has the same name.
    """
    with connect(data_dir) as database:
        rows = database.execute(sql_text("homing/last_offsets"), [arm, source]).fetchall()
    return {str(variable): float(offset) for variable, offset in rows}
