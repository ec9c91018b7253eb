"""Filming the cell: its cameras placed, its solids drawn from back to front."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

import cv2
import mujoco
import numpy as np
from numpy.typing import NDArray

from lib.cell.camera.backdrop import backdrop, table_top
from lib.cell.camera.canvas import Canvas
from lib.cell.camera.eye import Array, Eye, looking
from lib.cell.camera.order import Paintable, back_to_front
from lib.cell.camera.plate import Plates, Sheet, sheets
from lib.cell.camera.sensor import Sensor
from lib.cell.camera.shadow import cast_shadows
from lib.cell.camera.sighting import sightings
from lib.cell.camera.solid import Solid
from lib.cell.camera.subjects import POST, Subjects
from lib.cell.flaws import stream
from lib.cell.floor_plan import layout
from lib.errors import BadInput, one_of
from lib.robot import Machine
from lib.settings_cell import Cell as CellSettings
from lib.settings_cell import CellErrors

Picture = NDArray[np.uint8]
Upon = tuple[tuple[str, ...], ...]


class Film:
    """The cameras of one cell."""

    def __init__(
        self, machine: Machine, settings: CellSettings, axes: Array, seed: int, errors: CellErrors
    ) -> None:
        self._machine = machine
        self._settings, self._errors, self._axes = settings, errors, axes
        self.eyes = {eye.name: eye for eye in placed_eyes(machine, settings, axes, seed, errors)}
        self._random = stream(seed, "pixels")
        self._sensors: dict[tuple[int, int], Sensor] = {}
        self._backdrops: dict[tuple[str, bool], Picture] = {}
        self._subjects: tuple[mujoco.MjModel, Subjects] | None = None

    def frame(self, model: mujoco.MjModel, data: mujoco.MjData, camera: str, colour: bool) -> Picture:
        """Return what a camera sees now: (height, width), or (height, width, 3) in blue, green, red."""
        eye, subjects = self.eye(camera), self.subjects(model)
        solids = subjects.solids(data)
        posts = [solid for solid in solids if solid.name.startswith(POST)]
        canvas = Canvas(self._backdrop(eye, colour, posts, subjects.board).copy())
        if self._errors.pixel_noise_px > 0:
            self._lay(canvas, eye, subjects.board)
        cast_shadows(canvas, eye, [solid for solid in solids if not solid.name.startswith(POST)])
        for thing in self._in_order(eye, solids, subjects.plates(data), subjects.upon):
            thing.draw(canvas, eye)
        if eye.size_px not in self._sensors:
            noise_grey = self._settings.camera_noise_grey
            self._sensors[eye.size_px] = Sensor(eye.size_px, noise_grey, self._random)
        return self._sensors[eye.size_px].shown(
            canvas.picture, self._settings.camera_exposure, self._settings.camera_blur_px
        )

    def eye(self, camera: str) -> Eye:
        """Return where a camera really is; raises BadInput for a name that is not there."""
        if camera not in self.eyes:
            raise BadInput(
                f'no camera "{camera}"; expected {one_of(list(self.eyes)) or "cameras in the robot file"}'
            )
        return self.eyes[camera]

    def bump(self, camera: str, shift_m: Array, turn_deg: Array) -> None:
        """Push a camera: a shift (3,) along the twin's axes, a turn (3,) about the camera's own."""
        eye = self.eye(camera)
        turn = np.asarray(cv2.Rodrigues(np.radians(turn_deg))[0], dtype=np.float64)
        self.eyes[camera] = replace(
            eye, rotation=turn @ eye.rotation, place_m=eye.place_m + self._axes.T @ shift_m
        )
        for colour in (False, True):
            self._backdrops.pop((camera, colour), None)

    def subjects(self, model: mujoco.MjModel) -> Subjects:
        """Return what there is to film in a model."""
        if self._subjects is None or self._subjects[0] is not model:
            self._subjects = (model, Subjects(model, self._machine, self._settings, self._axes))
        return self._subjects[1]

    def _in_order(self, eye: Eye, solids: list[Solid], plates: Plates, upon: Upon) -> list[Paintable]:
        seen = sightings(eye, solids)
        things: list[Paintable] = [*seen]
        numbers = {sighting.solid.name: number for number, sighting in enumerate(seen)}
        glued = []
        for sheet, names in zip(self._sheets(eye, plates), upon, strict=True):
            if sheet is not None:
                glued += [(len(things), numbers[name]) for name in names if name in numbers]
                things.append(sheet)
        return back_to_front(eye, things, glued)

    def _lay(self, canvas: Canvas, eye: Eye, board: Plates) -> None:
        for sheet in self._sheets(eye, board):
            if sheet is not None:
                sheet.draw(canvas, eye)

    def _sheets(self, eye: Eye, plates: Plates) -> list[Sheet | None]:
        noise_px = self._errors.pixel_noise_px
        jitter = noise_px * self._random.standard_normal((len(plates), 4, 2)) if noise_px > 0 else None
        return sheets(eye, plates, jitter)

    @cached_property
    def _table(self) -> Picture:
        return table_top(self._settings, layout(self._settings), self._axes)

    def _backdrop(self, eye: Eye, colour: bool, posts: list[Solid], board: Plates) -> Picture:
        if (eye.name, colour) not in self._backdrops:
            size_x, size_z = self._settings.table_outer_m
            picture = backdrop(eye, self._table, (size_z, size_x))
            if not colour:
                picture = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
            canvas = Canvas(picture)
            if self._errors.pixel_noise_px == 0:
                self._lay(canvas, eye, board)
            cast_shadows(canvas, eye, posts)
            self._backdrops[(eye.name, colour)] = picture
        return self._backdrops[(eye.name, colour)]


def placed_eyes(
    machine: Machine, settings: CellSettings, axes: Array, seed: int, errors: CellErrors
) -> list[Eye]:
    """Return the cameras of the robot file where the cell has them, off by their seeded errors."""
    random = stream(seed, "cameras")
    eyes = []
    for camera in machine.cameras:
        if camera.name not in settings.cameras:
            raise BadInput(
                f'{machine.file}: the cell has no place for camera "{camera.name}"; '
                f"expected {one_of(list(settings.cameras))}"
            )
        drawn = settings.cameras[camera.name]
        place = axes.T @ drawn.place_m
        rotation = looking(place, axes.T @ drawn.looks_at_m)
        turn = np.radians(errors.camera_turn_deg) * random.standard_normal(3)
        shift = errors.camera_place_m * random.standard_normal(3)
        eyes.append(
            Eye(
                camera.name,
                camera.size_px,
                camera.intrinsics_px,
                camera.distortion,
                cv2.Rodrigues(turn)[0] @ rotation,
                place + shift,
            )
        )
    return eyes
