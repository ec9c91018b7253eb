"""`nightpick arm emulate`: an emulated arm on a pseudo-terminal, for any program that speaks pymycobot."""

from __future__ import annotations

import argparse
import json
from contextlib import suppress
from typing import Any

from flows.commands.verb import add_verb, print_json
from lib.settings import Settings


def add_emulate(group: Any, common: argparse.ArgumentParser) -> None:
    """Add `arm emulate`."""
    parser = add_verb(
        group, common, "emulate", _emulate,
        does="run an emulated arm until Ctrl-C, and say where it is reached",
        example="nightpick arm emulate --time-scale 10 --fault reply_share=0.0002",
    )  # fmt: skip
    parser.add_argument(
        "--time-scale", type=float, metavar="X", help="clock factor, up to 50 (default: cell.time_scale)"
    )
    parser.add_argument(
        "--seed", type=int, metavar="N", help="seed of faults and cell errors (default: cell.seed)"
    )
    parser.add_argument(
        "--body", choices=("twin", "ideal"), help="what moves: contact physics, or joints without weight"
    )
    parser.add_argument(
        "--fault", action="append", default=[], metavar="NAME=VALUE",
        help="make something go wrong, like latency_s=0.2, mute=true or gripper_drops_after_s=10; "
        "repeatable; `--fault help=` lists the names",
    )  # fmt: skip
    parser.add_argument("--unpowered", action="store_true", help="start with the servos off: the arm sinks")
    parser.add_argument(
        "--listen", metavar="HOST:PORT", help="be a TCP server, as the arm's own, not a terminal"
    )
    parser.add_argument(
        "--unregistered", action="store_true",
        help="do not become the emulated arm of the data folder, which arm.kind = emulated uses",
    )  # fmt: skip


def _emulate(args: argparse.Namespace, settings: Settings) -> int:
    from dataclasses import replace

    from lib.arm.firmware import Faults, emulation
    from lib.arm.registration import registration

    cell = settings.cell
    cell = replace(
        cell,
        time_scale=cell.time_scale if args.time_scale is None else args.time_scale,
        seed=cell.seed if args.seed is None else args.seed,
    )
    with emulation(
        replace(settings, cell=cell),
        body=args.body or settings.arm.body,
        faults=Faults().with_changes(dict(_fault(text) for text in args.fault)),
        powered=not args.unpowered,
        listen=args.listen,
        registered_at=None if args.unregistered else registration(settings.data_dir),
    ) as (where, arm):
        if args.json:
            print_json(where.as_json())
        else:
            print(
                f"an emulated arm at {where.port}, clock factor {where.time_scale:g}, until Ctrl-C; elsewhere"
            )
            print(f"  {_how(args.listen, where.port)} nightpick arm status", flush=True)
        with suppress(KeyboardInterrupt):
            arm.run()
    return 0


def _how(listen: str | None, port: str) -> str:
    if listen is None:
        return f"NIGHTPICK_ARM__KIND=serial NIGHTPICK_ARM__PORT={port}"
    host, _, number = port.rpartition(":")
    return f"NIGHTPICK_ARM__KIND=socket NIGHTPICK_ARM__HOST={host} NIGHTPICK_ARM__HOST_PORT={number}"


def _fault(text: str) -> tuple[str, Any]:
    from lib.errors import BadInput

    name, equals, value = text.partition("=")
    try:
        return name, json.loads(value)
    except ValueError:
        if not equals or name == "help":
            return name, value
        raise BadInput(f"--fault {text}: expected NAME=VALUE with a number, true or false") from None
