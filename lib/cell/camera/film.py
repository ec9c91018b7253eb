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
from lib.cell.camera.light import lambert
from lib.cell.camera.order import Sighting, back_to_front
from lib.cell.camera.plate import Plate, draw_plate
from lib.cell.camera.sensor import Sensor
from lib.cell.camera.shadow import cast_shadows
from lib.cell.camera.solid import Solid, bent_outline
from lib.cell.camera.subjects import Subjects
from lib.cell.flaws import stream
from lib.cell.layout import layout
from lib.errors import BadInput, one_of
from lib.robot import Machine
from lib.settings_cell import Cell as CellSettings
from lib.settings_cell import CellErrors

Picture = NDArray[np.uint8]

# Nothing flatter or smaller than this shows.
_SMALLEST_PX = 1.0


class Film:
    """The cameras of one cell."""

    def __init__(
        self, machine: Machine, settings: CellSettings, axes: Array, seed: int, errors: CellErrors
    ) -> None:
        self._machine = machine
        self._settings, self._errors, self._axes = settings, errors, axes
        self.eyes = {eye.name: eye for eye in placed_eyes(machine, settings, axes, seed, errors)}
        self._random = stream(seed, "pixels")
        self._sensors: dict[str, Sensor] = {}
        self._backdrops: dict[tuple[str, bool], Picture] = {}
        self._subjects: tuple[mujoco.MjModel, Subjects] | None = None

    def frame(self, model: mujoco.MjModel, data: mujoco.MjData, camera: str, colour: bool) -> Picture:
        """Return what a camera sees now: (height, width), or (height, width, 3) in blue, green, red."""
        eye = self.eye(camera)
        solids = self.subjects(model).solids(data)
        canvas = Canvas(self._backdrop(eye, colour).copy())
        if self._errors.pixel_noise_px > 0:
            self._draw_plates(canvas, eye, self.subjects(model).board)
        cast_shadows(canvas, eye, solids)
        self._draw_solids(canvas, eye, solids)
        if camera not in self._sensors:
            self._sensors[camera] = Sensor(eye.size_px, self._settings.camera_noise_grey, self._random)
        return self._sensors[camera].shown(
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
            self._subjects = (model, Subjects(model, self._machine, self._settings))
        return self._subjects[1]

    def _draw_solids(self, canvas: Canvas, eye: Eye, solids: list[Solid]) -> None:
        sightings = []
        for solid in solids:
            rays = solid.outline(eye)
            if rays is not None and self._in_picture(eye, rays):
                middle = rays.mean(axis=0)
                direction = np.array([[*middle, 1.0]])
                direction /= np.linalg.norm(direction)
                sightings.append(Sighting(solid, rays, float(solid.depths(eye, direction)[0])))
        for sighting in back_to_front(eye, sightings):
            sighting.solid.draw(canvas, eye, bent_outline(eye, sighting.rays))
            self._draw_plates(canvas, eye, sighting.solid.plates)

    def _draw_plates(self, canvas: Canvas, eye: Eye, plates: list[Plate]) -> None:
        noise_px = self._errors.pixel_noise_px
        for plate in plates:
            jitter = noise_px * self._random.standard_normal((4, 2)) if noise_px > 0 else None
            draw_plate(canvas, eye, plate, float(lambert(plate.normal)), jitter)

    def _in_picture(self, eye: Eye, rays: Array) -> bool:
        pixels = rays * eye.intrinsics_px[:2] + eye.intrinsics_px[2:]
        low, high = pixels.min(axis=0), pixels.max(axis=0)
        return bool((high > 0).all() and (low < eye.size_px).all() and (high - low).min() > _SMALLEST_PX)

    @cached_property
    def _table(self) -> Picture:
        return table_top(self._settings, layout(self._settings), self._axes)

    def _backdrop(self, eye: Eye, colour: bool) -> Picture:
        if (eye.name, colour) not in self._backdrops:
            size_x, size_z = self._settings.table_outer_m
            picture = backdrop(eye, self._table, (size_z, size_x))
            if not colour:
                picture = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
            assert self._subjects is not None
            if self._errors.pixel_noise_px == 0:
                self._draw_plates(Canvas(picture), eye, self._subjects[1].board)
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
