"""Watching an arm that somebody else may be moving by hand: reading after reading, and what is odd said."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from lib.arm.arm import Arm
from lib.arm.link import Suspect
from lib.arm.plausible import Angles


@dataclass(frozen=True)
class Seen:
    """One look at the joints."""

    time_utc: datetime
    joints_deg: Angles | None
    """True joints, encoders and what homing found [deg]; None while there is nothing to believe."""
    encoders_deg: Angles | None
    """What the encoders read [deg]."""
    odd: str
    """Why there is no reading."""

    @property
    def line(self) -> str:
        """The look as a line."""
        time_text = self.time_utc.astimezone().strftime("%H:%M:%S.%f")[:-5]
        if self.joints_deg is None:
            return f"{time_text}  {self.odd}"
        # As wide as the narrowest terminal: 80 columns.
        return f"{time_text}  " + " ".join(
            f"J{joint} {value:7.2f}" for joint, value in enumerate(self.joints_deg, 1)
        )

    def as_json(self) -> dict[str, object]:
        """Return the look as one JSON object."""
        return {
            "time_utc": self.time_utc.isoformat(),
            "joints_deg": None if self.joints_deg is None else list(self.joints_deg),
            "encoders_deg": None if self.encoders_deg is None else list(self.encoders_deg),
            "odd": self.odd,
        }


def watched(arm: Arm, period_s: float) -> Iterator[Seen]:
    """Look again and again; raises LinkLost when the line gives out."""
    arm.recall()
    arm.link.plausible.expect_anything()
    while True:
        started_s = time.monotonic()
        encoders_deg, odd = None, ""
        if arm.link.powered():
            try:
                encoders_deg = arm.link.angles_once()
            except Suspect as suspect:
                odd = str(suspect)
                arm.link.recover()
        else:
            odd = "the power is off"
        joints_deg = None if encoders_deg is None else arm.true_deg(encoders_deg)
        yield Seen(datetime.now(UTC), joints_deg, encoders_deg, odd)
        time.sleep(max(0.0, period_s - (time.monotonic() - started_s)))
