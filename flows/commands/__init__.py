"""The verbs of the command line, one file a noun, listed here in the order `--help` shows them."""

from __future__ import annotations

from flows.commands import start

VERBS = (start.add_init,)
