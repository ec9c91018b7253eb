"""How a person reads a refinement."""

from __future__ import annotations

from lib.counted import counted
from lib.lookup.refine import Refinement


def refinement_text(refined: Refinement) -> str:
    """Describe a predicted pose in two lines, or say why there is none."""
    if refined.joints_deg is None:
        lines = [("refined", f"no: {refined.why_not}")]
        if refined.nearest is not None:
            pose = _pose(refined.nearest.joints_deg)
            lines.append(("", f"{pose}  deg is the nearest"))
    else:
        assert refined.method is not None and refined.predicted_residual_m is not None
        assert refined.cv_error_m is not None and refined.max_step_deg is not None
        assert refined.neighbours is not None
        lines = [
            ("refined", f"{_pose(refined.joints_deg)}  deg, predicted, never measured"),
            (
                "",
                f"xz {_fine_mm(refined.predicted_residual_m)} +- {_fine_mm(refined.cv_error_m)} mm by "
                f"{refined.method.replace('_', ' ')}, judged by "
                f"{counted(refined.neighbours, 'measured pose')} around; "
                f"moves at most {refined.max_step_deg:.3f} deg",
            ),
        ]
    if refined.why_not_chain is not None:
        lines.append(("", f"the chain was not used: {refined.why_not_chain}"))
    return "\n".join(f"  {name:<9} {text}" for name, text in lines)


def _pose(joints_deg: tuple[float, ...]) -> str:
    return " ".join(f"{joint:9.4f}" for joint in joints_deg)


def _fine_mm(value_m: float) -> str:
    return f"{value_m * 1e3:.3f}"
