"""What the fixed cameras see of blocks and box, and how sure that is."""

from lib.homing.session import Eyes, Picture
from lib.place.sight.colour import look_by_colour
from lib.place.sight.looking import IMAGES, Looked, Sight, look
from lib.place.sight.spread import Spread
from lib.place.sight.things import BOX, HAND, Thing, hand, things
from lib.place.sight.watch import CameraMoved, Caught, Watch, Watching

__all__ = [
    "BOX",
    "HAND",
    "IMAGES",
    "CameraMoved",
    "Caught",
    "Eyes",
    "Looked",
    "Picture",
    "Sight",
    "Spread",
    "Thing",
    "Watch",
    "Watching",
    "hand",
    "look",
    "look_by_colour",
    "things",
]
