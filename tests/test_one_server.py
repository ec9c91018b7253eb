"""Tests that use the Prefect server go to one worker, all others by their files."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.one_server import scope

A_FILE = """
import os
import pytest
{mark}
@pytest.mark.parametrize("k", range(4))
def test_it(k):
    print("worker", os.environ["PYTEST_XDIST_WORKER"], __name__)
"""


def test_the_files_of_the_server_are_handed_out_together_and_others_each_by_itself() -> None:
    assert scope("tests/flows/test_batch.py::test_a[1]") == scope("tests/tasks/test_merge_scan.py::test_b")
    assert scope("tests/test_docs.py::test_a[x::y]") == "tests/test_docs.py"


def test_the_scheduler_is_the_one_that_is_used(tmp_path: Path) -> None:
    mark = 'pytestmark = pytest.mark.xdist_group("prefect")'
    for name, line in (("a", mark), ("b", mark), ("c", ""), ("d", "")):
        (tmp_path / f"test_{name}.py").write_text(A_FILE.format(mark=line))
    (tmp_path / "conftest.py").write_text(
        "import tests.one_server as one_server\n"
        "from pathlib import Path\n"
        "one_server.ROOT = Path(__file__).parent\n"
        "from tests.one_server import pytest_xdist_make_scheduler\n"
    )
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-n", "2", "-rP", "-q", "--rootdir", str(tmp_path), str(tmp_path)],
        cwd=tmp_path,
        env={"PYTHONPATH": str(Path(__file__).parents[1]), "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    told = {tuple(line.split()[1:]) for line in ran.stdout.splitlines() if line.startswith("worker ")}
    workers = {name: {worker for worker, of in told if of == name} for _, name in told}
    assert {len(each) for each in workers.values()} == {1}, ran.stdout
    assert workers["test_a"] == workers["test_b"]
    assert set().union(*workers.values()) == {"gw0", "gw1"}
