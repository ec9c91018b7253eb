"""Homing: where the arm really is, from photos by fixed cameras, and how sure that is.

machine = load_machine("rail7")
lenses = {"cam0": Lens(...), ...}
found = home(machine, lenses, views)
found.state      # {"x": 193.96, "y": 25.74, ..., "e": None}
found.movements  # each with its deviation, confidence and method
"""

from lib.homing.camera import Camera
from lib.homing.detection import Window, detect, markers_in
from lib.homing.homing import home, home_from_marker_poses
from lib.homing.lens import Lens
from lib.homing.loose_base import BASE_SLIDES
from lib.homing.marker_pose import MarkerPose
from lib.homing.marker_pose_file import marker_poses_json, read_marker_poses
from lib.homing.placing import Placing, place_cameras
from lib.homing.progress import JointFound, Progress
from lib.homing.residual_table import ResidualRow
from lib.homing.result import Homing
from lib.homing.shared_cameras import move_between
from lib.homing.sharpen import sharpened
from lib.homing.state import Movement, flat_state, largest_std, seed_of
from lib.homing.views import Views

__all__ = [
    "BASE_SLIDES",
    "Camera",
    "Homing",
    "JointFound",
    "Lens",
    "MarkerPose",
    "Movement",
    "Placing",
    "Progress",
    "ResidualRow",
    "Views",
    "Window",
    "detect",
    "flat_state",
    "home",
    "home_from_marker_poses",
    "largest_std",
    "marker_poses_json",
    "markers_in",
    "move_between",
    "place_cameras",
    "read_marker_poses",
    "seed_of",
    "sharpened",
]
