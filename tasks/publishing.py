"""Artifacts on their way to the Prefect server, which may be gone: then the work goes on without them."""

from __future__ import annotations

import logging
import time
from pathlib import Path
from uuid import UUID

from prefect.client.orchestration import get_client
from prefect.client.schemas.actions import ArtifactCreate
from prefect.settings import PREFECT_CLIENT_MAX_RETRIES, temporary_settings

from tasks.artifacts import Artifact, shown

ANSWER_LIMIT_S = 5.0
# After a failure the server is left alone for this long, so an outage costs a night seconds in all.
PAUSE_S = 30.0


class Publisher:
    """Sends artifacts; never raises because of the server."""

    def __init__(self) -> None:
        self._silent_until = 0.0

    def publish(
        self,
        artifacts: tuple[Artifact, ...],
        folder: Path,
        task_run_id: UUID,
        flow_run_id: UUID | None,
        logger: logging.Logger | logging.LoggerAdapter[logging.Logger],
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

    def _send(
        self, request: ArtifactCreate, logger: logging.Logger | logging.LoggerAdapter[logging.Logger]
    ) -> bool:
        if time.monotonic() < self._silent_until:
            return False
        try:
            with (
                temporary_settings({PREFECT_CLIENT_MAX_RETRIES: 0}),
                get_client(sync_client=True, httpx_settings={"timeout": ANSWER_LIMIT_S}) as client,
            ):
                client.create_artifact(request)
        except Exception as error:  # whatever a server or a network can do: the work is done, keep it
            self._silent_until = time.monotonic() + PAUSE_S
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


PUBLISHER = Publisher()
