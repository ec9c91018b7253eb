"""What people look at in the morning: figures and the page."""

from lib.report.night_page import write_night_page

__all__ = ["write_night_page"]
