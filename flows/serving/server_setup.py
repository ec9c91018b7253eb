"""What our flows expect of a Prefect server: the work pool, a limit an arm, and the watch over dead runs.

Each is made where it is missing and left alone where it is right, so every start may ask for them,
also several at once: whoever is told that it is there already has what was wanted.
"""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta

from prefect.client.orchestration import SyncPrefectClient, get_client
from prefect.client.schemas.actions import GlobalConcurrencyLimitCreate, WorkPoolCreate
from prefect.client.schemas.objects import StateType
from prefect.events.actions import ChangeFlowRunState
from prefect.events.schemas.automations import AutomationCore, EventTrigger, Posture
from prefect.exceptions import ObjectAlreadyExists, ObjectNotFound, PrefectHTTPStatusError

from flows.arm_slot import limit_name

POOL = "nightpick"
ZOMBIES = "nightpick: no heartbeat for 90 s, so crashed"
# Three heartbeats of 30 s.
SILENCE = timedelta(seconds=90)


def prepare_server(arm: str) -> None:
    """Make what is missing on the server this process reports to."""
    with get_client(sync_client=True) as client:
        ensure_work_pool(client)
        ensure_arm_limit(client, arm)
        ensure_zombie_automation(client)


def ensure_work_pool(client: SyncPrefectClient) -> None:
    """Have the process work pool that prefect.yaml deploys to."""
    try:
        client.read_work_pool(POOL)
    except ObjectNotFound:
        with suppress(ObjectAlreadyExists):
            client.create_work_pool(WorkPoolCreate(name=POOL, type="process"))


def ensure_arm_limit(client: SyncPrefectClient, arm: str) -> None:
    """Have a limit of one night an arm."""
    try:
        client.read_global_concurrency_limit_by_name(limit_name(arm))
    except ObjectNotFound:
        with suppress(ObjectAlreadyExists):
            client.create_global_concurrency_limit(
                GlobalConcurrencyLimitCreate(name=limit_name(arm), limit=1)
            )


def ensure_zombie_automation(client: SyncPrefectClient) -> None:
    """Have runs whose process died end as Crashed: Prefect itself would show them as Running for ever.

    An automation's name may be taken twice, so of several made at once all but the first are removed.
    """
    if not client.read_automations_by_name(ZOMBIES):
        client.create_automation(zombie_automation())
    known = sorted(client.read_automations_by_name(ZOMBIES), key=lambda automation: automation.id)
    for other in known[1:]:
        with suppress(PrefectHTTPStatusError):  # somebody else was faster
            client.delete_automation(other.id)


def zombie_automation() -> AutomationCore:
    """Return the automation: a run that sent a heartbeat and then nothing for 90 s is Crashed."""
    return AutomationCore(
        name=ZOMBIES,
        description="A run sends a heartbeat every 30 s; one that is silent for 90 s lost its process.",
        trigger=EventTrigger(
            after={"prefect.flow-run.heartbeat"},
            expect={"prefect.flow-run.*"},
            match={"prefect.resource.id": "prefect.flow-run.*"},
            for_each={"prefect.resource.id"},
            posture=Posture.Proactive,
            threshold=1,
            within=SILENCE,
        ),
        actions=[
            ChangeFlowRunState(
                state=StateType.CRASHED,
                name="Crashed",
                message="no heartbeat for 90 s: the process is gone",
                force=False,
            )
        ],
    )
