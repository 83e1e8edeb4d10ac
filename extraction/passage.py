"""One sentence with all that was seen in it and before it: what the readers of statements and answers share."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from mnemic.extraction.model import Line, Mention, Value
from mnemic.extraction.resolve import Focus
from mnemic.extraction.segment import Span, clauses


@dataclass(frozen=True, slots=True)
class Passage:
    """The sentence ``line.text[span]``; ``mentions`` and ``values`` lie in it and do not overlap.

    ``focus`` is what was in view before it.
    """

    line: Line
    span: Span
    mentions: Sequence[Mention]
    values: Sequence[Value]
    focus: Focus

    @property
    def text(self) -> str:
        """Return the words of the sentence."""
        return self.words(self.span)

    @property
    def held(self) -> list[Mention | Value]:
        """Return all that stands in the sentence as a placeholder of its frame."""
        return [*self.mentions, *self.values]

    def words(self, span: Span) -> str:
        """Return the words of a part of it."""
        return self.line.text[span[0] : span[1]]

    def clauses(self) -> list[Span]:
        """Return its clauses; a sentence of one clause is that."""
        return clauses(self.line.text, *self.span)

    def part(self, span: Span) -> "Passage":
        """Return a part of it as a passage of its own."""
        start, end = span
        return replace(
            self,
            span=span,
            mentions=[m for m in self.mentions if start <= m.start and m.end <= end],
            values=[v for v in self.values if start <= v.start and v.end <= end],
        )

    def item_at(self, position: int) -> Mention | Value | None:
        """Return the mention or value that begins at ``position``."""
        return next((item for item in self.held if item.start == position), None)
