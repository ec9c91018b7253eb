"""What earlier fits know of an origin: kept beside the homings, void once the robot file is another."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from lib.homing.lens import Array
from lib.homing.origin_fit import OriginFit
from lib.homing.session.files import homings_folder, write_json
from lib.robot import Machine


def known_origin_mm2(data_dir: Path, machine: Machine, link: str) -> Array | None:
    """Return the covariance [mm^2] (2, 2) of a link's fitted y and z; None where no fit put them there."""
    try:
        kept = json.loads(_file(data_dir, machine, link).read_text(encoding="utf-8"))
        covariance = np.array(kept["covariance_mm2"], dtype=np.float64)
        if kept["robot_md5"] != machine.file_md5 or covariance.shape != (2, 2):
            return None
        return covariance if (np.linalg.eigvalsh(covariance) > 0).all() else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def keep_known_origin(data_dir: Path, machine: Machine, link: str, origin: OriginFit) -> None:
    """Keep what a fit knows, for the robot file as the fit left it."""
    write_json(
        _file(data_dir, machine, link),
        {"robot_md5": machine.file_md5, "link": link, "covariance_mm2": origin.covariance_mm2.tolist()},
    )


def _file(data_dir: Path, machine: Machine, link: str) -> Path:
    slug = "".join(letter if letter.isalnum() else "_" for letter in f"{machine.name}_{link}")
    return homings_folder(data_dir) / f"origin_{slug}.json"
