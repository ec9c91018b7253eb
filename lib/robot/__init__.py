"""The robot: its file, its chain, where its flange and tool tip are."""

from lib.robot.kinematics import flange_poses, outside_limits, tip_points, tips_in_flange
from lib.robot.robot import Joint, Robot
from lib.robot.robot_file import PACKAGED, load_robot

__all__ = [
    "PACKAGED",
    "Joint",
    "Robot",
    "flange_poses",
    "load_robot",
    "outside_limits",
    "tip_points",
    "tips_in_flange",
]
