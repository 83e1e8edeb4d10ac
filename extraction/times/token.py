"""A token: a stretch of the text that the grammar knows by one letter."""

from typing import NamedTuple

from mnemic.extraction.times.part import Part


class Token(NamedTuple):
    """The span ``[start, end)``, its class letter and its value: a number, a name or a finished part."""

    start: int
    end: int
    letter: str
    number: float = 0
    name: str = ""
    part: Part | None = None

    @property
    def integer(self) -> int:
        """The number, whole."""
        return int(self.number)
