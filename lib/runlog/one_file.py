"""A file named to DuckDB's readers, which take ``*``, ``?`` and ``[`` in a path for a pattern of many."""

from __future__ import annotations

import re
from pathlib import Path


def one_file(path: Path) -> str:
    """Return the pattern that a path alone matches, itself for most: ``a[*]b`` is the file ``a*b``."""
    return re.sub(r"[*?\[]", r"[\g<0>]", str(path))
