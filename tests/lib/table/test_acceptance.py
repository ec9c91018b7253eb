"""The command that is printed names one scan and all that it failed, or says what cannot be accepted."""

from __future__ import annotations

import shlex

from lib.table import Failed, accept_command, merge_command, ways_out

MD5 = "0a1b2c3d" + "e" * 24


def test_all_failed_audits_and_the_number_of_worse_probes_are_in_one_command() -> None:
    failed = [
        Failed("conflicts", {}),
        Failed("selection_regression", {"beyond_limit": 7, "worse": 9}),
        Failed("self_consistency", {}),
    ]
    assert accept_command(MD5, failed) == (
        "nightpick table merge --scan 0a1b2c3d --accept-audit conflicts --accept-audit self_consistency "
        "--accept-worse 7 --reason TEXT"
    )


def test_worse_probes_alone_need_no_reason() -> None:
    command = accept_command(MD5, [Failed("selection_regression", {"beyond_limit": 1})])
    assert command == "nightpick table merge --scan 0a1b2c3d --accept-worse 1"


def test_what_cannot_be_accepted_is_said_instead() -> None:
    failed = [Failed("count", {}), Failed("self_consistency", {})]
    assert accept_command(MD5, failed) is None
    assert ways_out(MD5, failed)[0] == "count cannot be accepted"


def test_a_reason_of_any_words_is_one_argument_of_a_shell() -> None:
    command = merge_command(MD5, ["conflicts"], reason="it's $HOME; rm")
    assert shlex.split(command)[-2:] == ["--reason", "it's $HOME; rm"]
