"""The robot: its file, its chain and body, where its flange, tool tip and links are."""

from lib.robot.capsules import GRIPPER, Capsules, link_capsules, shape_of
from lib.robot.kinematics import flange_poses, link_frames, outside_limits, tip_points, tips_in_flange
from lib.robot.robot import Joint, Robot
from lib.robot.robot_file import PACKAGED, load_robot
from lib.robot.shape import Gripper, LinkShape, Shape

__all__ = [
    "GRIPPER",
    "PACKAGED",
    "Capsules",
    "Gripper",
    "Joint",
    "LinkShape",
    "Robot",
    "Shape",
    "flange_poses",
    "link_capsules",
    "link_frames",
    "load_robot",
    "outside_limits",
    "shape_of",
    "tip_points",
    "tips_in_flange",
]
