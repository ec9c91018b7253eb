"""`nightpick table plan-scan`: planned, scanned in the twin, merged, and the target is met."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from flows.cli import main
from tests.flows.commands.conftest import LOG54

TARGET = ("-0.170", "0.1899")


def answer(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    capsys.readouterr()
    assert main([*arguments, "--json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_the_published_residual_is_gone_after_one_exact_pose(
    tmp_path: Path, data_dir: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert (
        main(["scan", "ingest", *(str(LOG54 / name) for name in ("rows_before.csv", "rows_scan.csv"))]) == 0
    )
    assert main(["table", "merge"]) == 0
    assert f"{answer(capsys, 'lookup', 'place', *TARGET)['z_residual_m']:.4f}" == "0.0079"

    request, scan = tmp_path / "more.csv", tmp_path / "scan.csv"
    plan = answer(capsys, "table", "plan-scan", str(request), "--target", *TARGET, "--exact")
    assert plan["file"] == str(request) and request.read_text().startswith("# exact poses\n")
    assert plan["wanting_points"] == 1 and plan["chosen"]["poses"] == plan["chosen"]["new"] == 1
    assert plan["missed"][0]["cause"] == "absence_of_points"

    assert main(["scan", "simulate", str(request), str(scan)]) == 0
    assert main(["scan", "ingest", str(scan)]) == 0
    assert main(["table", "merge"]) == 0
    met = answer(capsys, "lookup", "place", *TARGET)
    assert met["xz_distance_m"] < 2e-6
    assert met["joints_deg"] == plan["bases_deg"][0] == plan["missed"][0]["pose_deg"]
    assert answer(capsys, "table", "plan-scan", "--target", *TARGET)["missed"] == []


@pytest.mark.parametrize("kind", ["exact", "grid"])
def test_a_planned_scan_improves_the_very_targets_and_the_probes_as_foretold(
    kind: str,
    tmp_path: Path,
    data_dir: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert (
        main(["scan", "ingest", *(str(LOG54 / name) for name in ("rows_before.csv", "rows_scan.csv"))]) == 0
    )
    assert main(["table", "merge"]) == 0
    targets = [TARGET, ("-0.176", "0.194"), ("-0.166", "0.197")]
    before = [answer(capsys, "lookup", "place", *target)["xz_distance_m"] for target in targets]
    assert min(before) > 0.005

    request, scan = tmp_path / "more.csv", tmp_path / "scan.csv"
    asked = [word for target in targets for word in ("--target", *target)]
    plan = answer(capsys, "table", "plan-scan", str(request), *asked, *["--exact"] * (kind == "exact"))
    assert plan["wanting_points"] == 3 and plan["exact"] == (kind == "exact")
    assert plan["merge"]["improved"] > 0

    assert main(["scan", "simulate", str(request), str(scan)]) == 0
    assert main(["scan", "ingest", str(scan)]) == 0
    (merge,) = answer(capsys, "table", "merge", "--accept-worse", str(len(plan["merge"]["beyond_limit"])))[
        "merges"
    ]
    for key in ("probes", "improved", "worse", "unchanged"):
        assert merge["effect"][key] == plan["merge"][key]
    after = [answer(capsys, "lookup", "place", *target)["xz_distance_m"] for target in targets]
    assert after == pytest.approx(plan["after_m"], abs=1e-6) and max(after) <= 0.005
    assert answer(capsys, "table", "plan-scan", *asked)["missed"] == []


@pytest.mark.usefixtures("log54_data_dir")
def test_a_person_reads_what_is_bound_and_that_nothing_is_to_scan(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "none.csv"
    assert main(["table", "plan-scan", str(out), "--target", "-0.100", "0.200"]) == 0
    told = capsys.readouterr().out
    assert "1 of 1 targets are missed by more than 5 mm" in told
    assert "1 bound, more points change nothing: " in told
    assert "no pose inside the filters comes nearer than" in told and "held by j0_lock" in told
    assert told.endswith("nothing to scan\n") and not out.exists()


@pytest.mark.usefixtures("data_dir")
def test_where_nothing_tells_of_a_pose_the_cause_is_not_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("NIGHTPICK_ROBOT", "none")
    one = tmp_path / "one.csv"
    one.write_text("".join((LOG54 / "rows_before.csv").read_text().splitlines(keepends=True)[:2]))
    assert main(["scan", "ingest", str(one)]) == main(["table", "merge"]) == 0
    assert main(["table", "plan-scan", "--target", *TARGET]) == 0
    told = capsys.readouterr().out
    assert "1 not known: " in told and "too few or too alike for a local map" in told
    assert "change nothing" not in told


@pytest.mark.usefixtures("log54_data_dir")
def test_a_person_reads_how_much_of_it_is_new(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "more.csv"
    assert main(["table", "plan-scan", str(out), "--target", *TARGET]) == 0
    told = capsys.readouterr().out
    assert "1 pose in the request, 16,807 to scan, 16,807 different; the table has 0 of them" in told
    assert "foretold: 1 of 1 come within 5 mm, median 8.24 -> 0.00 mm" in told
    assert "standard probes: " in told and ", none gets worse\n" in told
    assert f"wrote {out}: 16,807 rows to scan" in told


@pytest.mark.usefixtures("log54_data_dir")
def test_the_published_request_shows_its_waste_before_it_is_scanned(
    capsys: pytest.CaptureFixture[str],
) -> None:
    bases = Path(__file__).parents[3] / "lib" / "cell" / "requests" / "place-low-z.csv"
    counts = answer(capsys, "table", "plan-scan", "--bases", str(bases))
    assert (counts["poses"], counts["distinct"], counts["repeated"]) == (67_228, 26_411, 40_817)
    assert counts["known"] == 10  # of the eleven rows only the one with j2 = 0 lies beyond these grids
    assert counts["merge"]["improved"] > 0 and counts["merge"]["beyond_limit"] == []
    assert main(["table", "plan-scan", "--bases", str(bases)]) == 0
    told = capsys.readouterr().out
    assert "26,411 different (61% would be measured twice)" in told
    assert "foretold for the 211 standard probes: " in told and "none gets worse" in told


@pytest.mark.usefixtures("log54_data_dir")
def test_exact_poses_that_would_make_a_probe_worse_are_told_with_the_cause(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    # Nearer to the reference pose than what PLACE selects today, and farther from some targets.
    worse = tmp_path / "worse.csv"
    worse.write_text("# exact poses\n36.215,57,20,-6,-85,-30\n")
    told = answer(capsys, "table", "plan-scan", "--bases", str(worse))["merge"]
    assert told["worse"] >= len(told["beyond_limit"]) >= 1
    assert all(probe["change_m"] > 0.001 for probe in told["beyond_limit"])
    assert main(["table", "plan-scan", "--bases", str(worse)]) == 0
    said = capsys.readouterr().out
    assert f"it would block without --accept-worse {len(told['beyond_limit'])}\n" in said
    assert "because a new row has the smaller score" in said
    monkeypatch.setenv("NIGHTPICK_ROBOT", "none")
    assert main(["table", "plan-scan", "--bases", str(worse)]) == 0
    assert "cannot be foretold: no robot is set" in capsys.readouterr().out


@pytest.mark.usefixtures("log54_data_dir")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--worse-than", "-1"), "expected metres, zero or more"),
        (("--target", "-170", "189.9"), "millimetres?"),
        (("--table", "9"), "no table version 9"),
    ],
)
def test_what_makes_no_sense_is_exit_code_2(
    arguments: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["table", "plan-scan", *arguments]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.usefixtures("log54_data_dir")
def test_a_request_that_cannot_be_written_is_exit_code_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["table", "plan-scan", str(tmp_path / "no" / "more.csv"), "--target", *TARGET]) == 2
    assert "cannot be written" in capsys.readouterr().err
