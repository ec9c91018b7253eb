"""`nightpick motions`: play every variant of the pick-place motion in the twin, rank them, choose one."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from flows.commands.verb import add_verb, print_json
from lib.errors import BadInput
from lib.settings import Settings

if TYPE_CHECKING:
    from lib.motion import StudyResult


def add_motions(verbs: Any, common: argparse.ArgumentParser) -> None:
    """Add `motions`."""
    parser = add_verb(
        verbs, common, "motions", _motions,
        does="play the motion variants in the twin and rank them; list them; choose the batch's by name",
        example="nightpick motions run, then nightpick motions --winner high-normal",
    )  # fmt: skip
    parser.add_argument(
        "do",
        nargs="?",
        choices=("run", "list"),
        default="run",
        help="run a study (the default), or list the variants and how each came out last",
    )
    parser.add_argument(
        "--winner", metavar="NAME", help="make the variant of this name the batch's, by the last study"
    )
    parser.add_argument(
        "--only",
        nargs="+",
        metavar="NAME",
        help="run only these; standard-published is the published sequence (default: all variants)",
    )
    parser.add_argument("--repeats", type=int, metavar="N", help="repeats of each variant, 5 or more")
    parser.add_argument("--seed", type=int, metavar="S", help="seed of the first repeat's cell")


def _motions(args: argparse.Namespace, settings: Settings) -> int:
    if args.do == "run" and args.winner is None:
        return _run(args, settings)
    for name in ("only", "repeats", "seed"):
        if getattr(args, name) is not None:
            raise BadInput(f"--{name} belongs to a study: `nightpick motions run --{name} ...`")
    return _list(args, settings) if args.winner is None else _choose(args, settings)


def _run(args: argparse.Namespace, settings: Settings) -> int:
    from flows.terminal import progress_bar
    from lib.motion import begin_study, end_study, playing
    from lib.report.motions import motion_facts, write_motion_reports

    if args.repeats is not None and args.repeats < 5:
        raise BadInput(f"--repeats {args.repeats}: expected 5 or more, fewer tell no variant from another")
    study = begin_study(settings, args.repeats, args.seed, args.only)
    with (
        playing(settings, study.robot, study.frames_folder) as players,
        progress_bar(f"playing {len(study.feasible)} variants") as progress,
    ):
        outcomes = players.play(study.jobs, progress)
    result = end_study(settings, study, outcomes)
    files = write_motion_reports(study.folder, motion_facts(settings, result))
    if args.json:
        print_json({**result.as_json(), "figure": str(files.figure), "page": str(files.page)})
    else:
        print(_result_text(result))
        print(f"figure: {files.figure}\nwatch them side by side: {files.page}")
    return 0 if result.best else 1


def _result_text(result: StudyResult) -> str:
    from flows.commands.motions_text import infeasible_text, ranking_table
    from flows.terminal import wide_text

    text = wide_text(ranking_table(result.ranked))
    return "\n".join([text, *(infeasible_text(planned) for planned in result.study.infeasible)])


def _list(args: argparse.Namespace, settings: Settings) -> int:
    from flows.commands.motions_text import list_table
    from flows.terminal import wide_text
    from lib.motion import chosen_variant, last_ranks, published_variant, variants

    chosen = chosen_variant(settings.data_dir)
    ranks = {rank.variant: rank for rank in last_ranks(settings.data_dir)}
    published = published_variant(settings.motion)
    known = variants(settings.motion) + ((published,) if published.name in ranks else ())
    if args.json:
        print_json(
            {
                "chosen": chosen.name if chosen else None,
                "variants": [
                    {
                        "variant": variant.name,
                        "move_s": variant.move_s,
                        "last": ranks[variant.name].as_json() if variant.name in ranks else None,
                    }
                    for variant in known
                ],
            }
        )
        return 0
    print(wide_text(list_table(known, ranks, chosen)))
    if not ranks:
        print("no study yet: `nightpick motions run` plays them in the twin and ranks them")
    return 0


def _choose(args: argparse.Namespace, settings: Settings) -> int:
    from lib.motion import choose_variant

    variant = choose_variant(settings, args.winner)
    if args.json:
        print_json({"chosen": variant.name, "move_s": variant.move_s})
    else:
        print(f"the batch moves by {variant.name} from now on, {variant.move_s:g} s a move")
    return 0
