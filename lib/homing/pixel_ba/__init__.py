"""`pixel_ba`: the reprojection error of every corner over the joint values themselves."""

from lib.homing.pixel_ba.sightings import Sightings, sightings_of
from lib.homing.pixel_ba.solving import PixelSolution, solve_pixels

__all__ = ["PixelSolution", "Sightings", "sightings_of", "solve_pixels"]
