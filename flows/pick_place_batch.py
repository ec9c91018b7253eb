"""Flow pick-place-batch: home the arm, then run after run; scans and table are left alone.

Runs when asked for; a night runs the same stages after its merges.
"""

from __future__ import annotations

from prefect import flow
from prefect.client.schemas.objects import State

from flows.recorded import recorded_flow
from flows.stop_the_arm import stop_the_arm
from flows.whole_night import run_due


@flow(
    name="pick-place-batch",
    flow_run_name="pick-place-batch",
    persist_result=False,
    on_failure=[stop_the_arm],
    on_crashed=[stop_the_arm],
    on_cancellation=[stop_the_arm],
)
def pick_place_batch(runs: int | None = None, seed: int | None = None) -> State[None]:
    """Do ``runs`` pick-place runs, or the settings' number; a night that was killed is finished first."""
    with recorded_flow("pick-place-batch") as settings:
        return run_due(settings, "batch", seed=seed, runs=runs)
