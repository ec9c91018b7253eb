"""The Prefect settings the product sets itself, as the environment every process of it runs in.

Prefect reads its settings when it is imported: apply these first, then import. A value that is
already in the environment wins, so a lab can point everything at its own server.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import quote

from lib.settings import Settings

# For every process that runs flows.
CLIENT = {
    # Prefect's in-process server loses task rows; without an address it must fail, not start one.
    "PREFECT_SERVER_ALLOW_EPHEMERAL_MODE": "false",
    # The least Prefect allows; three missed ones make a run Crashed (see automations.py).
    "PREFECT_FLOWS_HEARTBEAT_FREQUENCY": "30",
    # Nothing is unpickled from disk.
    "PREFECT_RESULTS_DEFAULT_SERIALIZER": "json",
    "PREFECT_RESULTS_PERSIST_BY_DEFAULT": "false",
    # A side effect is done when asked for, not looked up.
    "PREFECT_TASKS_DEFAULT_NO_CACHE": "true",
    "PREFECT_LOGGING_TO_API_WHEN_MISSING_FLOW": "ignore",
    # A server that went away holds a task up for a few seconds, not for a minute.
    "PREFECT_CLIENT_MAX_RETRIES": "2",
    "PREFECT_CLI_PROMPT": "false",
    "PREFECT_TELEMETRY_ENABLE_RESOURCE_METRICS": "false",
    "PREFECT_CLOUD_ENABLE_ORCHESTRATION_TELEMETRY": "false",
    "DO_NOT_TRACK": "1",
}

# For the server alone.
SERVER = {
    "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
    "PREFECT_SERVER_UI_SHOW_PROMOTIONAL_CONTENT": "false",
    # In memory, a server restart would leak an arm's slot for good.
    "PREFECT_SERVER_CONCURRENCY_LEASE_STORAGE": "prefect.server.concurrency.lease_storage.filesystem",
    "PREFECT_SERVER_CONCURRENCY_INITIAL_DEPLOYMENT_LEASE_DURATION": "60",
    # The run log keeps everything for ever; Prefect's database is a view of the last season.
    "PREFECT_SERVER_EVENTS_RETENTION_PERIOD": "P14D",
    "PREFECT_SERVER_SERVICES_DB_VACUUM_ENABLED": "events,flow_runs",
    "PREFECT_SERVER_SERVICES_DB_VACUUM_RETENTION_PERIOD": "P90D",
}

# By which of these a lab has its server use another database.
DATABASE = tuple(
    f"PREFECT_{where}_DATABASE_{what}" for what in ("CONNECTION_URL", "DRIVER") for where in ("SERVER", "API")
)


def prefect_home(settings: Settings) -> Path:
    """Return the folder that holds Prefect's database, leases and logs."""
    return settings.data_dir / "prefect"


def for_flows(settings: Settings, api_url: str, config: Path | None) -> dict[str, str]:
    """Return the environment of a process that runs flows against the server at ``api_url``.

    Such a process reads the settings itself, perhaps in another folder: it gets the settings file
    and the settings that are paths.
    """
    return {
        **({"NIGHTPICK_CONFIG": str(config)} if config else {}),
        "NIGHTPICK_DATA_DIR": str(settings.data_dir),
        "NIGHTPICK_ROBOT": settings.robot,
        **CLIENT,
        **_given(CLIENT),
        "PREFECT_HOME": str(prefect_home(settings)),
        "PREFECT_API_URL": api_url,
        **_loopback_without_proxy(os.environ),
    }


def for_server(settings: Settings, host: str, port: int) -> dict[str, str]:
    """Return the environment of the server that listens on ``host`` and ``port``."""
    # Any page in the owner's browser may send requests to loopback; only our own UI may read answers.
    origins = ",".join(f"http://{name}:{port}" for name in dict.fromkeys((host, "127.0.0.1", "localhost")))
    return {
        **for_flows(settings, f"http://{host}:{port}/api", None),
        **SERVER,
        **_given(SERVER),
        **_database(settings),
        "PREFECT_SERVER_API_HOST": host,
        "PREFECT_SERVER_API_PORT": str(port),
        "PREFECT_SERVER_CORS_ALLOWED_ORIGINS": origins,
    }


def apply(environment: Mapping[str, str]) -> None:
    """Put an environment into force in this process; too late once Prefect is imported."""
    if "prefect" in sys.modules:
        raise RuntimeError("Prefect is already imported: its settings can no longer be set")
    os.environ.update(environment)


def _database(settings: Settings) -> dict[str, str]:
    """Name the server's database file, unless the environment names a database: Prefect does not quote it."""
    if any(name in os.environ for name in DATABASE):
        return {}
    file = quote(str(prefect_home(settings) / "prefect.db"))
    return {DATABASE[0]: f"sqlite+aiosqlite:///{file}"}


def _given(defaults: Mapping[str, str]) -> dict[str, str]:
    return {name: os.environ[name] for name in defaults if name in os.environ}


def _loopback_without_proxy(environment: Mapping[str, str]) -> dict[str, str]:
    """Keep requests to the local server away from a proxy the machine may have."""
    listed = environment.get("NO_PROXY") or environment.get("no_proxy") or ""
    names = [name for name in listed.split(",") if name]
    value = ",".join(dict.fromkeys([*names, "127.0.0.1", "localhost"]))
    return {"NO_PROXY": value, "no_proxy": value}
