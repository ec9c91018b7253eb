"""Placing: which memory cell, what it learned, how the servo aims, the verdict, when a batch ends."""

from lib.place.batch_end import BatchEnd, batch_end
from lib.place.bench import NO_ROWS_HELP
from lib.place.diagnosis import Diagnosis, diagnose
from lib.place.error_split import ErrorSplit, split_error
from lib.place.memory import Measured, Memory, learn, new_memory, under
from lib.place.memory_cell import CellKey, cell_named, cell_of
from lib.place.memory_store import forget, keep, load_memories
from lib.place.outcome import RunOutcome
from lib.place.rehearsal import rehearse
from lib.place.run import Placing, open_placing
from lib.place.servo import Done, Look, Step, next_step
from lib.place.verdict import Verdict, verdict

__all__ = [
    "NO_ROWS_HELP",
    "BatchEnd",
    "CellKey",
    "Diagnosis",
    "Done",
    "ErrorSplit",
    "Look",
    "Measured",
    "Memory",
    "Placing",
    "RunOutcome",
    "Step",
    "Verdict",
    "batch_end",
    "cell_named",
    "cell_of",
    "diagnose",
    "forget",
    "keep",
    "learn",
    "load_memories",
    "new_memory",
    "next_step",
    "open_placing",
    "rehearse",
    "split_error",
    "under",
    "verdict",
]
