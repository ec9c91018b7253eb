"""Artifacts on their way to the Prefect server, which may be gone: then the work goes on without them."""

from __future__ import annotations

import logging
import time
from pathlib import Path
from uuid import UUID

from prefect.client.orchestration import SyncPrefectClient, get_client
from prefect.client.schemas.actions import ArtifactCreate
from prefect.settings import PREFECT_API_URL

from tasks.artifacts import Artifact, shown

ANSWER_LIMIT_S = 5.0
# After a failure the server is left alone for this long, so an outage costs a night seconds in all.
PAUSE_S = 30.0

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
            request = ArtifactCreate(
                key=artifact.key,
                type=view.type,
                description=view.description,
                data=view.data,
                task_run_id=task_run_id,
                flow_run_id=flow_run_id,
            )
            lost += not self._send(request, logger)
        return lost

    def _send(self, request: ArtifactCreate, logger: Logger) -> bool:
        if time.monotonic() < self._silent_until_s:
            return False
        try:
            self._client().create_artifact(request)
        except Exception as error:  # whatever a server or a network can do: the work is done, keep it
            self._silent_until_s = time.monotonic() + PAUSE_S
            logger.warning(
                "Prefect does not take the artifact %s (%s: %s); the run log has its figures, and the next "
                "try is in %.0f s",
                request.key,
                type(error).__name__,
                error,
                PAUSE_S,
            )
            return False
        return True

    def _client(self) -> SyncPrefectClient:
        # Making a client reads certificates and settings, 0.2 s: one serves the whole process.
        url = PREFECT_API_URL.value()
        if url not in self._clients:
            client = get_client(sync_client=True, httpx_settings={"timeout": ANSWER_LIMIT_S})
            self._clients[url] = client.__enter__()
        return self._clients[url]


PUBLISHER = Publisher()
