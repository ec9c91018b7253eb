"""Questions to a cell that lives in another process: its pictures, the truth, where things are put.

A question is one line of JSON with a key ``ask``. Its answer is one line of JSON, in which ``bytes``
says how many raw bytes follow: a picture's.
"""

from __future__ import annotations

import inspect
import json
import socket
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lib.cell.cell import Cell
from lib.errors import BadInput, NightpickError, Refused, one_of

Answer = tuple[Mapping[str, Any], bytes]

# A picture in colour takes a tenth of a second; an arm that steps its physics meanwhile, a little more.
TIMEOUT_S = 30.0


def answer(cell: Cell, question: Mapping[str, Any]) -> Answer:
    """Return the header and the raw bytes that answer a question; raises BadInput for one not known."""
    ask = question.get("ask")
    if not isinstance(ask, str) or ask not in _ANSWERS:
        raise BadInput(f"question {ask!r}: not known; expected {one_of(list(_ANSWERS))}")
    more = {key: value for key, value in question.items() if key != "ask"}
    try:
        asked = inspect.signature(_ANSWERS[ask]).bind(cell, **more)
    except TypeError as error:
        raise BadInput(f'question "{ask}": {error}') from error
    return _ANSWERS[ask](*asked.args, **asked.kwargs)


def _frame(cell: Cell, camera: str, colour: bool = False) -> Answer:
    picture = cell.frame(camera, colour)
    return {"shape": list(picture.shape), "time_s": cell.time_s}, picture.tobytes()


def _truth(cell: Cell) -> Answer:
    poses = {"tip": cell.tip_pose()} | {name: cell.pose(name) for name in cell.things.names}
    return {
        "scene": cell.scene,
        "time_s": cell.time_s,
        "joints_deg": cell.joints_deg().tolist(),
        "joint_offsets_deg": cell.flaws.joint_offsets_deg.tolist(),
        "gripper_value": cell.gripper_value(),
        "held": cell.held(),
        "places_m": {name: pose.place_m.tolist() for name, pose in poses.items()},
        "rotations": {name: pose.rotation.tolist() for name, pose in poses.items()},
    }, b""


def _cameras(cell: Cell) -> Answer:
    return {"cameras": list(cell.film.eyes)}, b""


def _reset(cell: Cell, scene: str | None = None) -> Answer:
    cell.reset(scene)
    return {"scene": cell.scene}, b""


def _put_block(cell: Cell, name: str, x_m: float, z_m: float, turn_deg: float = 0.0) -> Answer:
    cell.things.put_block(name, x_m, z_m, turn_deg)
    return {}, b""


def _put_box(cell: Cell, x_m: float, z_m: float, turn_deg: float = 0.0) -> Answer:
    cell.things.put_box(x_m, z_m, turn_deg)
    return {}, b""


def _put_cup(cell: Cell, x_m: float, y_m: float, z_m: float) -> Answer:
    cell.things.put_cup(x_m, y_m, z_m)
    return {}, b""


def _bump_camera(
    cell: Cell, camera: str, shift_m: tuple[float, float, float], turn_deg: tuple[float, float, float]
) -> Answer:
    cell.film.bump(camera, np.array(shift_m, dtype=np.float64), np.array(turn_deg, dtype=np.float64))
    return {}, b""


_ANSWERS: dict[str, Callable[..., Answer]] = {
    "frame": _frame,
    "truth": _truth,
    "cameras": _cameras,
    "reset": _reset,
    "put_block": _put_block,
    "put_box": _put_box,
    "put_cup": _put_cup,
    "bump_camera": _bump_camera,
}


class CellLink:
    """A cell behind a Unix socket; every call is one question. Errors of the cell are raised here."""

    def __init__(self, path: Path | str, timeout_s: float = TIMEOUT_S) -> None:
        """Connect; raises Refused where nobody listens."""
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket.settimeout(timeout_s)
        try:
            self._socket.connect(str(path))
        except OSError as error:
            self._socket.close()
            raise Refused(f"{path}: no simulated cell answers there ({error.strerror}); start one") from error
        self._lines = self._socket.makefile("rb")

    def __enter__(self) -> CellLink:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the connection."""
        self._lines.close()
        self._socket.close()

    def cameras(self) -> list[str]:
        """Return the names of the cameras."""
        return list(self._ask("cameras")[0]["cameras"])

    def frame(self, camera: str, colour: bool = False) -> NDArray[np.uint8]:
        """Return what a camera sees now: (height, width), or (height, width, 3) in blue, green, red."""
        header, raw = self._ask("frame", camera=camera, colour=colour)
        return np.frombuffer(raw, dtype=np.uint8).reshape(header["shape"]).copy()

    def truth(self) -> dict[str, Any]:
        """Return what only a simulation knows: true joints, offsets, places and rotations of things."""
        return dict(self._ask("truth")[0])

    def reset(self, scene: str | None = None) -> None:
        """Put everything where a scene starts; the arm stays as it is."""
        self._ask("reset", scene=scene)

    def put_block(self, name: str, x_m: float, z_m: float, turn_deg: float = 0.0) -> None:
        """Lay a block on the table."""
        self._ask("put_block", name=name, x_m=x_m, z_m=z_m, turn_deg=turn_deg)

    def put_box(self, x_m: float, z_m: float, turn_deg: float = 0.0) -> None:
        """Stand the PLACE box somewhere else."""
        self._ask("put_box", x_m=x_m, z_m=z_m, turn_deg=turn_deg)

    def put_cup(self, x_m: float, y_m: float, z_m: float) -> None:
        """Stand the cup upright, the middle of its bottom at (x, y, z)."""
        self._ask("put_cup", x_m=x_m, y_m=y_m, z_m=z_m)

    def bump_camera(
        self,
        camera: str,
        shift_m: tuple[float, float, float] = (0.0, 0.0, 0.0),
        turn_deg: tuple[float, float, float] = (0.0, 0.0, 0.0),
    ) -> None:
        """Push a camera: a shift along the twin's axes, a turn about the camera's own."""
        self._ask("bump_camera", camera=camera, shift_m=shift_m, turn_deg=turn_deg)

    def _ask(self, ask: str, **more: Any) -> tuple[dict[str, Any], bytes]:
        try:
            self._socket.sendall(json.dumps({"ask": ask, **more}).encode() + b"\n")
            line = self._lines.readline()
            header: dict[str, Any] = json.loads(line) if line else {}
            raw = self._lines.read(header.get("bytes", 0))
        except OSError as error:
            raise Refused(f'the simulated cell does not answer "{ask}": {error}') from error
        if not line or len(raw) != header.get("bytes", 0):
            raise Refused(f'the simulated cell ended before it answered "{ask}"; start it again')
        if "error" in header:
            raise NightpickError(f"simulated cell: {header['error']}")
        return header, raw
