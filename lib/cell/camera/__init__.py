"""Simulated cameras, drawn without GL: pinhole with distortion, textured planes, shaded solids."""

from lib.cell.camera.eye import Eye
from lib.cell.camera.film import Film

__all__ = ["Eye", "Film"]
