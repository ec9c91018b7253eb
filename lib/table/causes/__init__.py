"""What went wrong with a scan that the robot's chain does not explain: each cause tried, the best named."""

from lib.table.causes.naming import Cause, name_cause
from lib.table.causes.suspects import Suspects

__all__ = ["Cause", "Suspects", "name_cause"]
