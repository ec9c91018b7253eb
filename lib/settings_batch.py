"""What a user may set about the nightly batch: how many runs, and what ends it before that."""

from __future__ import annotations

from dataclasses import dataclass

from lib.errors import BadInput
from lib.settings_reading import Located, setting

MOST_RUNS = 10_000


@dataclass(frozen=True)
class Batch:
    """The pick-place batch of a night."""

    runs: int = setting("Pick-place runs of a night; 0 leaves the arm alone.", 6)
    window_h: float = setting(
        "A scheduled night begins no run later than this after its time; one by hand has no window [h].", 8.0
    )
    consecutive_failures: int = setting("So many runs in a row without a block in the box end the batch.", 3)
    link_failures: int = setting("So many runs of a night that lost the link to the arm end the batch.", 2)
    warmest_c: float = setting("A servo warmer than this ends the batch [deg C].", 60.0)
    least_free_gb: float = setting("Less free disk than this begins no run [GB].", 0.5)
    rehearse: bool = setting(
        "Do the first run in a simulated cell before the arm moves; where that fails, no run is begun.", False
    )
    ask_approval: bool = setting(
        "Wait for a person's word in the UI before anything moves, where a merge left a probe worse.", False
    )
    approval_wait_s: float = setting("How long to wait for that word; then no run is begun [s].", 3600.0)


def check_batch(batch: Batch, located: Located) -> None:
    """Raise BadInput naming the setting with which no batch makes sense, and what was expected."""
    for wrong, name, expected in (
        (not 0 <= batch.runs <= MOST_RUNS, "runs", f"0 to {MOST_RUNS}"),
        (not 0 < batch.window_h <= 240, "window_h", "more than 0 and at most 240 hours"),
        (batch.consecutive_failures < 1, "consecutive_failures", "1 or more"),
        (batch.link_failures < 1, "link_failures", "1 or more"),
        (not 20 <= batch.warmest_c <= 85, "warmest_c", "20 to 85 degrees Celsius"),
        (batch.least_free_gb < 0, "least_free_gb", "0 or more gigabytes"),
        (not 1 <= batch.approval_wait_s <= 86_400, "approval_wait_s", "1 to 86400 seconds"),
    ):
        if wrong:
            raise BadInput(f"{located(f'batch.{name}')} = {vars(batch)[name]!r}; expected {expected}")
