"""The simulated cell's stage: the twin scans what open requests ask for.

A real twin's scans are dropped into the inbox by whoever ran it, so without a robot file to simulate
there is nothing to do here.
"""

from __future__ import annotations

from flows.trouble import Trouble
from lib.cell import write_first_requests
from lib.runlog import fk_file
from lib.scan import ScanStore, open_requests, requests_folder, waiting_scans
from lib.settings import Settings
from tasks.answer_requests import answer_request


def answer_requests(settings: Settings, trouble: Trouble) -> None:
    """Answer every open request; in a data folder where nothing is yet, write the first ones before."""
    if settings.robot == "none":
        return
    if _is_fresh(settings):
        write_first_requests(requests_folder(settings.data_dir))
    for request in open_requests(settings.data_dir):
        with trouble.noted():
            answer_request(settings, request, settings.cell.seed)


def _is_fresh(settings: Settings) -> bool:
    """Tell whether nobody asked, scanned or merged anything yet: real data is never mixed with simulated."""
    data_dir = settings.data_dir
    return not (
        requests_folder(data_dir).exists()
        or waiting_scans(data_dir)
        or ScanStore(data_dir).kept()
        or fk_file.path(data_dir).exists()
    )
