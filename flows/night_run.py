"""One night in this process, told to whoever started it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import httpx

from flows.arm_lock import arm_name
from flows.called_as import called_as
from flows.serving.lost_runs import settle_lost_runs
from flows.serving.server import Server, is_healthy
from flows.serving.server_setup import prepare_server
from flows.serving.settle import settle
from flows.stage_lines import stage_lines
from flows.stopping import waiting_for
from flows.terminal import status
from lib.errors import NightpickError
from lib.runlog import connect, sql_text
from lib.settings import Settings
from tasks.progress import PROGRESS, present_step

# How long a stopped night waits for the server's picture of it [s]; the run log has the truth.
STOPPED_LIMIT_S = 3.0


@dataclass(frozen=True)
class NightOutcome:
    """How the last recorded night ended."""

    night_id: str
    state: str
    error: str | None
    report: Path | None
    resumed: bool = False
    """Whether it had been cut off, and was finished instead of what was asked for."""

    @property
    def ok(self) -> bool:
        """Whether no stage said no."""
        return self.state == "finished"

    def as_json(self) -> dict[str, object]:
        """Return what `night --json` prints."""
        return {
            "night_id": self.night_id,
            "state": self.state,
            "error": self.error,
            "resumed": self.resumed,
            "report": str(self.report) if self.report else None,
        }

    def text(self) -> str:
        """Return what a person reads at the end."""
        attention = "" if self.ok else f"night {self.night_id}: something needs a look, the page says what\n"
        again = f"{self.night_id} had been cut off and is done; a new one comes by the same command\n"
        return (
            f"{attention}{again if self.resumed else ''}report: {self.report}\n"
            f"`{called_as()} up` keeps server, schedules and worker running and shows this night in the UI"
        )


def run_and_tell(
    settings: Settings, server: Server, run: Callable[[], object], verb: str = "night"
) -> NightOutcome:
    """Run what is due by the flow that ``run`` calls and return how it ended.

    Where only the Prefect server went away the night itself counts: the run log has its end.
    """
    asked_utc = datetime.now(UTC)
    with status("the Prefect server starts") as say:
        server.wait_ready(lambda waited_s: say(f"{waited_s:.0f} s"))
    prepare_server(arm_name(settings))
    settle_lost_runs(settings)
    with stage_lines(), waiting_for(lambda: _what_is_left(server, verb)):
        try:
            run()
        except KeyboardInterrupt:
            if server.child is not None:
                settle(settings, STOPPED_LIMIT_S)
            raise
        except httpx.HTTPError as error:
            outcome = last_night(settings, asked_utc)
            if outcome is None or outcome.state == "unfinished":
                raise NightpickError(
                    f"the Prefect server went away ({error}); start `nightpick {verb}` again, it goes on"
                ) from error
            PROGRESS.info("the Prefect server went away; the night is whole in the run log")
    if server.child is not None and is_healthy(server.api_url):
        settle(settings)
    outcome = last_night(settings, asked_utc)
    assert outcome is not None
    return outcome


def _what_is_left(server: Server, verb: str) -> str:
    then = ", and the Prefect server ends" if server.child is not None else ""
    return f"{present_step()} is left as soon as it can be{then}; `nightpick {verb}` goes on from there"


def last_night(settings: Settings, asked_utc: datetime) -> NightOutcome | None:
    """Return the night recorded last, None where there was none; begun before ``asked_utc`` it is resumed."""
    with connect(settings.data_dir) as connection:
        row = connection.execute(sql_text("resume/last_night")).fetchone()
    if row is None:
        return None
    night_id, state, error, report, started_utc = row
    page = settings.data_dir / report if report else None
    return NightOutcome(night_id, state, error, page, resumed=started_utc < asked_utc)
