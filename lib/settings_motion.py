"""What a user may set about motions: the pick-place sequence, a study's variants, the diagnoses."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, fields

from lib.errors import BadInput
from lib.settings_reading import Joints, Named, setting


@dataclass(frozen=True)
class Sequence:
    """The pick-place sequence: five poses, taught by hand, and how long each move takes."""

    to_cup_deg: Joints = setting(
        "Pose with the cup between the fingers [deg].", (40.0, 82.0, -36.0, 0.0, -50.0, 0.0)
    )
    lift_deg: Joints = setting("Pose with the cup lifted [deg].", (40.0, 50.0, -20.0, 0.0, -42.0, 0.0))
    above_place_deg: Joints = setting(
        "Pose with the cup above the stand [deg].", (-55.0, 50.0, -25.0, 0.0, -38.0, 0.0)
    )
    lowered_deg: Joints = setting(
        "Pose in which the cup is let go, 2 cm above the stand [deg].", (-44.0, 75.0, -20.0, 0.0, -55.0, 0.0)
    )
    home_deg: Joints = setting("Pose before and after [deg].", (0.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    move_s: float = setting("How long a move takes [s].", 2.0)
    lowering_factor: float = setting("Lowering takes this many times as long as a move.", 1.5)
    grasp_pause_s: float = setting("Pause while the fingers close [s].", 0.5)
    release_pause_s: float = setting("Pause while the fingers open and the cup comes to rest [s].", 0.5)
    rest_s: float = setting("How long the arm is watched after it is home, to see it settle [s].", 0.5)
    floor_m: float = setting("The cup never sinks below this height, the stand's top [m].", 0.025)


@dataclass(frozen=True)
class Approach:
    """Where the tool comes from, seen from the grasp in the tool's own directions, and how it carries."""

    side_m: float = setting(
        "The waypoint before the grasp is this far aside, towards where the tool comes from [m].", 0.0
    )
    up_m: float = setting("... this far above it [m].", 0.0)
    back_m: float = setting("... and this far behind it [m].", 0.0)
    carry_m: float = setting("The cup is carried this much higher than the poses say [m].", 0.0)


@dataclass(frozen=True)
class Diagnosis:
    """When a diagnosis of a run says no."""

    sink_limit_m: float = setting("The cup may be this far below the stand's top [m].", 0.001)
    slip_limit_m: float = setting("The cup may move this far in the grip [m].", 0.004)
    release_limit_m: float = setting("The cup may be let go this far above the stand [m].", 0.020)
    diverge_limit_m: float = setting("The tool may be this far from where it was told to be [m].", 0.030)


@dataclass(frozen=True)
class Motion:
    """Motions and their study."""

    sequence: Sequence = field(default_factory=Sequence)
    diagnosis: Diagnosis = field(default_factory=Diagnosis)
    approaches: Named[Approach] = setting(
        "Approaches of the study by name; together with the speeds they make the variants.",
        Named(
            {
                "standard": Approach(up_m=0.010, back_m=0.050),
                "high": Approach(up_m=0.080, carry_m=0.040),
                "low": Approach(back_m=0.040, carry_m=-0.045),
                "side": Approach(side_m=0.060, up_m=0.010, back_m=0.050),
            }
        ),
    )
    speeds_s: Named[float] = setting(
        "Speeds of the study by name: how long a move takes [s].",
        Named({"slow": 5.0, "normal": 3.0, "fast": 1.5}),
    )
    repeats: int = setting(
        "How often each variant is played, each time with another seed, in another order.", 5
    )
    processes: int = setting("How many play at once; 0: one a processor.", 0)
    overlap_share: float = setting(
        "Share of the shorter leg's time during which two legs of a move overlap.", 0.4
    )
    joint_speed_limit_deg_s: float = setting("The arm's fastest joint speed [deg/s].", 150.0)


def check_motion(motion: Motion, source: str) -> None:
    """Raise BadInput for motions that make no sense, naming the setting and what was expected."""
    sequence = motion.sequence
    for f in fields(sequence):
        value = getattr(sequence, f.name)
        where = f"{source}: motion.sequence.{f.name} = {value!r}"
        if f.name.endswith("_deg") and any(value) and max(abs(joint) for joint in value) <= math.tau:
            raise BadInput(f"{where}; expected degrees, these look like radians")
        if f.name.endswith("_s"):
            _check_seconds(value, where)
    for name, move_s in motion.speeds_s.items():
        _check_seconds(move_s, f"{source}: motion.speeds_s.{name} = {move_s!r}")
    for name, approach in motion.approaches.items():
        for f in fields(approach):
            if abs(getattr(approach, f.name)) > 0.5:
                raise BadInput(
                    f"{source}: motion.approaches.{name}.{f.name} = {getattr(approach, f.name)!r}; "
                    "expected metres within the arm's reach, -0.5 to 0.5"
                )
    for name, low, high in (
        ("repeats", 5, 1000),
        ("processes", 0, 1024),
        ("overlap_share", 0.0, 0.9),
        ("joint_speed_limit_deg_s", 1.0, 1000.0),
    ):
        if not low <= getattr(motion, name) <= high:
            raise BadInput(
                f"{source}: motion.{name} = {getattr(motion, name)!r}; expected {low:g} to {high:g}"
            )
    if not 1.0 <= sequence.lowering_factor <= 10.0:
        raise BadInput(
            f"{source}: motion.sequence.lowering_factor = {sequence.lowering_factor!r}; expected 1 to 10"
        )


def _check_seconds(value: float, where: str) -> None:
    if not 0.1 <= value <= 60.0:
        raise BadInput(f"{where}; expected seconds, 0.1 to 60")
