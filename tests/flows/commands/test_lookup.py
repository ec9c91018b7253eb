"""`nightpick lookup` on the published rows, scanned in and merged: every line, and how it is told."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from flows.cli import main
from flows.commands.lookup_arguments import PICK_OPTIONAL, PLACE_OPTIONAL
from lib.lookup import PICK_FILTERS, PlaceRequest

LOG54 = Path(__file__).parents[2] / "data" / "log54"
VERSIONS = {"before": "1", "merged": "2"}


@pytest.fixture(scope="module")
def data_dir(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A data folder whose version 1 is the published table before, version 2 the merged one."""
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("log54") / "data"
        patch.setenv("NIGHTPICK_DATA_DIR", str(folder))
        patch.chdir(folder.parent)
        files = [str(LOG54 / name) for name in ("rows_before.csv", "rows_scan.csv")]
        assert main(["scan", "ingest", *files]) == 0
        assert main(["table", "merge"]) == 0
        yield folder


def ask(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    code = main(["lookup", *arguments, "--json"])
    answer: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert code == (0 if answer["fk_row"] is not None else 1)
    return answer


def published_lines() -> list[dict[str, str]]:
    with (LOG54 / "expected.csv").open() as lines:
        return list(csv.DictReader(lines))


@pytest.mark.usefixtures("data_dir")
def test_all_published_lines_come_out_of_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    for line in published_lines():
        answer = ask(
            capsys, "place", line["target_x_m"], line["target_z_m"], "--table", VERSIONS[line["table"]],
            "--ref-joints", "36.215,57,20,-12,-86,-30", "--j0-ref", "36.215", "--j0-tol", line["j0_tol_deg"],
            "--ee-y", "0.100", "--ee-y-tol", line["ee_y_tol_m"],
            "--w-j1", line["w_j1"], "--w-j2", line["w_j2"], "--w-j4", line["w_j4"],
        )  # fmt: skip
        assert answer["joints_deg"] == [float(line[f"j{k}"]) for k in range(6)]
        assert f"{answer['z_residual_m']:.4f}" == line["z_residual_m"]
        assert line["x_residual_m"] in ("", f"{answer['x_residual_m']:.4f}")
        assert answer["table_version"] == int(VERSIONS[line["table"]])


@pytest.mark.usefixtures("data_dir")
def test_defaults_select_the_published_row_and_say_so_to_a_person(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lookup", "place", "-0.170", "0.1899"]) == 0
    told = capsys.readouterr().out
    for fact in (
        "table version 2", "fk_row_10", "fk_j4_priority_j4safe_pref", "25.000", "x 2.3  z 7.9  xz 8.2  mm",
        "at most 5.000 deg", "sendable  yes",
    ):  # fmt: skip
        assert fact in told


@pytest.mark.usefixtures("data_dir")
def test_explain_shows_the_funnel_of_the_same_pass(capsys: pytest.CaptureFixture[str]) -> None:
    answer = ask(capsys, "place", "-0.170", "0.1899", "--explain")
    assert [entry["filter"] for entry in answer["funnel"]] == [
        "ee_y_band", "ee_y_floor", "j0_lock", "j1_min", "ref_joints", "ee_y_target", "j4_safe",
    ]  # fmt: skip
    assert [entry["rows"] for entry in answer["funnel"]] == [10, 10, 6, 5, 4, 4, 3]
    assert answer["funnel"][1]["bound"] == [0.085, None]
    assert main(["lookup", "place", "-0.170", "0.1899", "--explain"]) == 0
    told = capsys.readouterr().out
    assert "11 rows, filter by filter" in told
    assert "ref_joints               +-15 deg          4         2.9    1.6" in told


@pytest.mark.usefixtures("data_dir")
def test_nothing_in_reach_is_exit_code_1_with_nulls(capsys: pytest.CaptureFixture[str]) -> None:
    far = ask(capsys, "place", "-0.5", "0.5")
    assert (far["method"], far["sendable"]) == ("out_of_range", False)
    assert far["x_residual_m"] is far["z_residual_m"] is far["xz_distance_m"] is far["pose_id"] is None
    none = ask(capsys, "pick", "0.14", "0.2")
    assert (none["method"], none["fk_row"]) == ("no_candidates", None)
    assert main(["lookup", "place", "-0.5", "0.5"]) == 1
    assert "fk_row_" in capsys.readouterr().out


@pytest.mark.usefixtures("data_dir")
def test_a_filter_left_out_and_a_pose_with_a_leading_minus(capsys: pytest.CaptureFixture[str]) -> None:
    assert ask(capsys, "place", "-0.170", "0.1899", "--no-j1-min")["fk_row"] == 10
    # Without the lock the published row of the widest lock is in reach.
    free = ask(capsys, "place", "-0.170", "0.200", "--no-j0-lock")
    assert (free["joints_deg"][0], f"{free['z_residual_m']:.4f}") == (26.215, "0.0048")
    turned = ask(capsys, "place", "-0.170", "0.1899", "--ref-joints", "-35,70,25,0,-85,-30")
    assert turned["method"] == "no_candidates"


@pytest.mark.usefixtures("data_dir")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("place", "-170", "189.9"), "millimetres?"),
        (("place", "nan", "0.19"), "expected a finite number"),
        (("place", "-0.17", "0.19", "--ee-y-tol", "nan"), "ee_y_tol_m = nan; expected finite numbers"),
        (("place", "-0.17", "0.19", "--table", "7"), "no table version 7; there are: 1, 2"),
    ],
)
def test_a_question_that_makes_no_sense_is_exit_code_2(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], message: str
) -> None:
    assert main(["lookup", *arguments]) == 2
    told = capsys.readouterr()
    assert message in told.err and told.out == ""
    assert told.err.count("\n") == 1


@pytest.mark.usefixtures("data_dir")
@pytest.mark.parametrize(
    ("flag", "message"),
    [
        (("--ref-joints", "1,2,3"), "has 3 values; expected six"),
        (
            ("--ref-joints", "36", "57", "20", "-12", "-86", "-30"),
            "'36' has 1 value; expected six joints [deg] in",
        ),
        (("--no-j4-safe",), "unrecognized arguments"),
    ],
)
def test_a_flag_that_makes_no_sense_is_exit_code_2(
    capsys: pytest.CaptureFixture[str], flag: tuple[str, ...], message: str
) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["lookup", "place", "-0.17", "0.19", *flag])
    assert stopped.value.code == 2
    assert message in capsys.readouterr().err


@pytest.mark.usefixtures("data_dir")
def test_place_without_a_reference_pose_refuses(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NIGHTPICK_LOOKUP__PLACE__REF_JOINTS", "")
    assert main(["lookup", "place", "-0.17", "0.19"]) == 2
    assert "lookup.place.ref_joints" in capsys.readouterr().err
    assert main(["lookup", "place", "-0.17", "0.1899", "--ref-joints", "36.215,57,20,-12,-86,-30"]) == 0


@pytest.mark.usefixtures("data_dir")
def test_the_published_old_weights_are_answered_with_a_warning(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lookup", "place", "-0.17", "0.1899", "--w-j1", "0.3", "--json"]) == 0
    told = capsys.readouterr()
    assert told.err.startswith("nightpick: warning: w_j1 = 0.3 m/deg: one degree costs 300 mm")
    assert told.err.endswith("in the settings it would be refused: at most 0.02 m/deg\n")
    assert json.loads(told.out)["fk_row"] is not None


def test_a_question_loads_nothing_that_it_does_not_use(data_dir: Path) -> None:
    program = (
        "import sys; from flows.cli import main; main(['lookup', 'place', '-0.17', '0.1899', '--json']);"
        "print(*sorted({m.partition('.')[0] for m in sys.modules}), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "NIGHTPICK_DATA_DIR": str(data_dir)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout)["fk_row"] == 10
    assert not {"prefect", "pandas", "scipy", "rich", "pydantic", "matplotlib"} & set(done.stderr.split())


def test_a_folder_without_a_table_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("NIGHTPICK_DATA_DIR", str(tmp_path))
    assert main(["lookup", "place", "-0.17", "0.19"]) == 2
    assert "no table yet" in capsys.readouterr().err


def test_the_command_lines_flags_are_the_filters_that_do_not_protect() -> None:
    place_filters = PlaceRequest(-0.17, 0.19).filters
    assert tuple(f.name for f in place_filters if not f.protects) == PLACE_OPTIONAL
    assert tuple(f.name for f in PICK_FILTERS if not f.protects) == PICK_OPTIONAL
