"""Scans: reading and refusing the twin's files, keeping them, and what the twin is asked to scan."""

from lib.scan.content import BLOCK_ROWS, COLUMNS, ContentDigest, content_md5
from lib.scan.finding import find_scan
from lib.scan.held import Holding, holding
from lib.scan.inbox import inbox_folder, move_to_done, taking_in, waiting_scans
from lib.scan.ingesting import ingest_file, ingest_file_again
from lib.scan.kept import SHORT_DIGITS, KeptScan, reading_key
from lib.scan.options import AngleUnit, LengthUnit, ScanOptions, parse_columns
from lib.scan.plan import PoseCounts, count_poses, smallest_set
from lib.scan.points_file import ScanDamaged, readable_points
from lib.scan.proof import damaged_raw_files, damaged_rows
from lib.scan.reading import ScanReading, read_back, read_scan
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
    "SHORT_DIGITS",
    "AngleUnit",
    "ContentDigest",
    "Holding",
    "IngestResult",
    "KeptScan",
    "LengthUnit",
    "PoseCounts",
    "Reject",
    "ScanDamaged",
    "ScanOptions",
    "ScanReading",
    "ScanRefused",
    "ScanRequest",
    "ScanStore",
    "as_stored",
    "content_md5",
    "count_poses",
    "count_repeats",
    "damaged_raw_files",
    "damaged_rows",
    "expand",
    "find_scan",
    "holding",
    "inbox_folder",
    "ingest_file",
    "ingest_file_again",
    "mark_answered",
    "move_to_done",
    "open_requests",
    "parse_columns",
    "read_back",
    "read_request",
    "read_scan",
    "readable_points",
    "reading_key",
    "refused_result",
    "request_text",
    "requests_folder",
    "shown",
    "smallest_set",
    "taking_in",
    "waiting_scans",
    "write_request",
]
