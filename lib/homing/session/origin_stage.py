"""The origin fit of a homing: fitted, held against the circles its markers ran along, and recorded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from lib.errors import CheckFailed
from lib.homing.circle_fit import LEAST_CAPTURES, CircleFit, fit_circle
from lib.homing.origin_fit import OriginFit, fit_origin, fit_origin_by_markers
from lib.homing.result import Homing
from lib.homing.session.known_origin import known_origin_mm2
from lib.robot import Machine, OriginPatch
from lib.runlog import run_log

_SIGMAS = 5.0
_LEAST_APART_MM = 1.0


@dataclass(frozen=True, eq=False)
class OriginResult:
    """A fitted origin and what speaks for it."""

    fit: OriginFit
    circle: CircleFit | None
    """The middle of the circles; None where fewer than three captures show them."""
    patch: OriginPatch | None = None
    """None where the robot file was left alone."""

    @property
    def circle_off_mm(self) -> float | None:
        """How far the circles' middle is from the fitted origin."""
        return None if self.circle is None else float(np.linalg.norm(self.circle.off_mm(self.fit.new_mm)))

    @property
    def doubt(self) -> str | None:
        """Say where the circles contradict the fit; None where they do not."""
        if self.circle is None or self.circle_off_mm is None:
            return None
        sure_mm = float(np.hypot(np.linalg.norm(self.circle.std_mm), np.linalg.norm(self.fit.std_mm)))
        if self.circle_off_mm <= max(_SIGMAS * sure_mm, _LEAST_APART_MM):
            return None
        return (
            f"origin of {self.fit.link}: its markers' circles have their middle {self.circle_off_mm:.1f} mm "
            "from it; is a marker loose, or was the arm's base moved between the captures?"
        )

    def as_json(self) -> dict[str, object]:
        """Return what `home --json` and origin.json say of it."""
        circle = self.circle
        return {
            "link": self.fit.link,
            "old_mm": self.fit.old_mm.tolist(),
            "new_mm": self.fit.new_mm.tolist(),
            "std_mm": self.fit.std_mm.tolist(),
            "step_mm": self.fit.step_mm,
            "patched_file": None if self.patch is None else str(self.patch.file),
            "patched_line": None if self.patch is None else self.patch.line,
            "circle": None
            if circle is None
            else {
                "origin_mm": circle.origin_mm.tolist(),
                "std_mm": circle.std_mm.tolist(),
                "rms_mm": circle.rms_mm,
                "markers": circle.markers,
                "off_mm": self.circle_off_mm,
            },
        }


def fitted_origin(data_dir: Path, machine: Machine, homings: Sequence[Homing], link: str) -> OriginResult:
    """Fit the origin by all captures together, or by marker poses where there were no pictures.

    Raises CheckFailed as `fit_origin` does.
    """
    working = homings[-1].machine
    solutions = [homing.solution for homing in homings if homing.solution is not None]
    if solutions:
        known = known_origin_mm2(data_dir, machine, link)
        fit = fit_origin(working, solutions, link, known_mm2=known)
    else:
        last = homings[-1]
        fit = fit_origin_by_markers(working, last.marker_poses, last.values(working), link)
    return OriginResult(fit, _circle(working, homings, link))


def _circle(machine: Machine, homings: Sequence[Homing], link: str) -> CircleFit | None:
    if len(homings) < LEAST_CAPTURES:
        return None
    try:
        return fit_circle(machine, [(h.marker_poses, h.values(machine)) for h in homings], link)
    except CheckFailed:
        return None  # too few markers twice, or hardly a turn: then there is nothing to hold it against


def record_origin(data_dir: Path, homing_id: str, origin: OriginResult) -> None:
    """Append the origin as it was and as it is now, y and z, to the run log's observations."""
    rows = [
        {"name": f"origin_{when}_{axis}", "value": float(value[i]), "unit": "mm", "task": homing_id}
        for when, value in (("before", origin.fit.old_mm), ("after", origin.fit.new_mm))
        for i, axis in ((1, "y"), (2, "z"))
    ]
    run_log(data_dir).append_all("observation", rows)
