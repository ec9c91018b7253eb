"""The room's front door offers every name, and loads physics and pictures only for those who use them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import lib.cell

ROOT = Path(__file__).parents[3]


def test_every_name_on_offer_is_there() -> None:
    for name in lib.cell.__all__:
        assert getattr(lib.cell, name) is not None
    # Some names are modules' too; what is offered is not the module.
    assert callable(lib.cell.layout)
    with pytest.raises(AttributeError, match=r"'lib.cell' has no attribute 'nothing'"):
        lib.cell.nothing  # noqa: B018  the access itself is the test


def test_a_layout_does_not_load_physics_or_pictures() -> None:
    code = (
        "import sys; from lib.cell import KinematicBody, Layout, layout; from lib.settings import Settings; "
        "layout(Settings().cell); print('mujoco' in sys.modules, 'cv2' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["False", "False"]


def test_physics_loads_no_window_library() -> None:
    code = "import sys; from lib.cell import Cell; print([name for name in sys.modules if 'glfw' in name])"
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["[]"]
