"""The one way to write a task: what it did is timed, recorded and shown, and none can forget.

    @evidence_task("merge table")
    def merge_table(settings: Settings, scan: KeptScan) -> Evidence[int]:
        result = merge_scan(settings, scan)
        return Evidence(
            result.version,
            headline=f"{result.added:,} rows added",
            metrics={"rows_added": (result.added, "rows")},
            artifacts=(Markdown("merge-report", merge_markdown(result)),),
        )

The flow that calls it gets ``value``. The run log gets a task_run row when the task starts and one
when it ends, and an observation row a metric; the Prefect UI gets the artifacts and the headline.
The log comes first: Prefect's server may be gone, or go before it wrote down what it was told.
"""

from __future__ import annotations

import inspect
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial, wraps
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar, cast
from uuid import UUID, uuid4

from prefect import Task, get_run_logger, task
from prefect.assets import materialize
from prefect.cache_policies import NO_CACHE
from prefect.context import TaskRunContext
from prefect.exceptions import TerminationSignal
from prefect.tasks import TaskRunNameCallbackWithParameters

from lib.errors import CheckFailed
from lib.runlog import run_log, tied
from lib.settings import Settings
from lib.stop import asked_to_stop, signal_name
from lib.visible import visible
from tasks.artifacts import Artifact
from tasks.live_progress import LiveProgress
from tasks.progress import PROGRESS, moving, step
from tasks.publishing import PUBLISHER

P = ParamSpec("P")
T = TypeVar("T")

Metrics = Mapping[str, tuple[float, str]]


@dataclass(frozen=True)
class Evidence(Generic[T]):
    """What a task hands back: the value for the flow, the rest for people and questions."""

    value: T
    """What the flow goes on with; None where it needs nothing: Prefect draws an arrow from a task to
    whatever is later called with its value, and takes a new object at an old address for the same."""
    headline: str
    """One line that says what was done, in the task's log."""
    metrics: Metrics = field(default_factory=dict)
    """Name to (value, unit)."""
    artifacts: tuple[Artifact, ...] = ()
    refusal: str | None = None
    """Set where a check said no, in one line: the task is then Failed, its evidence recorded all the same."""


class SaidNo(CheckFailed):
    """A task's check said no; its evidence is recorded."""


Work = Callable[Concatenate[Settings, P], Evidence[T]]


def evidence_task(
    name: str, run_name: str | None = None, asset: str | None = None
) -> Callable[[Work[P, T]], Task[Concatenate[Settings, P], T]]:
    """Make a function whose first argument is ``settings`` a Prefect task that leaves evidence.

    ``run_name`` is what the UI calls one run, such as ``"merge {scan.file}"``; by default the name.
    ``asset`` is what the task makes anew, such as ``"nightpick://table"``: Prefect keeps who made it when.
    Never cached and never retried: a side effect is done once, by whoever asked for it.
    """

    def decorate(work: Work[P, T]) -> Task[Concatenate[Settings, P], T]:
        if next(iter(inspect.signature(work).parameters), None) != "settings":
            raise TypeError(f"task {name!r}: {work.__qualname__} must take settings as its first argument")

        @wraps(work)
        def recorded(settings: Settings, *args: P.args, **kwargs: P.kwargs) -> T:
            return _Recording(name, settings).run(lambda: work(settings, *args, **kwargs))

        made = task if asset is None else partial(materialize, asset)
        as_task = made(
            name=name,
            task_run_name=_named(run_name or name),
            cache_policy=NO_CACHE,
            retries=0,
            persist_result=False,
        )
        return as_task(recorded)

    return decorate


def _named(run_name: str) -> TaskRunNameCallbackWithParameters:
    """Return what fills a run's arguments into its name."""

    def fill(parameters: dict[str, Any]) -> str:
        return visible(run_name.format(**parameters))

    return cast(TaskRunNameCallbackWithParameters, fill)  # Prefect knows it by its argument's name


class _Recording:
    """One run of one task, from its first row in the run log to its last artifact."""

    def __init__(self, name: str, settings: Settings) -> None:
        context = TaskRunContext.get()
        assert context is not None, "a task's function runs inside its Prefect task run"
        self._name = name
        self._run_name = context.task_run.name
        self._settings = settings
        self._log = run_log(settings.data_dir)
        self._id = str(uuid4())
        self._prefect_id: UUID = context.task_run.id
        self._prefect_flow_id: UUID | None = context.task_run.flow_run_id
        self._bar = LiveProgress(name, self._prefect_id, self._prefect_flow_id, get_run_logger())
        self._started_utc = datetime.now(UTC)
        self._started_s = time.perf_counter()
        self._worked_s = 0.0

    def run(self, work: Callable[[], Evidence[T]]) -> T:
        if stopped := asked_to_stop():
            raise stopped
        step(self._run_name)
        self._row(state="unfinished")
        try:
            with tied(task_run_id=self._id), moving(self._bar.at):
                evidence = work()
                self._observe(evidence.metrics)
            headline = visible(evidence.headline)
        except BaseException as error:  # also a stop: the row must not stay unfinished
            self._worked_s = time.perf_counter() - self._started_s
            cause = asked_to_stop() or error
            self._end("failed", _recorded(cause))
            PROGRESS.info("%s: %s", self._name, _told(cause))
            self._bar.left(_told(cause))
            if cause is not error:
                raise cause from error
            raise
        self._worked_s = time.perf_counter() - self._started_s
        if not evidence.refusal:  # that one is logged as the error it is raised as
            get_run_logger().info(headline)
        PROGRESS.info("%s: %s (%.1f s)", self._name, headline, self._worked_s)
        if evidence.refusal:
            self._bar.left(headline)
        else:
            self._bar.done(headline)
        self._show(evidence.artifacts)
        self._end("failed" if evidence.refusal else "finished", evidence.refusal)
        if evidence.refusal:
            raise SaidNo(visible(evidence.refusal))
        return evidence.value

    def _observe(self, metrics: Metrics) -> None:
        rows = [{"name": name, "value": value, "unit": unit} for name, (value, unit) in metrics.items()]
        self._log.append_all("observation", [{**row, "task": self._name} for row in rows])

    def _show(self, artifacts: tuple[Artifact, ...]) -> None:
        folder = self._settings.data_dir / "reports" / "artifacts"
        lost = PUBLISHER.publish(artifacts, folder, self._prefect_id, self._prefect_flow_id, get_run_logger())
        if lost:
            with tied(task_run_id=self._id):
                self._observe({"artifacts_not_shown": (lost, "artifacts")})

    def _end(self, state: str, error: str | None) -> None:
        self._row(state=state, error=error, duration_s=self._worked_s)

    def _row(self, **values: object) -> None:
        self._log.append(
            "task_run",
            task_run_id=self._id,
            prefect_task_run_id=self._prefect_id,
            prefect_flow_run_id=self._prefect_flow_id,
            task=self._name,
            run_name=self._run_name,
            started_utc=self._started_utc,
            **values,
        )


def _recorded(error: BaseException) -> str:
    said = str(error).splitlines()
    if isinstance(error, KeyboardInterrupt | TerminationSignal):
        return _told(error)
    return f"{type(error).__name__}: {said[0]}" if said else type(error).__name__


def _told(error: BaseException) -> str:
    if isinstance(error, TerminationSignal):  # a worker ends its flow's process
        return f"stopped by {signal_name(error.signal)}"
    if isinstance(error, KeyboardInterrupt):
        return str(error) or "stopped"
    return f"failed: {str(error) or type(error).__name__}"
