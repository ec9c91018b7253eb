"""The first scan requests: about a hundred base poses around the PLACE and PICK families, and a second scan.

The bases follow an additive recurrence (Roberts 2018, "The unreasonable effectiveness of
quasirandom sequences"): point n has the coordinates frac(3/4 + n g^-k), g the root of
g^(d+1) = g + 1. It fills a box evenly, the same on every machine, with nothing to seed.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lib.disk import disk
from lib.scan import ScanRequest, request_text

BASES = 99
PLACE_BASES = 60

_FOLDER = Path(__file__).parent / "requests"
_VARIED_JOINTS = 5  # the twin's grid leaves j5 alone, and both families hold it at -30 degrees
_J5_DEG = -30.0
_DECIMALS = 3

# Any start fills the box alike. Of those tried, this one has a row of the PICK band within 2.2 mm of every
# point of the area, and no PLACE target in the box gets farther when the second scan is merged.
_START = 0.75


@dataclass(frozen=True)
class _Spread:
    """Where one joint's bases lie: anywhere in a range, or on few values of it."""

    centre_deg: float
    half_width_deg: float
    values: int | None = None

    def of(self, share: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return joint values [deg] for shares in [0, 1) of the range."""
        if self.values is not None:
            share = np.floor(share * self.values) / max(self.values - 1, 1)
        return self.centre_deg + (2.0 * share - 1.0) * self.half_width_deg


# Around the published reference pose [36.215, 57, 20, -12, -86, -30]. Turning the base and the
# forearm is free in the lookup's score, so j0 and j3 vary freely; j1, j2 and j4 cost score by the
# degree, so their bases stay on the reference's own 5-degree lattice. The family ends at j2 = 20:
# the low z of the box is the hole that the second scan is for.
_PLACE = (
    _Spread(36.215, 24.0),
    _Spread(64.5, 7.5, values=4),
    _Spread(2.5, 2.5, values=2),
    _Spread(-12.0, 18.0),
    _Spread(-83.5, 2.5, values=2),
)
# Around the published PICK pose [-35, 70, 25, 0, -85, -30], wide enough for the corners of the area.
_PICK = (
    _Spread(-37.0, 18.0),
    _Spread(70.0, 14.0),
    _Spread(20.0, 20.0),
    _Spread(0.0, 12.0),
    _Spread(-80.0, 14.0),
)


def base_request() -> ScanRequest:
    """Return the first scan request: 99 bases [deg], expanded by the twin to 1,663,893 poses."""
    bases = np.concatenate([_family(_PLACE, PLACE_BASES), _family(_PICK, BASES - PLACE_BASES)])
    return ScanRequest(bases, exact=False)


def write_first_requests(folder: Path) -> list[Path]:
    """Write base.csv and place-low-z.csv into ``folder`` where missing; return those written.

    A folder that is not there yet appears with both or not at all: who finds it half filled could
    not tell it from one that a person thinned out. Raises DiskRefused.
    """
    part = folder.with_name(f".{folder.name}.part")
    with disk(folder, "no request was written"):
        try:
            return _write_all(folder, part)
        except OSError:
            shutil.rmtree(part, ignore_errors=True)
            raise


def _write_all(folder: Path, part: Path) -> list[Path]:
    texts = {"base.csv": request_text(base_request())}
    texts |= {path.name: path.read_text(encoding="utf-8") for path in sorted(_FOLDER.glob("*.csv"))}
    missing = [name for name in texts if not (folder / name).exists()]
    shutil.rmtree(part, ignore_errors=True)  # what an earlier, killed start left
    part.mkdir(parents=True)
    for name in missing:
        (part / name).write_text(texts[name], encoding="utf-8")
    if not folder.exists():
        part.replace(folder)
    else:
        for name in missing:
            (part / name).replace(folder / name)
        part.rmdir()
    return [folder / name for name in missing]


def _family(spreads: tuple[_Spread, ...], count: int) -> NDArray[np.float64]:
    shares = _evenly(count, _VARIED_JOINTS)
    joints = [spread.of(share) for spread, share in zip(spreads, shares.T, strict=True)]
    return np.round(np.column_stack([*joints, np.full(count, _J5_DEG)]), _DECIMALS)


def _evenly(count: int, dimensions: int) -> NDArray[np.float64]:
    """Return ``count`` points that fill the unit box evenly, of shape (count, dimensions)."""
    root = 1.0
    for _ in range(60):
        root = (1.0 + root) ** (1.0 / (dimensions + 1))
    steps = root ** -np.arange(1.0, dimensions + 1.0)
    return (_START + np.outer(np.arange(1, count + 1), steps)) % 1.0
