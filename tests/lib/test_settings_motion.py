"""Settings of motions: any number of approaches and speeds by name, and what makes no sense is refused."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from lib.errors import BadInput
from lib.settings import Settings, load
from lib.settings_motion import Approach


def read(tmp_path: Path, text: str, **environment: str) -> Settings:
    (tmp_path / "nightpick.toml").write_text(text)
    return load(tmp_path / "nightpick.toml", environment)


def test_the_published_study_has_four_approaches_and_three_speeds() -> None:
    motion = Settings().motion
    assert list(motion.approaches) == ["standard", "high", "low", "side"]
    assert dict(motion.speeds_s) == {"slow": 5.0, "normal": 3.0, "fast": 1.5}


def test_approaches_and_speeds_of_the_file_are_all_there_are(tmp_path: Path) -> None:
    motion = read(
        tmp_path,
        "[motion.approaches.round]\nside_m = -0.05\nback_m = 0.04\n[motion.speeds_s]\nbrisk = 2\nlazy = 7.5",
    ).motion
    assert dict(motion.approaches) == {"round": Approach(side_m=-0.05, back_m=0.04)}
    assert dict(motion.speeds_s) == {"brisk": 2.0, "lazy": 7.5}


def test_the_environment_names_speeds_too(tmp_path: Path) -> None:
    motion = read(tmp_path, "", NIGHTPICK_MOTION__SPEEDS_S__QUICK="1.25").motion
    assert dict(motion.speeds_s) == {"quick": 1.25}


def test_settings_with_names_are_sent_to_other_processes_and_compared_whole(tmp_path: Path) -> None:
    settings = read(tmp_path, "[motion.speeds_s]\nbrisk = 2")
    copy = pickle.loads(pickle.dumps(settings))
    assert copy == settings and hash(copy) == hash(settings)
    assert copy.motion != Settings().motion


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[motion]\nspeeds_s = {}", "expected names with values"),
        ("[motion]\nspeeds_s = 3", "expected names with values"),
        ("[motion.speeds_s]\n'../up' = 3", "letters, digits"),
        ("[motion.speeds_s]\nslow = 0", "motion.speeds_s.slow = 0.0; expected seconds, 0.1 to 60"),
        ("[motion.speeds_s]\nslow = 'long'", "motion.speeds_s.slow = 'long'; expected a finite number"),
        ("[motion.approaches]\nhigh = 3", "expected a table [motion.approaches.high]"),
        ("[motion.approaches.high]\nupp_m = 0.1", "motion.approaches.high.upp_m; did you mean"),
        ("[motion.approaches.high]\nup_m = 80", "expected metres within the arm's reach"),
        ("[motion.sequence]\nlift_deg = [0.7, 0.9, 0, 0, 0, 0]", "these look like radians"),
        ("[motion.sequence]\nlowering_factor = 0.5", "expected 1 to 10"),
        ("[motion]\nrepeats = 4", "motion.repeats = 4; expected 5 to 1000"),
        ("[motion]\noverlap_share = 1", "motion.overlap_share = 1.0; expected 0 to 0.9"),
    ],
)
def test_a_mistake_is_one_line_that_names_the_key_and_what_was_expected(
    tmp_path: Path, text: str, says: str
) -> None:
    with pytest.raises(BadInput) as refused:
        read(tmp_path, text)
    assert says in str(refused.value)
    assert "nightpick.toml" in str(refused.value) and "\n" not in str(refused.value)
