"""Artifacts on their way to the Prefect server, which may be gone: then the work goes on without them."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar
from uuid import UUID

from prefect.client.orchestration import SyncPrefectClient, get_client
from prefect.client.schemas.actions import ArtifactCreate, ArtifactUpdate
from prefect.settings import PREFECT_API_URL

from tasks.artifacts import Artifact, Shown, shown

ANSWER_LIMIT_S = 5.0
# After a failure the server is left alone for this long, so an outage costs a night seconds in all.
PAUSE_S = 30.0

T = TypeVar("T")
Logger = logging.Logger | logging.LoggerAdapter[logging.Logger]


class Publisher:
    """Sends artifacts over one connection; never raises because of the server."""

    def __init__(self) -> None:
        self._silent_until_s = 0.0
        self._clients: dict[str | None, SyncPrefectClient] = {}

    def publish(
        self,
        artifacts: tuple[Artifact, ...],
        folder: Path,
        task_run_id: UUID,
        flow_run_id: UUID | None,
        logger: Logger,
    ) -> int:
        """Send a task's artifacts and return how many failed; what is too large goes to ``folder`` whole."""
        lost = 0
        for artifact in artifacts:
            view = shown(artifact, folder / f"{artifact.key}-{task_run_id}")
            lost += self.create(artifact.key, view, task_run_id, flow_run_id, logger) is None
        return lost

    def create(
        self, key: str, view: Shown, task_run_id: UUID, flow_run_id: UUID | None, logger: Logger
    ) -> UUID | None:
        """Send one artifact and return its id, None where the server does not take it."""
        request = ArtifactCreate(
            key=key,
            type=view.type,
            description=view.description,
            data=view.data,
            task_run_id=task_run_id,
            flow_run_id=flow_run_id,
        )
        created = self._ask(lambda client: client.create_artifact(request), key, logger)
        return None if created is None else created.id

    def update(self, artifact_id: UUID, key: str, view: Shown, logger: Logger) -> None:
        """Show something else in an artifact that is there, where the server takes it."""
        change = ArtifactUpdate(data=view.data, description=view.description)
        self._ask(lambda client: client.update_artifact(artifact_id, change), key, logger)

    def _ask(self, ask: Callable[[SyncPrefectClient], T], key: str, logger: Logger) -> T | None:
        if time.monotonic() < self._silent_until_s:
            return None
        try:
            return ask(self._client())
        except Exception as error:  # whatever a server or a network can do: the work is done, keep it
            self._silent_until_s = time.monotonic() + PAUSE_S
            logger.warning(
                "Prefect does not take the artifact %s (%s: %s); the run log has its figures, and the next "
                "try is in %.0f s",
                key,
                type(error).__name__,
                error,
                PAUSE_S,
            )
            return None

    def _client(self) -> SyncPrefectClient:
        # Making a client reads certificates and settings, 0.2 s: one serves the whole process.
        url = PREFECT_API_URL.value()
        if url not in self._clients:
            client = get_client(sync_client=True, httpx_settings={"timeout": ANSWER_LIMIT_S})
            self._clients[url] = client.__enter__()
        return self._clients[url]


PUBLISHER = Publisher()
