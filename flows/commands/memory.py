"""`nightpick memory`: what placements have taught each cell, and starting one anew."""

from __future__ import annotations

import argparse
from typing import Any

from flows.commands.verb import add_group, add_verb, print_json
from lib.settings import Settings


def add_memory(verbs: Any, common: argparse.ArgumentParser) -> None:
    """Add `memory show` and `memory reset`."""
    of = add_group(verbs, common, "memory", "what each cell of the box has learned")
    add_verb(
        of, common, "show", _show, does="show what each cell has learned", example="nightpick memory show"
    )
    reset = add_verb(
        of,
        common,
        "reset",
        _reset,
        does="start cells anew; what they held stays in their history",
        example="nightpick memory reset place_x-180_z200",
    )
    reset.add_argument("cells", metavar="CELL", nargs="*", help="a cell's name, as `memory show` prints it")
    reset.add_argument("--all", action="store_true", help="every cell")


def _show(args: argparse.Namespace, settings: Settings) -> None:
    from lib.place import load_memories

    return _print(list(load_memories(settings.data_dir).values()), args.json)


def _reset(args: argparse.Namespace, settings: Settings) -> None:
    from lib.errors import BadInput, one_of
    from lib.place import cell_named, forget, load_memories

    held = load_memories(settings.data_dir)
    if args.all == bool(args.cells):
        raise BadInput("name the cells to start anew, or say --all; `nightpick memory show` lists them")
    wanted = list(held) if args.all else []
    for name in args.cells:
        try:
            cell = cell_named(name)
        except ValueError as error:
            raise BadInput(str(error)) from None
        if cell not in held:
            names = [known.name for known in held]
            there = f"there are {one_of(names)}" if names else "nothing was placed yet"
            raise BadInput(f"{name} has learned nothing; {there}")
        wanted.append(cell)
    return _print(forget(settings.data_dir, wanted, settings.place.memory, "reset by hand"), args.json)


def _print(memories: list[Any], as_json: bool) -> None:
    if as_json:
        return print_json([_document(memory) for memory in memories])
    if not memories:
        print("no cell has learned anything yet: nothing was placed")
    for memory in memories:
        bias = ", ".join(
            f"{axis} {value * 1e3:+.1f} +-{sigma * 1e3:.1f}"
            for axis, value, sigma in zip(("x", "height", "z"), memory.bias_m, memory.sigma_m, strict=True)
        )
        placements = f"{memory.placements} placement{'' if memory.placements == 1 else 's'}"
        print(
            f"{memory.cell.name:18} {bias} mm, {placements}, table {memory.table_version}, "
            f"revision {memory.revision}: {memory.reason}"
        )
    return None


def _document(memory: Any) -> dict[str, object]:
    return {
        "memory_cell": memory.cell.name,
        "bias_m": list(memory.bias_m),
        "sigma_m": list(memory.sigma_m),
        "placements": memory.placements,
        "outliers": memory.outliers,
        "revision": memory.revision,
        "table_version": memory.table_version,
        "calibration": memory.calibration,
        "reason": memory.reason,
    }
