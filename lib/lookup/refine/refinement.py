"""What a refinement answers: a pose that was never measured, and how far it can be trusted."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Nearest:
    """The pose that filters and limits allow and that is nearest to a target they keep out of reach."""

    joints_deg: tuple[float, ...]
    predicted_residual_m: float
    held_by: tuple[str, ...]
    """Filters, or ``joint_limits``, at whose bound it stands."""

    def as_json(self) -> dict[str, object]:
        """Return what a refinement that did not close the residual prints as ``nearest``."""
        return {
            "joints_deg": list(self.joints_deg),
            "predicted_residual_m": self.predicted_residual_m,
            "held_by": list(self.held_by),
        }


@dataclass(frozen=True)
class Refinement:
    """A predicted pose, or why there is none.

    Where there is none, ``joints_deg`` is None; where one was found that does not close the residual,
    ``nearest`` holds it.
    """

    method: str | None = None
    """``chain``, ``local_quadratic`` or ``local_linear``: what the prediction stands on."""
    joints_deg: tuple[float, ...] | None = None
    """The pose, j0..j5 [deg], on the twin's own grid of 1e-4 degrees."""
    predicted_point_m: tuple[float, ...] | None = None
    """Where its tool tip should be, ee_x, ee_y, ee_z in the twin's axes [m]."""
    predicted_residual_m: float | None = None
    """How far that is from the target in the x-z plane [m]."""
    cv_error_m: float | None = None
    """How far the true tip may be from the predicted one [m]: 95 % of the measured rows around the pose
    are as near or nearer, each predicted without itself."""
    neighbours: int | None = None
    """How many measured rows around the pose that was judged by."""
    max_step_deg: float | None = None
    """Largest joint change against the selected row [deg]."""
    nearest: Nearest | None = None
    """The pose inside the filters that is nearest to the target, where none closes the residual."""
    why_not: str | None = None
    """Why there is no refinement."""
    why_not_chain: str | None = None
    """Why the robot's chain was not what gave the step; None where it did."""

    @property
    def found(self) -> bool:
        """Whether there is a pose."""
        return self.joints_deg is not None

    def as_json(self) -> dict[str, object]:
        """Return what `nightpick lookup --refine --json` prints as ``refined``."""
        return {
            "joints_deg": None if self.joints_deg is None else list(self.joints_deg),
            "predicted_residual_m": self.predicted_residual_m,
            "cv_error_m": self.cv_error_m,
            "neighbours": self.neighbours,
            "method": self.method,
            "measured": False,
            "predicted_point_m": None if self.predicted_point_m is None else list(self.predicted_point_m),
            "max_step_deg": self.max_step_deg,
            "nearest": None if self.nearest is None else self.nearest.as_json(),
            "why_not": self.why_not,
            "why_not_chain": self.why_not_chain,
        }


def out_of_reach(nearest: Nearest) -> str:
    """Say how near the filters let a pose come, and which of them hold it there."""
    distance = f"{nearest.predicted_residual_m * 1e3:.1f} mm"
    if not nearest.held_by:
        return f"no pose near the measured rows comes nearer than {distance}"
    return f"no pose inside the filters comes nearer than {distance}: held by {', '.join(nearest.held_by)}"
