"""Where pictures of the arm come from: the simulated cell, or real cameras that are asked for one now."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from lib.cell import CellLink
from lib.errors import BadInput, Refused
from lib.robot import CameraEntry, Machine
from lib.settings import Settings

Picture = NDArray[np.uint8]

# A driver keeps some pictures back: so many are thrown away, so that the one returned is of now.
_STALE_PICTURES = 4


class Eyes(Protocol):
    """Fixed cameras."""

    def cameras(self) -> list[str]:
        """Return their names, as the robot file has them."""

    def frame(self, camera: str, colour: bool = False) -> Picture:
        """Return what one sees now: grey (height, width), or (height, width, 3) in blue, green, red."""


@contextmanager
def open_eyes(settings: Settings, machine: Machine) -> Iterator[Eyes]:
    """Open the cameras of the settings' arm for a block.

    An emulated arm's are its cell's, also where it is reached by its port; a real one's are those of
    ``homing.cameras``. Raises BadInput where these name none of the robot file's, Refused where one does
    not open.
    """
    from lib.arm import cell_behind

    cell = cell_behind(settings)
    with ExitStack() as ends:
        if cell is not None:
            yield ends.enter_context(CellLink(cell))
        else:
            eyes = LiveEyes(machine, settings.homing.cameras)
            ends.callback(eyes.close)
            yield eyes


class LiveEyes:
    """Real cameras, by their devices, numbers or addresses."""

    def __init__(self, machine: Machine, devices: Mapping[str, str]) -> None:
        """Open them; raises BadInput, Refused as ``open_eyes`` does."""
        known = {camera.name: camera for camera in machine.cameras}
        if not devices:
            raise BadInput(
                f"homing.cameras names no camera; expected a device for each of {', '.join(known)}, "
                "such as /dev/video0"
            )
        unknown = [name for name in devices if name not in known]
        if unknown:
            raise BadInput(
                f"homing.cameras.{unknown[0]}: {machine.file} has no such camera; expected {', '.join(known)}"
            )
        self._entries: dict[str, CameraEntry] = {name: known[name] for name in devices}
        self._devices = dict(devices)
        self._open: dict[str, cv2.VideoCapture] = {}
        try:
            for name, device in devices.items():
                self._open[name] = _opened(name, device)
        except Refused:
            self.close()
            raise

    def cameras(self) -> list[str]:
        """Return their names, as the robot file has them."""
        return list(self._open)

    def frame(self, camera: str, colour: bool = False) -> Picture:
        """Return what one sees now; raises Refused where it gives none, BadInput for one of another size."""
        capture = self._open[camera]
        if _is_live(self._devices[camera]):
            for _ in range(_STALE_PICTURES):
                capture.grab()
        got, picture = capture.read()
        if not got:
            raise Refused(
                f"camera {camera} ({self._devices[camera]}) gives no picture; is it still plugged in?"
            )
        height, width = picture.shape[:2]
        if (width, height) != self._entries[camera].size_px:
            wanted = " x ".join(map(str, self._entries[camera].size_px))
            raise BadInput(
                f"camera {camera} ({self._devices[camera]}) gives {width} x {height} pixels; its lens in the "
                f"robot file is for {wanted}: set the camera to that, or calibrate it anew"
            )
        return np.asarray(picture if colour else cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), dtype=np.uint8)

    def close(self) -> None:
        """Let them go."""
        for capture in self._open.values():
            capture.release()


def _opened(name: str, device: str) -> cv2.VideoCapture:
    capture = cv2.VideoCapture(int(device)) if device.isdecimal() else cv2.VideoCapture(device)
    if not capture.isOpened():
        capture.release()
        raise Refused(f"camera {name} ({device}) does not open; look at its plug, or who else uses it")
    capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
    return capture


def _is_live(device: str) -> bool:
    """Tell a camera from a film: of a film each picture counts."""
    return device.isdecimal() or device.startswith("/dev/") or "://" in device or not Path(device).suffix
