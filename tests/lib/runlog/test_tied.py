"""Records written inside a run carry its ids, in the columns they have."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from lib.runlog.folder import open_logs
from lib.runlog.log import RunLog
from lib.runlog.tied import tied


def test_a_record_carries_the_ids_in_force_where_its_relation_has_the_column(tmp_path: Path) -> None:
    log = RunLog(tmp_path)
    with tied(night_id="n-1", flow_run_id="f-1"):
        with tied(task_run_id="t-1"):
            log.append("merge", merge_id="m-1")
        log.append("night", night_id="n-1", state="unfinished")
    log.append("merge", merge_id="m-2")
    inside, night, outside = _records(tmp_path)
    assert (inside["night_id"], inside["flow_run_id"], inside["task_run_id"]) == ("n-1", "f-1", "t-1")
    assert "flow_run_id" not in night  # the relation night has no such column
    assert "night_id" not in outside


def test_an_id_that_the_writer_gives_wins(tmp_path: Path) -> None:
    log = RunLog(tmp_path)
    with tied(task_run_id="outer"):
        log.append("observation", name="rows", value=1, task_run_id="own")
    assert _records(tmp_path)[0]["task_run_id"] == "own"


def _records(data_dir: Path) -> list[dict[str, Any]]:
    (log,) = open_logs(data_dir)
    return [json.loads(line) for line in log.read_text().splitlines()]
