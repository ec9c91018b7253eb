"""The index: a version's rows arranged so that a lookup reads few of them, kept beside the table.

A copy that can be thrown away: absent, old or damaged, it is built again from the table.
"""

from lib.lookup.index.opening import index_folder, open_parts, renew
from lib.lookup.index.segment import Segment

__all__ = ["Segment", "index_folder", "open_parts", "renew"]
