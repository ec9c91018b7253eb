"""Pictures of the simulated cell, end to end: a hundred poses anywhere; by hand: pytest -m slow -s."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from lib.cell import Cell, no_errors
from lib.homing import home
from lib.homing.detection import detect
from lib.homing.session import lenses_of
from lib.robot import link_capsules, load_machine, load_robot
from lib.settings import Settings

pytestmark = [pytest.mark.slow, pytest.mark.timeout(7200)]


@pytest.mark.parametrize(
    ("noise_px", "mean_deg", "worst_deg"),
    [(0.0, 0.06, 0.4), (0.3, 0.1, 1.0)],
    ids=["lens, blur, noise, occlusion", "and every marker's corners off by 0.3 px"],
)
def test_a_hundred_poses_from_pictures(noise_px: float, mean_deg: float, worst_deg: float) -> None:
    robot, machine = load_robot("mecharm270"), load_machine("mecharm270")
    assert robot is not None
    errors = replace(no_errors(), pixel_noise_px=noise_px, camera_place_m=0.001, camera_turn_deg=0.1)
    cell = Cell(robot, replace(Settings().cell, scene="empty"), seed=5, errors=errors)
    cell.set_power(False)
    offs, stds = [], []
    for seed in range(100):
        random = np.random.default_rng(900_000 + seed)
        while True:
            joints_deg = random.uniform(robot.limits_deg[:, 0], robot.limits_deg[:, 1])
            capsules = link_capsules(robot, joints_deg[None])
            if np.min(capsules.ends_m[0, :, :, 1] - capsules.radii_m[:, None]) > 0.01:
                break
        cell.pose_by_hand(joints_deg)
        pictures = {name: cell.frame(name) for name in cell.film.eyes}
        views = detect(pictures, machine.dictionary, lenses_of(machine)).views
        found = home(machine, lenses_of(machine), views)
        true = cell.joints_deg()
        offs.append([np.nan if m.value is None else (m.value - t + 180) % 360 - 180
                     for m, t in zip(found.movements, true, strict=True)])  # fmt: skip
        stds.append([np.nan if m.std is None else m.std for m in found.movements])
    off, std = np.array(offs), np.array(stds)
    print(
        f"\nrendered, corners off by {noise_px:g} px: mean {np.nanmean(np.abs(off)):.4f} deg, worst "
        f"{np.nanmax(np.abs(off)):.3f}, unseen {100 * np.isnan(off).mean():.1f} %, worst in sigmas "
        f"{np.nanmax(np.abs(off / std)):.1f}, "
        f"NEES {np.round(np.nanmean((off / std) ** 2, axis=0), 2).tolist()}"
    )
    assert np.nanmean(np.abs(off)) <= mean_deg
    assert np.nanmax(np.abs(off)) <= worst_deg


def test_seeded_offsets_of_thirty_cells_are_found() -> None:
    """Every error of the cell is on: offsets, backlash, sag, cameras that stand elsewhere, pixel noise."""
    robot, machine = load_robot("mecharm270"), load_machine("mecharm270")
    assert robot is not None
    poses = ((25.0, 30.0, -15.0, 20.0, -45.0, 40.0), (-35.0, 70.0, 25.0, 0.0, -85.0, -30.0), (0.0,) * 6)
    offs, stds, sure = [], [], []
    for seed in range(30):
        cell = Cell(robot, Settings().cell, seed=7000 + seed, joints_deg=poses[seed % 3])
        cell.drive(poses[seed % 3], 100.0, 1.0)
        pictures = {name: cell.frame(name) for name in cell.film.eyes}
        found = home(
            machine, lenses_of(machine), detect(pictures, machine.dictionary, lenses_of(machine)).views
        )
        for m, true, encoder in zip(found.movements, cell.joints_deg(), cell.encoders_deg(), strict=True):
            assert m.value is not None
            assert m.std is not None
            offset_deg = (m.value - encoder + 180) % 360 - 180
            offs.append(offset_deg - (true - encoder))
            stds.append(m.std)
            sure.append(m.confidence)
    off, std = np.array(offs), np.array(stds)
    print(
        f"\noffsets of thirty cells: mean {np.abs(off).mean():.3f} deg, "
        f"95 % {np.quantile(np.abs(off), 0.95):.3f}, worst {np.abs(off).max():.3f}, "
        f"worst in sigmas {np.abs(off / std).max():.1f}, NEES "
        f"{np.mean((off / std) ** 2):.2f}; high {np.mean(np.array(sure) == 'high'):.2f}"
    )
    assert np.abs(off).mean() <= 0.1
    assert np.abs(off / std).max() < 5
