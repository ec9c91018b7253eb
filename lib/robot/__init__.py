"""The robot: its file, its chain, body and markers, where its flange, tool tip and links are."""

from lib.robot.capsules import GRIPPER, Capsules, link_capsules, shape_of
from lib.robot.kinematics import flange_poses, link_frames, outside_limits, tip_points, tips_in_flange
from lib.robot.machine import (
    METHODS,
    CameraEntry,
    Link,
    Machine,
    Marker,
    PoseEstimation,
    TreeJoint,
    Variable,
)
from lib.robot.machine_file import PACKAGED_MACHINES, load_machine
from lib.robot.machine_kinematics import (
    Tree,
    TreeFrames,
    cross,
    cross_matrices,
    origin_motions,
    point_motions,
    tree_frames,
)
from lib.robot.marker_file import dictionary_ids
from lib.robot.robot import Joint, Robot
from lib.robot.robot_file import PACKAGED, load_robot
from lib.robot.shape import Gripper, LinkShape, Shape

__all__ = [
    "GRIPPER",
    "METHODS",
    "PACKAGED",
    "PACKAGED_MACHINES",
    "CameraEntry",
    "Capsules",
    "Gripper",
    "Joint",
    "Link",
    "LinkShape",
    "Machine",
    "Marker",
    "PoseEstimation",
    "Robot",
    "Shape",
    "Tree",
    "TreeFrames",
    "TreeJoint",
    "Variable",
    "cross",
    "cross_matrices",
    "dictionary_ids",
    "flange_poses",
    "link_capsules",
    "link_frames",
    "load_machine",
    "load_robot",
    "origin_motions",
    "outside_limits",
    "point_motions",
    "shape_of",
    "tip_points",
    "tips_in_flange",
    "tree_frames",
]
