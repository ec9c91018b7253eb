"""The room's reports of a homing: annotated photos, the chain with its uncertainty, the tables as text."""

from dataclasses import dataclass
from pathlib import Path

from lib.homing.session import HomingRun
from lib.report.homing_figure import write_homing_figure
from lib.report.homing_image import write_homing_images
from lib.report.homing_markdown import homing_headline, homing_markdown

__all__ = ["HomingReports", "homing_headline", "homing_markdown", "write_homing_reports"]


@dataclass(frozen=True)
class HomingReports:
    """Where a homing's pictures are."""

    chain: Path
    """The chain with its uncertainty."""
    images: dict[str, Path]
    """Camera to the part of its annotated photo that shows the machine, small enough for the Prefect UI."""


def write_homing_reports(run: HomingRun) -> HomingReports:
    """Write the pictures into the homing's folder and return where they are."""
    folder = run.files.folder
    return HomingReports(
        write_homing_figure(folder / "chain.png", run.homing), write_homing_images(folder, run)
    )
