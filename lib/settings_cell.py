"""What a user may set about the simulated cell: what stands where, and what is wrong with it."""

from __future__ import annotations

from dataclasses import dataclass, field

from lib.settings_reading import Range, setting

Place = tuple[float, float, float]


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
    pixel_noise_px: float = setting("Standard deviation of a detected marker corner [px].", 0.3)
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
    box_centre_m: Range = setting("Centre (x, z) of the PLACE box [m].", (-0.170, 0.190))
    box_outer_m: Range = setting("Outer size (x, z) of the PLACE box [m].", (0.140, 0.140))
    box_height_m: float = setting("Top of the box's walls [m].", 0.055)
    box_wall_m: float = setting("Thickness of the box's walls [m].", 0.004)
    box_floor_m: float = setting("Top of the padded floor inside the box [m].", 0.040)
    cup_height_m: float = setting("Height of the cup [m].", 0.090)
    cup_radius_m: float = setting("Radius of the cup [m].", 0.017)
    cup_mass_kg: float = setting("Mass of the cup [kg].", 0.060)
    cup_grip_m: float = setting("Height above its bottom at which the cup is gripped [m].", 0.028)
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
    errors: CellErrors = field(default_factory=CellErrors)
    camera1: CellCamera = _camera((-0.55, 0.45, 0.62), (0.0, 0.10, 0.15), (-0.55, 0.62))
    camera2: CellCamera = _camera((0.55, 0.45, 0.62), (0.0, 0.10, 0.15), (0.55, 0.62))
    camera3: CellCamera = _camera((0.0, 0.90, 0.20), (0.0, 0.05, 0.19), (0.0, 0.68))
    camera4: CellCamera = _camera((0.50, 0.55, -0.40), (0.0, 0.10, 0.12), (0.50, -0.40))
