"""A fitted origin changes its own numbers on its own line, and no other byte, whatever happens."""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from pathlib import Path

import pytest

from lib.errors import BadInput, CheckFailed
from lib.robot import PACKAGED_MACHINES, load_machine, patch_origin
from tests.flows.processes import wait_until

RAIL7 = PACKAGED_MACHINES["rail7"].read_bytes()
MECHARM = PACKAGED_MACHINES["mecharm270"].read_bytes()


def written(folder: Path, content: bytes = RAIL7) -> Path:
    path = folder / "robot.json"
    path.write_bytes(content)
    return path


def origin_mm(path: Path, link: str) -> list[float]:
    machine = load_machine(path)
    joint = machine.links[machine.link_index(link)].joint
    assert joint is not None
    return [round(1000 * x, 6) for x in joint.origin_m.tolist()]


def test_only_the_links_own_line_differs_byte_for_byte(tmp_path: Path) -> None:
    path = written(tmp_path)
    patch = patch_origin(path, load_machine(path).file_md5, "Arm1", {1: 108.28, 2: 34.81})
    assert (patch.old_mm, patch.new_mm) == ((0.0, 101.1, 55.2), (0.0, 108.28, 34.81))
    before, after = RAIL7.splitlines(keepends=True), path.read_bytes().splitlines(keepends=True)
    changed = [i for i, (a, b) in enumerate(zip(before, after, strict=True), start=1) if a != b]
    assert changed == [patch.line]
    line = after[patch.line - 1]
    assert line == before[patch.line - 1].replace(b"[0, 101.1, 55.2]", b"[0, 108.28, 34.81]")
    assert origin_mm(path, "Arm1") == [0, 108.28, 34.81]


def test_an_origin_with_a_rotation_is_patched_in_its_place(tmp_path: Path) -> None:
    path = written(tmp_path, MECHARM)
    patch_origin(path, load_machine(path).file_md5, "link3", {1: -100.4321})
    assert path.read_bytes() == MECHARM.replace(b'"xyz_mm": [0, -100, 0]', b'"xyz_mm": [0, -100.432, 0]')
    assert MECHARM.count(b'"xyz_mm": [0, -100, 0]') == 1


@pytest.mark.parametrize(
    ("old", "new"),
    [(b"\n", b"\r\n"), (b"    ", b"\t"), (b'": ', b'"  :  ')],
    ids=["carriage returns", "tabs", "spaces"],
)
def test_a_hand_kept_layout_stays_as_it_is(tmp_path: Path, old: bytes, new: bytes) -> None:
    content = RAIL7.replace(old, new)
    path = written(tmp_path, content)
    patch_origin(path, load_machine(path).file_md5, "Ellbow", {1: 0.5, 2: 221.0})
    assert path.read_bytes() == content.replace(b"[0, 0, 220]", b"[0, 0.5, 221.0]", 1)


def test_a_file_changed_meanwhile_is_left_alone(tmp_path: Path) -> None:
    path = written(tmp_path)
    md5 = load_machine(path).file_md5
    changed = RAIL7.replace(b"101.1", b"101.2")
    path.write_bytes(changed)
    with pytest.raises(CheckFailed, match="was changed since the origin was fitted; home again"):
        patch_origin(path, md5, "Arm1", {1: 108.28})
    assert path.read_bytes() == changed


def test_the_programs_own_file_is_not_changed() -> None:
    path = PACKAGED_MACHINES["rail7"]
    with pytest.raises(BadInput, match="this robot file comes with the program; copy it"):
        patch_origin(path, load_machine(path).file_md5, "Arm1", {1: 108.28})
    assert path.read_bytes() == RAIL7


def test_an_origin_over_several_lines_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, RAIL7.replace(b"[0, 101.1, 55.2]", b"[0,\n 101.1, 55.2]"))
    with pytest.raises(BadInput, match=r"links\.Arm1\.jointToParent\.origin does not stand on one line"):
        patch_origin(path, load_machine(path).file_md5, "Arm1", {1: 108.28})


def test_a_link_that_is_not_there_is_named(tmp_path: Path) -> None:
    path = written(tmp_path)
    with pytest.raises(BadInput, match=r"no links\.World\.jointToParent\.origin"):
        patch_origin(path, load_machine(path).file_md5, "World", {1: 1.0})


def test_mode_and_symbolic_link_stay(tmp_path: Path) -> None:
    path = written(tmp_path)
    path.chmod(0o640)
    link = tmp_path / "current.json"
    link.symlink_to(path)
    patch_origin(link, load_machine(link).file_md5, "Arm1", {1: 108.28})
    assert link.is_symlink()
    assert path.stat().st_mode & 0o777 == 0o640
    assert origin_mm(path, "Arm1")[1] == 108.28


def _patch_for_ever(path: Path) -> None:
    for k in range(10**6):
        patch_origin(path, load_machine(path).file_md5, "Arm1", {1: 100.0 + k % 7, 2: 50.0 + k % 7})


def test_a_killed_process_never_leaves_a_half_file(tmp_path: Path) -> None:
    path = written(tmp_path)
    allowed = {RAIL7} | {
        RAIL7.replace(b"[0, 101.1, 55.2]", f"[0, {100.0 + k}, {50.0 + k}]".encode()) for k in range(7)
    }
    for pause_s in (0.05, 0.09, 0.13, 0.17, 0.21):
        worker = multiprocessing.get_context("fork").Process(target=_patch_for_ever, args=(path,))
        worker.start()
        wait_until(lambda: path.read_bytes() != RAIL7, 60, "the file was patched")
        time.sleep(pause_s)
        assert worker.pid is not None
        os.kill(worker.pid, signal.SIGKILL)
        worker.join()
        assert path.read_bytes() in allowed
    assert path.read_bytes() != RAIL7
