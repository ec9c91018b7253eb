"""The arm: the driver over pymycobot, the safety gate, the emulated firmware."""

from lib.arm.path_check import GateContext, Verdict, check_path, gate_context

__all__ = [
    "GateContext",
    "Verdict",
    "check_path",
    "gate_context",
]
