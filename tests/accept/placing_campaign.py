"""The placing campaign: many cells with all errors on, the box in four places, ten runs in each.

    python -m tests.accept.placing_campaign TABLE OUT.jsonl --seeds 0-19 --variant whole

TABLE is a data folder with a table; one line of JSON a run goes into OUT, and seeds that are in it are not
done again.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lib.cell import Stagehand
from lib.settings import Settings
from tests.lib.place.trial import VARIANTS, Trial, trial, with_table

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
