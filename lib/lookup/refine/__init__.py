"""The second stage of a lookup: the small step of the joints that closes the selected row's residual."""

from lib.lookup.refine.foretelling import foretell
from lib.lookup.refine.known_chain import KnownChain
from lib.lookup.refine.refinement import Refinement
from lib.lookup.refine.refining import refine
from lib.lookup.refine.smallest_step import smallest_step

__all__ = ["KnownChain", "Refinement", "foretell", "refine", "smallest_step"]
