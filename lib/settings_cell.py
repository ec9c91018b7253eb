"""What a user may set about the simulated cell: what stands where, and what is wrong with it."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any

from lib.errors import BadInput, one_of
from lib.settings_reading import Located, Range, setting

Place = tuple[float, float, float]

SCENES = ("batch", "motion", "empty")
"""What can stand in the cell."""

_LARGEST_M = 5.0
_ABOVE_ZERO = ("_mass_kg", "_size_m", "_radius_m", "_height_m", "_travel_s", "_exposure", "_marker_m")


@dataclass(frozen=True)
class CellErrors:
    """How far the simulated cell is from its drawing; each error is off at 0."""

    joint_offset_deg: float = setting(
        "Largest offset of a joint's encoder, drawn anew for each joint and seed [deg].", 1.0
    )
    backlash_deg: float = setting("Play of each joint: it stops short of where it is driven [deg].", 0.3)
    sag_deg: float = setting("Largest sag of a joint under the arm's weight [deg].", 0.5)
    repeatability_m: float = setting("Standard deviation of the tool tip from move to move [m].", 0.0007)
    twin_shift_m: Range = setting("Shift of the real arm against its twin, from and to [m].", (0.002, 0.006))
    camera_place_m: float = setting("Standard deviation of a camera's place along each axis [m].", 0.001)
    camera_turn_deg: float = setting("Standard deviation of a camera's turn about each axis [deg].", 0.1)
    pixel_noise_px: float = setting(
        "Standard deviation by which each marker corner lies off in each picture [px].", 0.3
    )
    grip_spread_share: float = setting("Standard deviation of the grip's strength, of its full force.", 0.1)
    block_spread_m: float = setting("Standard deviation of a block's size [m].", 0.0005)


@dataclass(frozen=True)
class CellCamera:
    """One simulated camera: where it is, where it looks, where its post stands."""

    place_m: Place = setting("Place of the camera (x, y, z) [m].", (0.0, 0.0, 0.0))
    looks_at_m: Place = setting("The point in the middle of its picture (x, y, z) [m].", (0.0, 0.0, 0.0))
    post_m: Range = setting("Foot of its post (x, z) [m].", (0.0, 0.0))


def _camera(place_m: Place, looks_at_m: Place, post_m: Range) -> CellCamera:
    return field(default_factory=lambda: CellCamera(place_m, looks_at_m, post_m))


@dataclass(frozen=True)
class Cell:
    """The simulated cell."""

    seed: int = setting("Seed of everything random in the simulated cell.", 0)
    scene: str = setting(
        'What stands in the emulated arm\'s cell: "batch" (blocks, box), "motion" (cup, stand) or "empty".',
        "batch",
    )
    time_scale: float = setting(
        "Clock factor of the emulated arm: 1 is real time, up to 50 runs that many times faster.", 1.0
    )
    table_outer_m: Range = setting("Size of the table top (x, z), its middle at the base [m].", (1.6, 1.6))
    table_margin_m: float = setting("Distance every link and the gripper keep from the table [m].", 0.005)
    pick_area_x_m: Range = setting("PICK area, x [m].", (0.10, 0.18))
    pick_area_z_m: Range = setting("PICK area, z [m].", (0.15, 0.24))
    blocks: int = setting("How many blocks lie in the PICK area.", 3)
    block_size_m: float = setting("Edge of a block [m].", 0.030)
    block_mass_kg: float = setting("Mass of a block [kg].", 0.020)
    block_turn_deg: float = setting("Standard deviation of a block's turn from facing the arm [deg].", 5.0)
    block_gap_m: float = setting("Smallest distance between two blocks' middles [m].", 0.050)
    block_marker_m: float = setting("Side of the marker on each face of a block [m].", 0.020)
    block_marker_first: int = setting("Id of the first block's first marker; six a block follow.", 100)
    box_centre_m: Range = setting("Centre (x, z) of the PLACE box [m].", (-0.170, 0.190))
    box_outer_m: Range = setting("Outer size (x, z) of the PLACE box [m].", (0.140, 0.140))
    box_height_m: float = setting("Top of the box's walls [m].", 0.055)
    box_wall_m: float = setting("Thickness of the box's walls [m].", 0.004)
    box_floor_m: float = setting("Top of the padded floor inside the box [m].", 0.040)
    box_marker_m: float = setting("Side of the markers on the box's walls [m].", 0.036)
    box_floor_marker_m: float = setting("Side of the markers in the corners of the box's floor [m].", 0.022)
    box_marker_first: int = setting("Id of the box's first marker: four walls, then four corners.", 90)
    cup_height_m: float = setting("Height of the cup [m].", 0.090)
    cup_radius_m: float = setting("Radius of the cup [m].", 0.017)
    cup_mass_kg: float = setting("Mass of the cup [kg].", 0.060)
    support_centre_m: Range = setting("Centre (x, z) of what the cup starts on [m].", (-0.221, 0.254))
    support_outer_m: Range = setting("Size (x, z) of what the cup starts on [m].", (0.040, 0.040))
    support_height_m: float = setting("Top of what the cup starts on [m].", 0.055)
    stand_centre_m: Range = setting("Centre (x, z) of the stand the cup is put on [m].", (0.219, 0.236))
    stand_outer_m: Range = setting("Size (x, z) of the stand the cup is put on [m].", (0.060, 0.060))
    stand_height_m: float = setting("Top of the stand the cup is put on [m].", 0.025)
    grip_force_n: float = setting("How hard each finger of the gripper presses [N].", 6.0)
    grip_travel_s: float = setting("How long the gripper takes from open to closed [s].", 0.6)
    encoder_step_deg: float = setting("Resolution of the joints' encoders; 0: exact [deg].", 0.0879)
    column_radius_m: float = setting("Radius of the robot's base and shoulder [m].", 0.042)
    column_height_m: float = setting("Top of the robot's shoulder [m].", 0.170)
    post_outer_m: Range = setting("Size (x, z) of a camera's post [m].", (0.030, 0.030))
    camera_exposure: float = setting("How bright the pictures are; 1: as the light is.", 1.0)
    camera_blur_px: float = setting("Blur of the lenses, standard deviation [px].", 0.6)
    camera_noise_grey: float = setting("Noise of the sensors, standard deviation [grey levels of 255].", 2.0)
    errors: CellErrors = field(default_factory=CellErrors)
    camera_left: CellCamera = _camera((-0.55, 0.45, 0.62), (0.0, 0.10, 0.15), (-0.55, 0.62))
    camera_right: CellCamera = _camera((0.55, 0.45, 0.62), (0.0, 0.10, 0.15), (0.55, 0.62))
    camera_above: CellCamera = _camera((0.0, 0.90, 0.20), (0.0, 0.05, 0.19), (0.0, 0.68))
    camera_back: CellCamera = _camera((0.50, 0.55, -0.40), (0.0, 0.10, 0.12), (0.50, -0.40))

    @property
    def cameras(self) -> dict[str, CellCamera]:
        """The cameras by the names they have in the robot file."""
        return {
            "left": self.camera_left,
            "right": self.camera_right,
            "above": self.camera_above,
            "back": self.camera_back,
        }


def check_cell(cell: Cell, located: Located) -> None:
    """Raise BadInput naming the setting where the cell cannot be built."""
    groups: dict[str, Any] = {"cell": cell, "cell.errors": cell.errors}
    groups |= {f"cell.camera_{name}": camera for name, camera in cell.cameras.items()}
    for prefix, group in groups.items():
        for f in fields(group):
            _check_setting(f"{located(f'{prefix}.{f.name}')}", f.name, getattr(group, f.name))
    inside_m = min(cell.box_outer_m) - 2 * cell.box_wall_m
    for wrong, where, expected in (
        (cell.box_floor_m >= cell.box_height_m, "cell.box_floor_m", "a floor below cell.box_height_m"),
        (inside_m <= cell.block_size_m, _too_large(cell), "room for a block inside the box"),
        (not 1 <= cell.blocks <= 12, "cell.blocks", "1 to 12"),
        (cell.block_marker_m > cell.block_size_m, "cell.block_marker_m", "no more than a block's edge"),
        (not 0 < cell.time_scale <= 50, "cell.time_scale", "more than 0, at most 50"),
        (cell.scene not in SCENES, "cell.scene", one_of(SCENES)),
    ):
        if wrong:
            value = getattr(cell, where.removeprefix("cell."))
            raise BadInput(f"{located(where)} = {value!r}; expected {expected}")


def _too_large(cell: Cell) -> str:
    """Name the setting for which a block does not fit: the block's size if it was set, else the walls'."""
    return "cell.box_wall_m" if cell.block_size_m == Cell().block_size_m else "cell.block_size_m"


def _check_setting(where: str, name: str, value: Any) -> None:
    if isinstance(value, tuple) and max(map(abs, value)) > _LARGEST_M:
        raise BadInput(f"{where} = {value!r}; expected metres, this looks like millimetres")
    if name.endswith("outer_m") and min(value) <= 0:
        raise BadInput(f"{where} = {value!r}; expected sizes above zero")
    if name == "twin_shift_m" and not 0 <= value[0] <= value[1]:
        raise BadInput(f"{where} = {value!r}; expected a lower and a higher bound")
    if isinstance(value, int | float) and value < 0:
        raise BadInput(f"{where} = {value!r}; expected zero or more")
    if name.endswith(_ABOVE_ZERO) and isinstance(value, float) and value == 0:
        raise BadInput(f"{where} = {value!r}; expected more than zero")
