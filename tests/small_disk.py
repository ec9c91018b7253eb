"""A disk of a few megabytes of a test's own, to fill up or to make read-only: a mount nobody else sees."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


class SmallDisk:
    """A mounted folder; only what runs through ``run`` sees its files."""

    def __init__(self, folder: Path, size_kib: int, keeper: subprocess.Popen[str]) -> None:
        self.folder = folder
        self._size_kib = size_kib
        self._keeper = keeper

    def run(self, *command: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """Run a command that sees the disk, inside its folder."""
        enter = ["nsenter", "--preserve-credentials", "-U", "-m", "-t", str(self._keeper.pid)]
        # Into the folder only in there: out here it is an empty folder of the machine's own disk.
        return subprocess.run(
            [*enter, "sh", "-c", 'cd "$0" && exec "$@"', str(self.folder), *command],
            env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
            capture_output=True,
            text=True,
            check=False,
        )

    def nightpick(self, *command: str) -> subprocess.CompletedProcess[str]:
        """Run a command of ours with its data folder on the disk."""
        return self.run(
            sys.executable, "-m", "flows.cli", *command, NIGHTPICK_DATA_DIR=str(self.folder / "data")
        )

    def leave_free(self, free_kib: int) -> None:
        """Fill the disk up to so many KiB."""
        self.run("rm", "-f", "filler")
        size_kib, available_kib = map(
            int, self.run("df", "--output=size,avail", "-k", ".").stdout.split()[-2:]
        )
        assert size_kib == self._size_kib, f"{self.folder} is another disk, which nobody wants filled"
        self.run("dd", "if=/dev/zero", "of=filler", "bs=1k", f"count={available_kib - free_kib}")

    def make_read_only(self) -> None:
        """Let nothing be written any more."""
        assert self.run("mount", "-o", "remount,ro", str(self.folder)).returncode == 0

    def content(self) -> dict[str, str]:
        """Return the md5 of every file but the filler, by its path; locks are left out."""
        listed = self.run("find", ".", "-type", "f", "!", "-name", "filler", "!", "-name", "*lock")
        sums = self.run("md5sum", *listed.stdout.splitlines()) if listed.stdout else listed
        return {name: md5 for md5, name in (line.split(maxsplit=1) for line in sums.stdout.splitlines())}


@contextmanager
def small_disk(folder: Path, size_kib: int) -> Iterator[SmallDisk]:
    """Mount an empty disk at ``folder`` for the block; skips the test where that is not allowed."""
    folder.mkdir()
    try:
        keeper = subprocess.Popen(
            [
                "unshare",
                "-rm",
                "sh",
                "-c",
                f"mount -t tmpfs -o size={size_kib}k none '{folder}' && echo up; cat",
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
    except FileNotFoundError:
        pytest.skip("needs unshare and nsenter of util-linux")
    with keeper:
        assert keeper.stdin is not None and keeper.stdout is not None
        if keeper.stdout.readline() != "up\n":
            keeper.stdin.close()
            pytest.skip("this machine allows no mounts of a test's own")
        try:
            yield SmallDisk(folder, size_kib, keeper)
        finally:
            keeper.stdin.close()


def refusal(done: subprocess.CompletedProcess[str]) -> str:
    """Return the line with which a ``--json`` command said that the disk refused it, exit code 2."""
    assert done.returncode == 2, done
    document = json.loads(done.stdout)
    assert document["error"]["kind"] == "disk", done
    line = str(document["error"]["message"])
    assert done.stderr == f"nightpick: {line}\n"
    return line
