"""Where a figure goes: an SVG, a PNG or a page of its own, whole or not at all."""

from __future__ import annotations

import html
import io
from pathlib import Path

from matplotlib.figure import Figure

from lib.disk import whole_file
from lib.errors import BadInput, one_of
from lib.report.style import as_svg

SUFFIXES = (".svg", ".png", ".html")
_PNG_DPI = 160

_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<style>body{{margin:2rem auto;max-width:70rem;font-family:system-ui,sans-serif;color:#1f2933;background:#fff}}
svg{{width:100%;height:auto}}</style></head>
<body>{svg}</body></html>
"""


def check_figure_file(path: Path) -> None:
    """Raise BadInput for a name that no figure can be written to, before anything is computed."""
    if path.suffix.lower() not in SUFFIXES:
        raise BadInput(f"{path}: no kind of figure; expected {one_of(SUFFIXES)}")
    if not path.absolute().parent.is_dir():
        raise BadInput(f"{path}: no folder {path.parent}; make it first")


def write_figure(figure: Figure, path: Path, title: str) -> None:
    """Write a house figure by the suffix of ``path``; ``title`` is the page's.

    Call it while the ``house_figure`` is open: text and fonts are decided when it is written.
    Raises BadInput as check_figure_file does, and where the file cannot be written.
    """
    check_figure_file(path)
    content = _content(figure, path.suffix.lower(), title)
    with whole_file(path) as part:
        part.write_bytes(content)


def _content(figure: Figure, suffix: str, title: str) -> bytes:
    if suffix == ".png":
        image = io.BytesIO()
        figure.savefig(image, format="png", dpi=_PNG_DPI, facecolor="white")
        return image.getvalue()
    svg = as_svg(figure)
    if suffix == ".html":
        return _PAGE.format(title=html.escape(title), svg=svg).encode()
    return ('<?xml version="1.0" encoding="utf-8"?>\n' + svg).encode()
