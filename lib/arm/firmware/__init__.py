"""The emulated firmware: a pseudo-terminal that speaks the arm's frames and moves a body."""

from lib.arm.firmware.faults import Faults
from lib.arm.firmware.serving import emulation
from lib.arm.registration import Emulated

__all__ = ["Emulated", "Faults", "emulation"]
