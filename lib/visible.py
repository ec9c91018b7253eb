"""Text that others chose, such as a file's name, made fit to be shown: one line that nothing obeys.

A terminal obeys control characters, a reader's eye the marks that turn writing around; shown as
``\\n``, ``\\x1b`` or ``\\u202e`` they are what they are: part of a name.
"""

from __future__ import annotations


def visible(text: str) -> str:
    """Return ``text`` with everything that does not print as itself escaped as Python writes it."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
