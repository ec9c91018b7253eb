"""A homing of one arm as a whole: pictures in, state, offsets and evidence out, every step recorded.

Nothing here moves an arm or tells it anything: who drives it reads `sendable_offsets` of the result.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from lib.errors import CheckFailed
from lib.homing.detection import CameraDetection, Detection, detect
from lib.homing.homing import home, home_from_marker_poses
from lib.homing.marker_pose import MarkerPose
from lib.homing.progress import Progress
from lib.homing.result import Homing
from lib.homing.session.capture import Capture, lenses_of
from lib.homing.session.files import HomingFiles, new_folder, write_files, write_json
from lib.homing.session.known_origin import keep_known_origin
from lib.homing.session.offsets import JointOffset, compare_offsets, last_offsets
from lib.homing.session.origin_stage import OriginResult, fitted_origin, record_origin
from lib.homing.session.record import record_homing, record_joints
from lib.robot import Machine, load_machine, patch_origin
from lib.settings import Settings


@dataclass(frozen=True)
class HomingRequest:
    """What somebody asked for."""

    method: str | None = None
    seed: Mapping[int, float] | None = None
    """Variables of the machine to values [rad or m] to begin from."""
    seed_name: str | None = None
    """Where the seed came from."""
    show_only: bool = False
    """Change nothing: neither the arm's offsets nor the robot file's origin."""


@dataclass(frozen=True, eq=False)
class HomingRun:
    """What came of it."""

    homing_id: str
    machine: Machine
    """As its file now describes it."""
    homing: Homing
    """Of the last capture."""
    captures: tuple[Capture, ...]
    """Empty where marker poses were given."""
    detection: Detection | None
    offsets: tuple[JointOffset, ...]
    """Empty where no encoders were read."""
    origin: OriginResult | None
    warnings: tuple[str, ...]
    files: HomingFiles
    duration_s: float

    @property
    def alarms(self) -> tuple[str, ...]:
        """Offsets that jumped."""
        return tuple(offset.alarm for offset in self.offsets if offset.alarm is not None)

    @property
    def state(self) -> str:
        """``confident`` where a batch may stand on it, else ``unsure``."""
        return "confident" if self.homing.confident and not self.alarms else "unsure"

    def as_json(self) -> dict[str, object]:
        """Return the document of `home --json`."""
        return {
            "homing_id": self.homing_id,
            **self.homing.as_json(),
            "offsets_deg": {o.variable: o.offset_deg for o in self.offsets} or None,
            "alarms": list(self.alarms),
            "origin": None if self.origin is None else self.origin.as_json(),
            "detection": [] if self.detection is None else [c.as_json() for c in self.detection.cameras],
            "warnings": list(self.warnings),
            "files": self.files.as_json(),
            "duration_s": self.duration_s,
        }


def run_homing(
    settings: Settings,
    machine: Machine,
    subject: Sequence[Capture] | tuple[MarkerPose, ...],
    request: HomingRequest = HomingRequest(),
    progress: Progress = lambda joint: None,
) -> HomingRun:
    """Home by pictures, one capture or several in sequence, or by marker poses; record and keep it all.

    The homing's row is ``unfinished`` from the start, then ``confident``, ``unsure`` or ``failed``.
    Raises CheckFailed where nothing can be found, BadInput where the pictures are not what they should be.
    """
    arm = Path(settings.robot).stem
    homing_id, folder = new_folder(settings.data_dir)
    started_utc, started_s = datetime.now(UTC), time.perf_counter()
    captures = tuple(item for item in subject if isinstance(item, Capture))
    common = {
        "homing_id": homing_id,
        "arm": arm,
        "robot": machine.name,
        "robot_md5": machine.file_md5,
        "source": captures[-1].source if captures else "marker poses",
        "seed": request.seed_name,
        "images": folder.relative_to(settings.data_dir),
        "started_utc": started_utc,
    }
    record_homing(settings.data_dir, common, state="unfinished", method=request.method)
    try:
        found = _found(settings, machine, subject, captures, request, progress)
        offsets = _offsets(settings, arm, captures, found.homing)
        files = write_files(folder, found.homing, captures)
        if found.origin is not None:
            write_json(folder / "origin.json", found.origin.as_json())
            record_origin(settings.data_dir, homing_id, found.origin)
    except BaseException as error:
        seconds = time.perf_counter() - started_s
        said = str(error) or type(error).__name__
        record_homing(settings.data_dir, common, state="failed", error=said, duration_s=seconds)
        raise
    run = HomingRun(
        homing_id=homing_id,
        machine=found.machine,
        homing=found.homing,
        captures=captures,
        detection=found.detection,
        offsets=offsets,
        origin=found.origin,
        warnings=(*found.warnings, *found.homing.warnings),
        files=files,
        duration_s=time.perf_counter() - started_s,
    )
    record_joints(settings.data_dir, homing_id, run.homing.movements, offsets)
    record_homing(
        settings.data_dir,
        common | {"robot_md5": run.machine.file_md5},
        state=run.state,
        method=run.homing.method,
        duration_s=run.duration_s,
        **_figures(run),
    )
    return run


@dataclass(frozen=True, eq=False)
class _Found:
    machine: Machine
    homing: Homing
    detection: Detection | None
    warnings: tuple[str, ...]
    origin: OriginResult | None = None


def _found(
    settings: Settings,
    machine: Machine,
    subject: Sequence[Capture] | tuple[MarkerPose, ...],
    captures: tuple[Capture, ...],
    request: HomingRequest,
    progress: Progress,
) -> _Found:
    if not captures:
        poses = tuple(item for item in subject if isinstance(item, MarkerPose))
        homing = home_from_marker_poses(machine, poses, request.method, request.seed, progress)
        return _with_origin(settings, _Found(machine, homing, None, ()), [homing], request)
    homings, detection = [], None
    for capture in captures:
        detection = detect(capture.images, machine.dictionary, lenses_of(machine))
        homings.append(
            home(
                machine, lenses_of(machine), detection.views, request.method, request.seed, progress,
                settings.homing.board_limit_px,
            )
        )  # fmt: skip
    assert detection is not None
    return _with_origin(
        settings, _Found(machine, homings[-1], detection, detection.warnings), homings, request
    )


def _with_origin(
    settings: Settings, found: _Found, homings: Sequence[Homing], request: HomingRequest
) -> _Found:
    """Fit the origin the robot file asks for; what speaks against it is a warning, not a failure."""
    machine, link = found.machine, found.machine.pose_estimation.fit_origin_link
    if link is None:
        return found
    try:
        origin = fitted_origin(settings.data_dir, machine, homings, link)
    except CheckFailed as refused:
        return replace(found, warnings=(*found.warnings, str(refused)))
    warnings = (*found.warnings, origin.doubt) if origin.doubt else found.warnings
    moved = machine.with_origin(link, origin.fit.new_mm / 1000.0)
    again = _again(settings, moved, found, request)
    if request.show_only:
        return _Found(moved, again, found.detection, warnings, origin)
    patch = patch_origin(machine.file, machine.file_md5, link, origin.fit.changes_mm)
    patched = load_machine(machine.file)
    keep_known_origin(settings.data_dir, patched, link, origin.fit)
    return _Found(patched, again, found.detection, warnings, replace(origin, patch=patch))


def _again(settings: Settings, machine: Machine, found: _Found, request: HomingRequest) -> Homing:
    """Home once more with the fitted origin."""
    if found.detection is None:
        return home_from_marker_poses(machine, found.homing.marker_poses, request.method, request.seed)
    return home(
        machine, lenses_of(machine), found.detection.views, request.method, request.seed,
        largest_rms_px=settings.homing.board_limit_px,
    )  # fmt: skip


def _offsets(
    settings: Settings, arm: str, captures: tuple[Capture, ...], homing: Homing
) -> tuple[JointOffset, ...]:
    encoders = captures[-1].encoders_deg if captures else None
    if encoders is None or len(encoders) != len(homing.movements):
        return ()
    last = last_offsets(settings.data_dir, arm, captures[-1].source)
    return compare_offsets(homing.movements, encoders, last, settings.homing.jump_limit_deg)


def _figures(run: HomingRun) -> dict[str, object]:
    """Return what the homing's row says of how well the pictures fit."""
    homing = run.homing
    seen = run.detection.cameras if run.detection is not None else ()
    return {
        "residual_px": homing.rms_px if homing.residuals else None,
        "cameras": 0 if homing.placing is None else len(homing.placing.placed),
        "markers": len({row.marker for row in homing.residuals if row.corners}) or len(homing.marker_poses),
        "rejected": sum(row.corners == 0 for row in homing.residuals) + sum(map(_doubled, seen)),
        "warnings": list(run.warnings),
    }


def _doubled(camera: CameraDetection) -> int:
    return len(camera.doubled)
