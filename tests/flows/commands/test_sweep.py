"""`nightpick lookup sweep` prints the published sweeps."""

from __future__ import annotations

import csv
import json

import pytest

from flows.cli import main
from tests.flows.commands.conftest import LOG54

OLD = ("--ee-y-tol", "0.005", "--w-j1", "0.3", "--w-j2", "0.1", "--w-j4", "0.02")
SWEEP = (
    "lookup", "sweep", "place", "-0.170", "0.200", "--table", "1", *OLD,
    "--vary", "j0_tol=3,5,8,15", "--vary", "z=0.180:0.200:0.005",
)  # fmt: skip

pytestmark = pytest.mark.usefixtures("log54_data_dir")


def test_the_published_sweep_comes_out_of_one_command(capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert main([*SWEEP, "--json"]) == 0
    nodes = json.loads(capsys.readouterr().out)
    assert len(nodes) == 4 * 5
    by_node = {(node["vary"]["j0_tol"], node["vary"]["z"]): node for node in nodes}
    with (LOG54 / "expected.csv").open() as lines:
        published = [line for line in csv.DictReader(lines) if line["case"] == "sweep"]
    assert len(published) == 12
    for line in published:
        node = by_node[float(line["j0_tol_deg"]), float(line["target_z_m"])]
        assert node["joints_deg"] == [float(line[f"j{k}"]) for k in range(6)]
        assert f"{node['z_residual_m']:.4f}" == line["z_residual_m"]
        assert line["x_residual_m"] in ("", f"{node['x_residual_m']:.4f}")


def test_a_person_reads_a_line_a_node(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(list(SWEEP)) == 0
    told = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert told[0] == "j0_tol z x mm z mm xz mm row pose, deg method"
    assert told[1] == "3 0.18 16.6 14.5 22.1 1 36.215 57 20 -12 -86 -30 fk_j4_priority_j4safe_pref"
    assert len(told) == 1 + 20


def test_a_bound_that_is_none_is_exit_code_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lookup", "sweep", "pick", "0.14", "0.2", "--vary", "w_j1=0.002"]) == 2
    assert 'no bound "w_j1" in PICK' in capsys.readouterr().err
