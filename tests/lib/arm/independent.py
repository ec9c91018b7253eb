"""Where the arm's body is and whether it touches something, computed another way than the gate does.

Homogeneous matrices from the numbers of the vendor's URDF, capsules as rows of points two millimetres
apart read from the robot's file, the cell's boxes as configured. Nothing here calls lib.robot or lib.arm.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

import lib.robot
from lib.cell import layout
from lib.settings_cell import Cell

HALF_PI = np.pi / 2
# Joint by joint: xyz [m], rpy [rad]; every axis is z.
URDF = [
    ((0, 0, 0.1), (0, 0, 0)),
    ((0, 0, 0.038), (-HALF_PI, 0, 0)),
    ((0, -0.1, 0), (0, 0, 0)),
    ((0.108, -0.005, -0.001), (0, HALF_PI, 0)),
    ((-0.001, 0, 0), (0, -HALF_PI, 0)),
    ((0.06, 0, 0), (0, HALF_PI, 0)),
]
LIMITS_DEG = np.array(
    [(-160, 160), (-75, 120), (-175, 65), (-155, 155), (-115, 115), (-180, 180)], dtype=float
)
SAFE_J4_DEG = (-90.0, 60.0)
TABLE_MARGIN_M = 0.005
TIP_M = (-0.0065936, 0.0056447, 0.0989832)
STEP_M = 0.002
# x right, y up, z forward from the vendor's x forward, y left, z up.
TWIN = np.array([[0, -1, 0, 0], [0, 0, 1, 0], [1, 0, 0, 0], [0, 0, 0, 1.0]])


def _about(axis: int, angle: np.ndarray) -> np.ndarray:
    cosine, sine = np.cos(angle), np.sin(angle)
    turn = np.zeros((*np.shape(angle), 4, 4))
    turn[..., range(4), range(4)] = 1.0
    one, two = [(1, 2), (2, 0), (0, 1)][axis]
    turn[..., one, one] = turn[..., two, two] = cosine
    turn[..., one, two], turn[..., two, one] = -sine, sine
    return turn


def frames(joints_deg: np.ndarray) -> list[np.ndarray]:
    """Return the six links' frames in the twin's axes, each (n, 4, 4)."""
    here = np.broadcast_to(TWIN, (len(joints_deg), 4, 4))
    found = []
    for number, (xyz, rpy) in enumerate(URDF):
        fixed = np.eye(4)
        fixed[:3, 3] = xyz
        turn = _about(2, np.array(rpy[2])) @ _about(1, np.array(rpy[1])) @ _about(0, np.array(rpy[0]))
        here = here @ fixed @ turn @ _about(2, np.radians(joints_deg[:, number]))
        found.append(here)
    return found


def _capsules() -> list[tuple[int, str, np.ndarray, float]]:
    """Link number, name, points (k, 4) in the link, radius of every capsule of the body and of the tool."""
    file = Path(lib.robot.__file__).parent / "robots" / "mecharm270.json"
    links = json.loads(file.read_text())["links"]
    found = []
    for number in range(6):
        entry = links[f"link{number + 1}"]
        parts = [(f"link{number + 1}", capsule) for capsule in entry["capsules"]]
        parts += [("gripper", capsule) for capsule in entry.get("gripper", {}).get("capsules", [])]
        for name, capsule in parts:
            found.append((number, name, capsule["from_mm"], capsule["to_mm"], capsule["radius_mm"]))
    fingers = links["link6"]["gripper"]["fingers"]
    tip_mm = [1000 * value for value in TIP_M]
    found.append((5, "tool", [0, 0, fingers["from_mm"]], [tip_mm[0], tip_mm[1], fingers["to_mm"]], 3))
    return [(number, name, _row(start, end), radius / 1000) for number, name, start, end, radius in found]


def _row(start_mm: list[float], end_mm: list[float]) -> np.ndarray:
    start, end = np.array(start_mm) / 1000, np.array(end_mm) / 1000
    count = 1 + max(1, int(np.ceil(np.linalg.norm(end - start) / STEP_M)))
    points = start + np.linspace(0, 1, count)[:, None] * (end - start)
    return np.column_stack([points, np.ones(count)])


CAPSULES = _capsules()


def touches(joints_deg: np.ndarray, cell: Cell | None = None) -> np.ndarray:
    """Tell for each pose (n, 6) whether some point of the body is in the table's margin or in a box."""
    boxes = layout(cell or Cell()).keep_out
    bad = np.zeros(len(joints_deg), dtype=bool)
    for start in range(0, len(joints_deg), 2000):
        rows = slice(start, start + 2000)
        placed = frames(joints_deg[rows])
        for number, name, points, radius_m in CAPSULES:
            where = (placed[number] @ points.T)[:, :3].transpose(0, 2, 1)
            bad[rows] |= (where[..., 1] - radius_m < TABLE_MARGIN_M).any(axis=1)
            for box in boxes:
                if name not in box.spares:
                    low, high = np.array(box.low_m), np.array(box.high_m)
                    out = np.maximum(np.maximum(low - where, where - high), 0.0)
                    bad[rows] |= ((out**2).sum(axis=-1) < radius_m**2).any(axis=1)
    return bad


def ranges_deg() -> tuple[np.ndarray, np.ndarray]:
    """Return the lowest and the highest value of each joint, each of shape (6,)."""
    low, high = LIMITS_DEG.T.copy()
    low[4], high[4] = max(low[4], SAFE_J4_DEG[0]), min(high[4], SAFE_J4_DEG[1])
    return low, high


def allowed(joints_deg: np.ndarray) -> np.ndarray:
    """Tell for each pose (n, 6) whether it is inside the limits and the safe range, and touches nothing."""
    inside = ((joints_deg >= LIMITS_DEG[:, 0]) & (joints_deg <= LIMITS_DEG[:, 1])).all(axis=1)
    inside &= (joints_deg[:, 4] >= SAFE_J4_DEG[0]) & (joints_deg[:, 4] <= SAFE_J4_DEG[1])
    inside[inside] = ~touches(joints_deg[inside])
    return inside
