"""docs/arm.md names every switch, every rule and every failure there is, and no other switch."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import lib.arm
from lib.arm.firmware import Faults

DOCUMENT = (Path(__file__).parents[3] / "docs" / "arm.md").read_text(encoding="utf-8")
RULES = (
    "type",
    "length",
    "finite",
    "radians",
    "speed",
    "sendable",
    "limits",
    "safe range",
    "keep-out",
    "homing",
)
FAILURES = ("Deviated", "NotMoved", "NotBelieved", "ErrorReported", "Rebooted", "PowerLost", "LinkLost")


def test_every_fault_switch_is_in_the_table_and_the_table_has_no_other() -> None:
    table = DOCUMENT.split("| switch | what happens |")[1]
    named = set(
        re.findall(r"`([a-z0-9_]+)(?:=[a-z]+)?`", "\n".join(re.findall(r"^\|.*$", table, re.MULTILINE)))
    )
    assert named - {"is_moving", "is_in_position"} == {field.name for field in fields(Faults)}


def test_every_rule_and_failure_is_explained() -> None:
    for name in (*RULES, *FAILURES):
        assert f"`{name}`" in DOCUMENT, name
    assert set(FAILURES) <= set(lib.arm.__all__)


def test_the_settings_it_shows_are_settings() -> None:
    from lib.settings import Settings

    for name in re.findall(r"`arm\.([a-z0-9_]+)", DOCUMENT):
        assert hasattr(Settings().arm, name), name
