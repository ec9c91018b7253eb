"""The placing campaign: many cells with all errors on, the box in four places, ten runs in each.

    python -m tests.accept.placing_campaign TABLE OUT.jsonl --seeds 0-19 --variant whole

TABLE is a data folder with a table; one line of JSON a run goes into OUT, and seeds that are in it are not
done again.
"""

from __future__ import annotations

import argparse
import json
import math
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from lib.cell import Stagehand
from lib.settings import Settings
from tests.lib.place.trial import VARIANTS, Trial, percentile, trial, with_table

BOXES_M = ((-0.180, 0.200), (-0.200, 0.180), (-0.165, 0.220), (-0.195, 0.205))
RUNS = 10
CAMERA_NOISE_M = 0.0015


def seed_runs(table: Path, seed: int, variant: str, drawn: bool = False) -> Iterator[dict[str, Any]]:
    """Do one seed's runs; the memory and the table are its own."""
    with tempfile.TemporaryDirectory() as folder:
        data_dir = Path(folder) / "data"
        with_table(table, data_dir)
        settings = Settings(data_dir=data_dir)
        noise_m = 0.0 if drawn else CAMERA_NOISE_M
        with trial(settings, seed, box_m=BOXES_M[0], drawn=drawn, noise_m=noise_m, variant=variant) as tried:
            hand = Stagehand(tried.cell.things, tried.settings.cell)
            for cell, (x, z) in enumerate(BOXES_M):
                hand.move_box(x, z)
                for run in range(RUNS):
                    yield {
                        "seed": seed,
                        "variant": variant,
                        "cell": cell,
                        "run": run,
                        **_one(tried, cell * RUNS + run),
                    }


def _one(tried: Trial, number: int) -> dict[str, Any]:
    outcome = tried.run(number)
    placed = outcome.state == "finished"
    return {
        "state": outcome.state,
        "place": outcome.place,
        "seen_mm": outcome.in_box_dist_mm,
        "true_mm": tried.true_distance_mm(number) if placed else None,
        "looks": outcome.looks,
        "rule": outcome.rule,
        "reason": outcome.reason,
        "gate": tried.arm.refusals[-1:] if outcome.state == "refused" else [],
    }


@dataclass(frozen=True)
class Summary:
    """One variant's runs; a run that placed nothing counts as no success and has no distance."""

    variant: str
    runs: int
    yes: int
    wilson: tuple[float, float]
    """95 % interval of the share of successes (E. B. Wilson 1927)."""
    median_mm: float
    p95_mm: float
    true_median_mm: float
    true_p95_mm: float
    by_run_mm: tuple[float, ...]
    """Median distance of the first, second... run in a cell."""
    ended: dict[str, int]
    """How often each other end came."""

    def text(self) -> str:
        low, high = self.wilson
        by_run = " ".join(f"{mm:.1f}" for mm in self.by_run_mm)
        return (
            f"{self.variant:<10} {self.yes}/{self.runs} yes ({low:.1%}..{high:.1%})  seen median "
            f"{self.median_mm:.1f} p95 {self.p95_mm:.1f} mm, true median {self.true_median_mm:.1f} p95 "
            f"{self.true_p95_mm:.1f} mm  by run {by_run}  else {self.ended}"
        )


def summary(rows: Sequence[dict[str, Any]], variant: str) -> Summary:
    """Summarise a variant's runs."""
    mine = [row for row in rows if row["variant"] == variant]
    placed = [row for row in mine if row["seen_mm"] is not None]
    yes = sum(row["place"] == "yes" for row in mine)
    seen, true = [row["seen_mm"] for row in placed], [row["true_mm"] for row in placed]
    by_run = [[row["seen_mm"] for row in placed if row["run"] == k] for k in range(RUNS)]
    ended = Counter(f"{row['state']}: {row['rule']}" for row in mine if row["place"] != "yes")
    return Summary(
        variant, len(mine), yes, _wilson(yes, len(mine)),
        float(np.median(seen)), percentile(seen, 0.95), float(np.median(true)), percentile(true, 0.95),
        tuple(float(np.median(each)) for each in by_run if each), dict(ended),
    )  # fmt: skip


def _wilson(successes: int, count: int, z: float = 1.96) -> tuple[float, float]:
    share = successes / count
    middle = (share + z**2 / (2 * count)) / (1 + z**2 / count)
    half = z / (1 + z**2 / count) * math.sqrt(share * (1 - share) / count + z**2 / (4 * count**2))
    return middle - half, middle + half


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("table", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--seeds", default="0-19")
    parser.add_argument("--variant", choices=VARIANTS, default="whole")
    parser.add_argument("--drawn", action="store_true", help="with rendered pictures")
    args = parser.parse_args()
    first, _, last = args.seeds.partition("-")
    done = set()
    if args.out.exists():
        lines = [json.loads(line) for line in args.out.read_text().splitlines()]
        done = {(line["seed"], line["variant"]) for line in lines if line["cell"] == len(BOXES_M) - 1}
    for seed in range(int(first), int(last or first) + 1):
        if (seed, args.variant) in done:
            continue
        for row in seed_runs(args.table, seed, args.variant, args.drawn):
            with args.out.open("a") as out:
                out.write(json.dumps(row) + "\n")


if __name__ == "__main__":
    main()
