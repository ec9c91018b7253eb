"""The cell in MuJoCo: the arm from its robot file, the gripper, and the things around it."""

from lib.cell.world.arm_model import SERVO, add_chain
from lib.cell.world.gripper_model import FINGERS
from lib.cell.world.scene import SCENES, Drawn, Scene, build_scene

__all__ = ["FINGERS", "SCENES", "SERVO", "Drawn", "Scene", "add_chain", "build_scene"]
