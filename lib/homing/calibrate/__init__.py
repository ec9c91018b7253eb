"""Calibration: a camera's lens and place, several cameras together, an arm's own axes."""

from lib.homing.calibrate.arm_calibration import ArmCalibration, Reading, calibrate_arm
from lib.homing.calibrate.board import BoardFinder, BoardSpec, BoardView
from lib.homing.calibrate.camera_calibration import CameraCalibration, FlangePhoto, calibrate_camera
from lib.homing.calibrate.hand_eye import Pose
from lib.homing.calibrate.photo_folder import calibrate_photos, place_rig_by_photos
from lib.homing.calibrate.pose_file import read_pose
from lib.homing.calibrate.reading_file import read_readings
from lib.homing.calibrate.rig_calibration import LyingPhoto, RigCalibration, place_rig
from lib.homing.calibrate.robot_calibration import RobotCalibration, calibrate_robot

__all__ = [
    "ArmCalibration",
    "BoardFinder",
    "BoardSpec",
    "BoardView",
    "CameraCalibration",
    "FlangePhoto",
    "LyingPhoto",
    "Pose",
    "Reading",
    "RigCalibration",
    "RobotCalibration",
    "calibrate_arm",
    "calibrate_camera",
    "calibrate_photos",
    "calibrate_robot",
    "place_rig",
    "place_rig_by_photos",
    "read_pose",
    "read_readings",
]
