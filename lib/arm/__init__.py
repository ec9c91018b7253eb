"""The arm: the driver over pymycobot, the safety gate, the emulated firmware."""

from lib.arm.arm import Arm
from lib.arm.connect import cell_behind, connect, device_of, looking, running_cell
from lib.arm.failures import (
    ArmFailure,
    Deviated,
    ErrorReported,
    GateRefused,
    GripFailed,
    GuardianGone,
    LinkLost,
    NotBelieved,
    NotMoved,
    PowerLost,
    Rebooted,
)
from lib.arm.gripping import Gripped
from lib.arm.health import Health
from lib.arm.nearest import Nearest, nearest
from lib.arm.path_check import GateContext, Verdict, check_path, check_way, gate_context
from lib.arm.poses import Pose, check_name, pose_names, save_pose, taught_pose
from lib.arm.readings import Moved, Reading
from lib.arm.stopping import Stopped, stop_arm
from lib.arm.watching import watched

__all__ = [
    "Arm",
    "ArmFailure",
    "Deviated",
    "ErrorReported",
    "GateContext",
    "GateRefused",
    "GripFailed",
    "Gripped",
    "GuardianGone",
    "Health",
    "LinkLost",
    "Moved",
    "Nearest",
    "NotBelieved",
    "NotMoved",
    "Pose",
    "PowerLost",
    "Reading",
    "Rebooted",
    "Stopped",
    "Verdict",
    "cell_behind",
    "check_name",
    "check_path",
    "check_way",
    "connect",
    "device_of",
    "gate_context",
    "looking",
    "nearest",
    "pose_names",
    "running_cell",
    "save_pose",
    "stop_arm",
    "taught_pose",
    "watched",
]
