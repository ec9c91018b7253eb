"""The file as it lies on disk: there, whole, and of a kind that can hold a scan."""

from __future__ import annotations

import errno
import gzip
import zlib
from pathlib import Path

from lib.errors import Problem
from lib.scan.refusal import Unreadable

GZIP_MAGIC = b"\x1f\x8b"
PARQUET_MAGIC = b"PAR1"
_FOREIGN = {
    b"PK\x03\x04": "a zip archive or an Excel workbook",
    b"BZh": "a bzip2 archive",
    b"\xfd7zXZ\x00": "an xz archive",
    b"\x28\xb5\x2f\xfd": "a Zstandard archive",
    b"%PDF": "a PDF",
    b"\x89HDF": "an HDF5 file",
    b"\x93NUMPY": "a NumPy array",
}
_ADVICE = "give a scan file: CSV text (also gzip) or Parquet"


def file_bytes(path: Path) -> bytes:
    """Read a file whole, once, so that what is parsed is what is kept.

    Raises Unreadable saying why it cannot be read.
    """
    try:
        if path.is_dir():
            raise Unreadable(Problem(None, None, "", "a directory, not a file"), _ADVICE)
        if path.exists() and not path.is_file():
            raise Unreadable(Problem(None, None, "", "a device or pipe, not a file"), _ADVICE)
        return path.read_bytes()
    except FileNotFoundError:
        raise Unreadable(Problem(None, None, "", "no such file"), "check the path") from None
    except PermissionError:
        raise Unreadable(
            Problem(None, None, "", "not readable: permission denied"), "ask for the right to read it"
        ) from None
    except OSError as error:
        reason = error.strerror or errno.errorcode.get(error.errno or 0, "input error")
        raise Unreadable(Problem(None, None, "", f"not readable: {reason}"), "copy it again") from error


def unpacked(data: bytes) -> bytes:
    """Return the text or Parquet bytes in a file's bytes, out of gzip where they are in it.

    Raises Unreadable for an empty, torn or foreign file.
    """
    if data.startswith(GZIP_MAGIC):
        try:
            data = gzip.decompress(data)
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise Unreadable(
                Problem(None, None, str(error).rstrip("."), "torn or damaged gzip"),
                "copy or compress it again",
            ) from error
        if data.startswith(PARQUET_MAGIC) or data.startswith(GZIP_MAGIC):
            raise Unreadable(Problem(None, None, "", "gzip around a file that is no text"), "unpack it once")
    if not data:
        raise Unreadable(Problem(None, None, "", "empty file"), "a scan has a header and rows")
    for magic, kind in _FOREIGN.items():
        if data.startswith(magic):
            raise Unreadable(Problem(None, None, "", f"this is {kind}"), _ADVICE)
    return data


def suffix_of(data: bytes) -> str:
    """Return the file name ending that tells what the bytes are, whatever they were called."""
    if data.startswith(PARQUET_MAGIC):
        return ".parquet"
    return ".csv.gz" if data.startswith(GZIP_MAGIC) else ".csv"
