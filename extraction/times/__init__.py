"""The time recogniser: dates, times and durations in Chinese and English text."""

from mnemic.extraction.times.boundaries import boundary
from mnemic.extraction.times.find import find_times, undated
from mnemic.extraction.times.query import Range, query_range

__all__ = ["Range", "boundary", "find_times", "query_range", "undated"]
