"""Placing: which memory cell, what it has learned, how the servo aims, what the verdict is."""

from lib.place.error_split import ErrorSplit, split_error
from lib.place.memory import Measured, Memory, MemoryRules, learn, new_memory, under
from lib.place.memory_cell import CellKey, cell_named, cell_of
from lib.place.servo import Done, Look, ServoRules, Step, next_step
from lib.place.verdict import Verdict, verdict

__all__ = [
    "CellKey",
    "Done",
    "ErrorSplit",
    "Look",
    "Measured",
    "Memory",
    "MemoryRules",
    "ServoRules",
    "Step",
    "Verdict",
    "cell_named",
    "cell_of",
    "learn",
    "new_memory",
    "next_step",
    "split_error",
    "under",
    "verdict",
]
