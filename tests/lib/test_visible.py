"""What is shown of a text that others chose: one printable line, the same for every text that was one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.visible import visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("night 30.csv", "night 30.csv"),
        ("Prüfung-ß-试.csv", "Prüfung-ß-试.csv"),
        ("a\nb.csv", "a\\nb.csv"),
        ("\x1b[31mred\x1b[0m.csv", "\\x1b[31mred\\x1b[0m.csv"),
        ("gpj.\u202evsc", "gpj.\\u202evsc"),
        ("\x9b2J", "\\x9b2J"),  # the one-byte CSI
        ("\udcff.csv", "\\udcff.csv"),  # a name that is not UTF-8, as Python gives it
    ],
)
def test_what_does_not_print_as_itself_is_escaped(text: str, shown: str) -> None:
    assert visible(text) == shown


@given(st.text())
def test_the_result_is_one_printable_line_and_shown_again_it_stays(text: str) -> None:
    shown = visible(text)
    assert shown.isprintable()
    assert visible(shown) == shown
    assert shown == text or not text.isprintable()
    shown.encode()  # what a terminal, a server and a page have to do with it
