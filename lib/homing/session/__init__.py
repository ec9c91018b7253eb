"""One homing of one arm, from its pictures to its rows in the run log."""

from lib.homing.session.capture import Capture, captures_in, lenses_of, photos_in
from lib.homing.session.eyes import Eyes, LiveEyes, Picture, open_eyes
from lib.homing.session.files import HomingFiles
from lib.homing.session.filming import film_cell
from lib.homing.session.hand_over import HandOver, hand_over
from lib.homing.session.offsets import JointOffset, compare_offsets, sendable_offsets
from lib.homing.session.origin_stage import OriginResult
from lib.homing.session.run import HomingRequest, HomingRun, run_homing
from lib.homing.session.stored import stored_captures

__all__ = [
    "Capture",
    "Eyes",
    "HandOver",
    "HomingFiles",
    "HomingRequest",
    "HomingRun",
    "JointOffset",
    "LiveEyes",
    "OriginResult",
    "Picture",
    "captures_in",
    "compare_offsets",
    "film_cell",
    "hand_over",
    "lenses_of",
    "open_eyes",
    "photos_in",
    "run_homing",
    "sendable_offsets",
    "stored_captures",
]
