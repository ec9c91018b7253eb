"""Every question while another process appends a night's rows: none fails, none sees a row twice."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from lib.runlog import ask, ask_sql, close_logs, named_questions

from .batch_sample import write_batch

ROOT = Path(__file__).parents[3]
WRITER = """
import sys, time
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from lib.runlog import RunLog
from tests.lib.runlog.batch_sample import night_records
log = RunLog(Path(sys.argv[1]))
print("writing", flush=True)
for night in range(1, 1000):
    for relation, rows in night_records(night, 5).items():
        for row in rows:
            log.append(relation, **row)
            time.sleep(0.01)
"""
COUNTED = "SELECT count(*), count(DISTINCT seq) FROM run_state"


def test_every_question_is_answered_while_a_night_is_written(tmp_path: Path) -> None:
    write_batch(tmp_path, [0], 5)
    close_logs(tmp_path)
    writer = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(tmp_path), str(ROOT)], stdout=subprocess.PIPE, text=True
    )
    assert writer.stdout is not None and writer.stdout.readline() == "writing\n"
    counts = []
    try:
        for number, question in enumerate(named_questions()):
            list(ask(tmp_path, question.name).rows)
            if number % 6 == 0:
                ((rows, distinct),) = ask_sql(tmp_path, COUNTED).rows
                assert rows == distinct
                counts.append(rows)
        assert writer.poll() is None
    finally:
        writer.kill()
        writer.communicate()
    assert counts == sorted(counts) and counts[-1] > counts[0] >= 5 * 11
