"""The one-shot diagnosis: block and box measured on photos, and where to aim next; nothing moves."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from lib.errors import BadInput, CheckFailed
from lib.homing.session import photos_in
from lib.place.sight import BOX, Picture, Sight, Spread, Watch, look, things
from lib.robot import load_machine, load_robot
from lib.runlog import connect, sql_text
from lib.settings import Settings

Point = tuple[float, float]


@dataclass(frozen=True)
class Diagnosis:
    """What photos say of a block and the box."""

    block: Sight
    """Of the blocks seen the one nearest to the box."""
    box: Sight
    aim_m: Point
    """The aim it was placed by, x and z [m]."""
    aim_from: str
    """Where that is known from."""

    @property
    def difference_m(self) -> Point:
        """Box less block, x and z [m]."""
        return self.box.place_m[0] - self.block.place_m[0], self.box.place_m[2] - self.block.place_m[2]

    @property
    def new_aim_m(self) -> Point:
        """The old aim plus the difference [m]."""
        (x, z), (dx, dz) = self.aim_m, self.difference_m
        return x + dx, z + dz

    def as_json(self) -> dict[str, object]:
        """Return what `nightpick lookup place --from-images --json` adds to the answer."""
        return {
            "block": _sight_json(self.block),
            "box": _sight_json(self.box),
            "difference_m": list(self.difference_m),
            "old_aim_m": list(self.aim_m),
            "old_aim_from": self.aim_from,
            "new_aim_m": list(self.new_aim_m),
        }

    def text(self) -> str:
        """Return the same for a person."""
        (dx, dz), (x, z), (nx, nz) = self.difference_m, self.aim_m, self.new_aim_m
        lines = [
            _sight_text(self.block),
            _sight_text(self.box),
            f"box less block: x {dx * 1e3:+.1f}, z {dz * 1e3:+.1f}, {math.hypot(dx, dz) * 1e3:.1f} mm",
            f"old aim x {x:+.4f}, z {z:+.4f} m ({self.aim_from}); new aim x {nx:+.4f}, z {nz:+.4f} m",
        ]
        return "\n".join(lines)


def diagnose(settings: Settings, folder: Path, aim_m: Point | None) -> Diagnosis:
    """Measure block and box on the photos of a folder, one a camera.

    ``aim_m`` is the aim that the block was placed by; None: that of the latest placement in the run log, or
    the box's centre where there is none. Raises BadInput for photos that cannot be used, Refused where no
    camera can be placed, CheckFailed where block or box is not seen.
    """
    robot = load_robot(settings.robot)
    if robot is None:
        raise BadInput('robot = "none": its file names cameras and board; set robot to one')
    machine = load_machine(settings.robot)
    watch = Watch(machine, _Photos(photos_in(machine, folder).images), settings.homing.board_limit_px)
    known = things(settings.cell, robot.twin_axes, machine.dictionary)
    seen = look(watch, known, list(known), robot.twin_axes, Spread(), images=1).sights
    box, blocks = seen.get(BOX), [sight for name, sight in seen.items() if name != BOX]
    if box is None or not blocks:
        missing = "the box" if box is None else "a block"
        raise CheckFailed(f"{folder}: {missing} is not seen on the photos; expected markers of both")
    block = min(blocks, key=lambda each: float(np.linalg.norm(np.subtract(each.place_m, box.place_m))))
    if aim_m is not None:
        return Diagnosis(block, box, aim_m, "as given")
    with connect(settings.data_dir) as con:
        latest = con.execute(sql_text("resume/latest_aim")).fetchone()
    if latest is None:
        return Diagnosis(block, box, box.x_z_m, "the box's centre, no placement is recorded")
    run_stem, x, z = latest
    return Diagnosis(block, box, (float(x), float(z)), str(run_stem))


class _Photos:
    """Pictures that were taken already."""

    def __init__(self, images: Mapping[str, Picture]) -> None:
        self._images = images

    def cameras(self) -> list[str]:
        return list(self._images)

    def frame(self, camera: str, colour: bool = False) -> Picture:
        return self._images[camera]


def _sight_json(sight: Sight) -> dict[str, object]:
    return {
        "name": sight.name,
        "place_m": list(sight.place_m),
        "sigma_m": list(sight.sigma_m),
        "turn_deg": sight.turn_deg,
        "confidence": sight.confidence,
        "method": sight.method,
        "cameras": list(sight.cameras),
    }


def _sight_text(sight: Sight) -> str:
    x, y, z = sight.place_m
    return (
        f"{sight.name}: x {x:+.4f}, y {y:+.4f}, z {z:+.4f} m, within {max(sight.sigma_m) * 1e3:.1f} mm, "
        f"confidence {sight.confidence:.2f}, by {', '.join(sight.cameras)}"
    )
