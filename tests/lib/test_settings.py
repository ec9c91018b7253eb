"""Settings: precedence, types, and one clear line for each mistake."""

from __future__ import annotations

import tomllib
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import pytest

from lib.errors import BadInput
from lib.settings import Settings, load
from lib.settings_template import template


def read(tmp_path: Path, text: str = "", **environment: str) -> Settings:
    path = tmp_path / "nightpick.toml"
    path.write_text(text, encoding="utf-8")
    return load(path, environment)


def test_the_environment_wins_over_the_file_and_the_file_over_the_default(tmp_path: Path) -> None:
    text = "[lookup.place]\nj0_tol_deg = 5\nj1_min_deg = 50"
    settings = read(tmp_path, text, NIGHTPICK_LOOKUP__PLACE__J0_TOL_DEG="8")
    place = settings.lookup.place
    assert (place.j0_tol_deg, place.j1_min_deg, place.ref_tol_deg) == (8.0, 50.0, 15.0)


def test_a_relative_data_folder_counts_from_the_settings_file(tmp_path: Path) -> None:
    assert read(tmp_path, 'data_dir = "night data"').data_dir == tmp_path / "night data"


def test_the_nearest_settings_file_above_the_working_directory_is_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "nightpick.toml").write_text('robot = "none"')
    (tmp_path / "deep" / "er").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "deep" / "er")
    assert load(None, {}).robot == "none"


def test_poses_read_from_the_environment_with_and_without_brackets(tmp_path: Path) -> None:
    for text in ("36.215,57,20,-12,-86,-30", "[36.215, 57, 20, -12, -86, -30]"):
        settings = read(tmp_path, NIGHTPICK_LOOKUP__PLACE__REF_JOINTS=text)
        assert settings.lookup.place.ref_joints == (36.215, 57.0, 20.0, -12.0, -86.0, -30.0)
    assert read(tmp_path, NIGHTPICK_LOOKUP__PLACE__REF_JOINTS="").lookup.place.ref_joints is None


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("data_dri = 'x'", "unknown setting data_dri; did you mean data_dir?"),
        ("[lookup.place]\nw_j1 = 0.1", "did you mean lookup.place.w_j1_m_per_deg?"),
        ("[lookup.place]\nw_j1_m_per_deg = 0.3", "one degree would cost 300 mm"),
        ("[lookup.place]\nee_y_band_m = [0.115, 0.085]", "a lower and a higher bound"),
        ("[lookup.place]\nee_y_floor_m = 85.0", "looks like millimetres"),
        ("[lookup.place]\nref_joints = [0.63, 0.99, 0.35, -0.2, -1.5, -0.5]", "look like radians"),
        ("[lookup.place]\nj0_tol_deg = -3", "zero or more"),
        ("[lookup.place]\nj0_tol_deg = 'three'", "expected a finite number"),
        ("[lookup.place]\nj0_tol_deg = inf", "expected a finite number"),
        ("[lookup.place]\nref_joints = [1, 2]", "expected 6 numbers"),
        ("[cell]\nseed = 1.5", "expected a whole number"),
        ("lookup = 3", "expected a table [lookup]"),
        ("robot = 3", "expected text"),
        ("robot = ", "not readable as TOML"),
        (
            "[lookup.place]\nee_y_band_m = [85, 115]",
            "lookup.place.ee_y_band_m = [85.0, 115.0]; expected metres",
        ),
        ("[cell]\nbox_outer_m = [140.0, 140.0]", "cell.box_outer_m = [140.0, 140.0]; expected metres"),
        ("[lookup.place]\nee_y_target_m = 95.0", "looks like millimetres"),
        (f"[cell]\nseed = 1{'0' * 400}", "expected a finite number"),
        ('[prefect]\napi_url = "ftp://127.0.0.1/api"', "expected the address of a Prefect server's API"),
        ('[prefect]\napi_url = "http://127.0.0.1:4200"', "like http://127.0.0.1:4200/api"),
        ('[prefect]\napi_url = "http://127.0.0.1:port/api"', "like http://127.0.0.1:4200/api"),
        ('[prefect]\napi_url = "http:///api"', "like http://127.0.0.1:4200/api"),
        ('data_dir = "what?"', "set data_dir to another folder"),
        ("data_dir = 'a\\b'", "set data_dir to another folder"),
        ('data_dir = "a\\nb"', "set data_dir to another folder"),
        ('data_dir = "nightpick.toml"', "there is no folder there and none can be"),
        ('data_dir = "nightpick.toml/data"', "there is no folder there and none can be"),
        ('data_dir = "~nobody-of-that-name/data"', "/~nobody-of-that-name/data for a folder of that name"),
    ],
)
def test_a_mistake_is_one_line_that_names_file_key_and_remedy(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(BadInput) as refused:
        read(tmp_path, text)
    message = str(refused.value)
    assert says in message and "nightpick.toml" in message and "\n" not in message


@pytest.mark.parametrize("text", ["1_0", "\u0663", "-inf", "nan", "0x10", "5,0", "1e400", "", "5 deg"])
def test_a_number_from_the_environment_is_written_plainly(tmp_path: Path, text: str) -> None:
    with pytest.raises(BadInput) as refused:
        read(tmp_path, NIGHTPICK_LOOKUP__PLACE__J0_TOL_DEG=text)
    said = f"environment: lookup.place.j0_tol_deg = {text!r}; expected a finite number"
    assert str(refused.value) == said


@pytest.mark.parametrize("text", ["1_0", "\u0663", "1.5"])
def test_a_whole_number_from_the_environment_is_written_plainly(tmp_path: Path, text: str) -> None:
    with pytest.raises(BadInput, match=r"environment: cell\.seed = "):
        read(tmp_path, NIGHTPICK_CELL__SEED=text)
    assert read(tmp_path, NIGHTPICK_CELL__SEED=" 42 ").cell.seed == 42


def test_a_value_out_of_bounds_is_told_from_where_it_came(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"^environment: lookup\.place\.ee_y_floor_m = 85\.0; expected metres"):
        read(tmp_path, "[lookup.place]\nj0_tol_deg = 5", NIGHTPICK_LOOKUP__PLACE__EE_Y_FLOOR_M="85")


def test_the_user_s_home_folder_may_be_written_as_a_tilde(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    settings = read(tmp_path, 'data_dir = "~/night"\nrobot = "~/arm.json"')
    assert settings.data_dir == tmp_path / "home" / "night"
    assert settings.robot == str(tmp_path / "home" / "arm.json")


def test_a_folder_of_the_settings_file_s_name_is_not_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "nightpick.toml").write_text('robot = "none"')
    here = tmp_path / "here"
    (here / "nightpick.toml").mkdir(parents=True)
    monkeypatch.chdir(here)
    with pytest.raises(BadInput, match=f"{here}/nightpick.toml: is a folder, expected a settings file"):
        load(None, {})
    with pytest.raises(BadInput, match=f"{here}: is a folder, expected a settings file"):
        load(here, {})
    (here / "nightpick.toml").rmdir()
    (here / "nightpick.toml").symlink_to(here / "gone")
    with pytest.raises(BadInput, match="is a link to nothing, expected a settings file"):
        load(None, {})


def test_a_settings_file_in_another_encoding_is_told_by_its_line_a_byte_order_mark_is_read(
    tmp_path: Path,
) -> None:
    path = tmp_path / "nightpick.toml"
    path.write_bytes(b"# the lab's settings\nrobot = 'mecharm\xe4'\n")
    with pytest.raises(BadInput, match=r"nightpick.toml: not UTF-8: byte 0xe4 in line 2; save it as UTF-8"):
        load(path, {})
    path.write_bytes("\ufeffrobot = 'none'\n".encode())
    assert load(path, {}).robot == "none"


def test_a_wrong_variable_is_named_as_environment(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="environment: unknown setting robto; did you mean robot"):
        read(tmp_path, NIGHTPICK_ROBTO="none")


def test_a_missing_named_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no such settings file"):
        load(tmp_path / "absent.toml", {})


def test_the_written_template_is_the_defaults_and_names_every_setting(tmp_path: Path) -> None:
    text = template()
    assert load_text(tmp_path, text) == load_text(tmp_path, "")
    uncommented = "\n".join(
        line.removeprefix("# ")
        for line in text.splitlines()
        if line.startswith("[") or (" = " in line and not line.endswith("..."))
    )
    assert tomllib.loads(uncommented)
    for name in names(Settings()):
        assert f"# {name} = " in text


def load_text(tmp_path: Path, text: str) -> Settings:
    return read(tmp_path, text)


def names(group: Any) -> list[str]:
    found = []
    for f in fields(group):
        value = getattr(group, f.name)
        found += names(value) if is_dataclass(value) else [f.name]
    return found


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("SPEED", "0"),
        ("J4_SAFE_DEG", "-95, 60"),  # what the hardware is safe in is not widened by a setting
        ("J4_SAFE_DEG", "10, -10"),
        ("HOMING_ENVELOPE_DEG", "360"),
        ("HOMING_HEIGHT_M", "0"),
        ("TOLERANCE_DEG", "10"),
        ("BODY", "clay"),
    ],
)
def test_an_arm_that_could_not_be_driven_safely_is_refused(tmp_path: Path, name: str, value: str) -> None:
    with pytest.raises(BadInput, match=f"arm.{name.lower()} = .*; expected"):
        read(tmp_path, **{f"NIGHTPICK_ARM__{name}": value})


def test_the_safe_range_of_j4_can_be_narrowed(tmp_path: Path) -> None:
    settings = read(tmp_path, NIGHTPICK_ARM__J4_SAFE_DEG="-80, 50")
    assert settings.arm.j4_safe_deg == (-80.0, 50.0)


def test_a_yes_or_no_is_true_or_false_and_nothing_else(tmp_path: Path) -> None:
    assert read(tmp_path, "[batch]\nask_approval = true").batch.ask_approval
    assert read(tmp_path, NIGHTPICK_BATCH__ASK_APPROVAL="true").batch.ask_approval
    assert not read(tmp_path, NIGHTPICK_BATCH__ASK_APPROVAL="false").batch.ask_approval
    for wrong in ("1", '"true"', "0.0"):
        with pytest.raises(BadInput, match=r"batch\.ask_approval = .*; expected true or false"):
            read(tmp_path, f"[batch]\nask_approval = {wrong}")
    with pytest.raises(BadInput, match="expected true or false"):
        read(tmp_path, NIGHTPICK_BATCH__ASK_APPROVAL="yes")


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("runs", "-1", "0 to 10000"),
        ("window_h", "0", "more than 0 and at most 240 hours"),
        ("consecutive_failures", "0", "1 or more"),
        ("link_failures", "0", "1 or more"),
        ("warmest_c", "140", "20 to 85 degrees Celsius"),
        ("least_free_gb", "-1", "0 or more gigabytes"),
        ("approval_wait_s", "0", "1 to 86400 seconds"),
    ],
)
def test_a_batch_without_sense_is_refused(tmp_path: Path, name: str, value: str, expected: str) -> None:
    with pytest.raises(BadInput, match=f"batch.{name} = .*; expected {expected}"):
        read(tmp_path, f"[batch]\n{name} = {value}")
