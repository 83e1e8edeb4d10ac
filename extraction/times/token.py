"""A token: a stretch of the text that the grammar knows by one letter."""

from dataclasses import dataclass

from mnemic.extraction.times.part import Part


@dataclass(frozen=True, slots=True)
class Token:
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
