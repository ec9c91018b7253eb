"""The published rows, scanned in and merged, for every verb that asks the table."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from flows.cli import main

LOG54 = Path(__file__).parents[2] / "data" / "log54"


@pytest.fixture(scope="module")
def log54_data_dir(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A data folder whose version 1 is the published table before, version 2 the merged one."""
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("log54") / "data"
        patch.setenv("NIGHTPICK_DATA_DIR", str(folder))
        patch.chdir(folder.parent)
        files = [str(LOG54 / name) for name in ("rows_before.csv", "rows_scan.csv")]
        assert main(["scan", "ingest", *files]) == 0
        assert main(["table", "merge"]) == 0
        yield folder
