"""Find the times in a text and say what they mean against the speaker's clock."""

from datetime import datetime

from mnemic.errors import InvalidInput
from mnemic.extraction.model import Value
from mnemic.extraction.times.doubts import Evidence
from mnemic.extraction.times.grammar import fragments
from mnemic.extraction.times.joining import Joiner
from mnemic.extraction.times.lexicon import fold
from mnemic.extraction.times.reading import Reader
from mnemic.extraction.times.tokens import tokenize


def find_times(text: str, at: datetime, *, past: bool | None = None) -> list[Value]:
    """Return the times named in ``text``, in order and without overlaps, as ``at`` makes them mean.

    ``at`` is the speaker's own clock and must be aware; all results carry its time zone. ``past`` says
    whether the text looks back (an open "Friday" is then the most recent one) or ahead (the coming one);
    left out, the words of each clause decide. Values are of kind ``date`` (a calendar unit), ``time`` (a
    time of day), ``span`` (any other stretch) or ``quantity`` (a length, ISO 8601, without an interval).
    What recurs is marked so and stands on its next occurrence.

    Raises:
        InvalidInput: ``at`` has no offset.

    """
    if at.utcoffset() is None:
        raise InvalidInput(
            "at", "is a datetime without an offset", "pass an aware datetime, the speaker's clock"
        )
    folded = fold(text)
    tokens = tokenize(folded)
    read = fragments(tokens)
    if not read:
        return []
    evidence = Evidence(text, folded, tokens)
    reader = Reader(text, folded, at, past)
    found: list[Value] = []
    for expression in Joiner(folded, tokens).join(read):
        if not evidence.accepts(expression):
            continue
        value = reader.read(expression, tokens)
        if value is not None:
            found.append(value)
        else:  # no such range: its ends, each for itself
            found += filter(
                None, [reader.read(end, tokens) for end in expression.ends if evidence.accepts(end)]
            )
    return found


def undated(text: str, at: datetime) -> str:
    """Return a text said at ``at`` with a blank for each of its times."""
    for time in reversed(find_times(text, at)):
        text = f"{text[: time.start]} {text[time.end :]}"
    return text
