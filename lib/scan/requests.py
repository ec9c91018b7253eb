"""The requests folder: what the twin is asked to scan, and which of it was answered.

An answered request stays where it is and gets a copy in ``requests/answered/``: changing it opens it
again, and nobody has to move files.
"""

from __future__ import annotations

from pathlib import Path

from lib.disk import disk, whole_file
from lib.scan.request import SIDECAR, ScanRequest, request_text


def requests_folder(data_dir: Path) -> Path:
    """Return the folder of the scan requests."""
    return data_dir / "requests"


def open_requests(data_dir: Path) -> list[Path]:
    """List the requests without an answer, in name order."""
    files = sorted(requests_folder(data_dir).glob("*.csv"))
    return [
        file
        for file in files
        if file.is_file() and not file.name.startswith(".") and not file.name.endswith(SIDECAR)
        if not _is_answered(file)
    ]


def mark_answered(request: Path) -> None:
    """Remember that a request, as it reads now, has its scan in the inbox; raises DiskRefused."""
    copy = _answered(request)
    with disk(copy.parent):
        copy.parent.mkdir(exist_ok=True)
    with whole_file(copy) as beside:
        beside.write_bytes(request.read_bytes())


def write_request(path: Path, request: ScanRequest) -> None:
    """Write a request, whole or not at all; raises BadInput where it cannot be written."""
    with whole_file(path) as beside:
        beside.write_text(request_text(request), encoding="utf-8")


def _is_answered(request: Path) -> bool:
    copy = _answered(request)
    return copy.is_file() and copy.read_bytes() == request.read_bytes()


def _answered(request: Path) -> Path:
    return request.parent / "answered" / request.name
