"""The cell in MuJoCo: the arm from its robot file, the gripper, and the things around it."""

from lib.cell.world.arm_model import SERVO, add_chain
from lib.cell.world.gripper_model import FINGERS
from lib.cell.world.scene import Drawn, build_scene
from lib.cell.world.things_model import BOX, CUP

__all__ = ["BOX", "CUP", "FINGERS", "SERVO", "Drawn", "add_chain", "build_scene"]
