"""Scans: reading and refusing the twin's files, keeping them, and what the twin is asked to scan."""

from lib.scan.content import BLOCK_ROWS, COLUMNS, ContentDigest, content_md5
from lib.scan.inbox import inbox_folder, set_aside, taking_in, waiting_scans
from lib.scan.ingesting import ingest_file
from lib.scan.kept import KeptScan
from lib.scan.options import AngleUnit, LengthUnit, ScanOptions, parse_columns
from lib.scan.plan import PoseCounts, count_poses, smallest_set
from lib.scan.reading import ScanReading, read_scan
from lib.scan.refusal import ScanRefused, shown
from lib.scan.repeats import count_repeats
from lib.scan.request import (
    GRID_HALF_WIDTH_DEG,
    ROWS_PER_BASE,
    ScanRequest,
    as_stored,
    expand,
    read_request,
    request_text,
)
from lib.scan.requests import mark_answered, open_requests, requests_folder, write_request
from lib.scan.result import IngestResult, refused_result
from lib.scan.store import ScanStore
from lib.scan.strict import Reject

__all__ = [
    "BLOCK_ROWS",
    "COLUMNS",
    "GRID_HALF_WIDTH_DEG",
    "ROWS_PER_BASE",
    "AngleUnit",
    "ContentDigest",
    "IngestResult",
    "KeptScan",
    "LengthUnit",
    "PoseCounts",
    "Reject",
    "ScanOptions",
    "ScanReading",
    "ScanRefused",
    "ScanRequest",
    "ScanStore",
    "as_stored",
    "content_md5",
    "count_poses",
    "count_repeats",
    "expand",
    "inbox_folder",
    "ingest_file",
    "mark_answered",
    "open_requests",
    "parse_columns",
    "read_request",
    "read_scan",
    "refused_result",
    "request_text",
    "requests_folder",
    "set_aside",
    "shown",
    "smallest_set",
    "taking_in",
    "waiting_scans",
    "write_request",
]
