"""What `prefect deploy` must know of the machine it runs on, so that prefect.yaml needs no edit anywhere.

A build step of prefect.yaml: its outputs fill the templates ``{{ here.folder }}`` and
``{{ here.timezone }}``.
"""

from __future__ import annotations

import os
from pathlib import Path

ZONES = "zoneinfo/"


def describe() -> dict[str, str]:
    """Return the project's folder and the machine's time zone by its IANA name."""
    return {"folder": str(project_folder()), "timezone": local_zone()}


def project_folder() -> Path:
    """Return the folder that holds flows/ and prefect.yaml."""
    return Path(__file__).resolve().parents[2]


def local_zone(localtime: Path = Path("/etc/localtime"), timezone: Path = Path("/etc/timezone")) -> str:
    """Return the machine's time zone, such as ``Europe/Berlin``; UTC where it does not say.

    Asked in the order that programs do: the variable TZ, the link at /etc/localtime, Debian's
    /etc/timezone.
    """
    named = os.environ.get("TZ", "").removeprefix(":")
    if named and not named.startswith("/"):
        return named
    for path in (Path(named) if named else localtime, localtime):
        target = str(path.resolve())
        if ZONES in target:
            return target.split(ZONES, 1)[1]
    return timezone.read_text(encoding="utf-8").strip() if timezone.is_file() else "UTC"
