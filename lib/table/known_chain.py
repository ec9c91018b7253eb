"""What a version keeps of its chain fit, as the lookup's refinement takes it."""

from __future__ import annotations

from lib.lookup.refine import KnownChain
from lib.robot import load_robot
from lib.runlog import fk_file
from lib.settings import Settings
from lib.table.version import Version, read_versions


def known_chain(settings: Settings, number: int | None) -> KnownChain:
    """Return the chain that version ``number`` was found to follow, with the settings' robot.

    Raises BadInput for a version there is not or a robot file that is not readable.
    """
    robot = load_robot(settings.robot)
    if number is None:
        return KnownChain(robot)
    with fk_file.open_read(settings.data_dir) as connection:
        line = set(fk_file.ancestors(connection, number))
        versions = [v for v in read_versions(connection) if v.version in line]
    version = versions[-1]
    if version.fit is None:
        return KnownChain(robot)
    return KnownChain(
        robot=robot,
        tip_m=version.fit.tip_m,
        rms_m=version.fit.rms_m,
        explained_share=version.fit.rows / _fitted_to(versions),
        fitted_with=version.robot_md5,
    )


def _fitted_to(line: list[Version]) -> int:
    """Count the rows that a version's fit was offered, suspects too: all that its merges scanned.

    A merge with another robot than its parent's fits the parent's own rows again.
    """
    rows, before = 0, None
    for version in line:
        if before is not None and before.robot_md5 != version.robot_md5:
            rows = before.rows
        rows += version.scanned
        before = version
    return rows
