"""How a person reads a lookup: the pose, how far off it is, whether the arm may be sent there."""

from __future__ import annotations

from lib.lookup import OUT_OF_RANGE, LookupResult, Request


def answer_text(request: Request, result: LookupResult) -> str:
    """Describe an answer in a few lines; distances in mm, angles in degrees."""
    version = "" if result.table_version is None else f", table version {result.table_version}"
    title = f"{request.mode.upper()} x {request.x_m:+.4f} m, z {request.z_m:+.4f} m{version}"
    if result.joints_deg is None or result.point_m is None:
        return f"{title}\n  {result.method}: {_nothing_found(request, result)}"
    x_m, y_m, z_m = result.point_m
    lines = [
        ("row", f"fk_row_{result.fk_row}  {result.method}"),
        ("pose", " ".join(f"{joint:9.3f}" for joint in result.joints_deg) + "  deg"),
        ("tip", f"x {x_m:+.4f}  y {y_m:+.4f}  z {z_m:+.4f}  m"),
        (
            "off by",
            f"x {mm(result.x_residual_m)}  z {mm(result.z_residual_m)}  xz {mm(result.xz_distance_m)}  mm",
        ),
        ("score", f"{mm(result.score)}  mm"),
    ]
    if result.max_dj_deg is not None:
        lines.append(("moves", f"at most {result.max_dj_deg:.3f} deg a joint from the reference pose"))
    why_not = result.why_not_sendable
    lines.append(("sendable", "yes" if why_not is None else f"no: {why_not}"))
    return "\n".join([title, *(f"  {name:<9} {text}" for name, text in lines)])


def _nothing_found(request: Request, result: LookupResult) -> str:
    if result.method == OUT_OF_RANGE and result.beyond_guard is not None:
        fk_row, distance_m = result.beyond_guard
        return (
            f"the selected row, fk_row_{fk_row}, is {mm(distance_m)} mm away, farther than the guard of "
            f"{mm(request.bounds.guard_m)} mm"
        )
    return f"{result.why_not_sendable}; --explain shows which filter took the last"


def mm(value_m: float | None) -> str:
    """Write a distance [m] in millimetres."""
    return "-" if value_m is None else f"{value_m * 1e3:.1f}"
