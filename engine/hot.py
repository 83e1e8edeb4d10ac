"""The hot layer: what a question leans on in the conversation that it stands in.

"Where is it?" asks of what was spoken of last. The names in the nearest line before it that has any, or else
that line's own words, are read together with the question. The conversation itself is kept nowhere.
"""

from collections.abc import Sequence

from mnemic.extraction.analyse import Analyser
from mnemic.extraction.cues import by_class, shipped_cues
from mnemic.extraction.terms import stop_terms, terms

_LEANING = frozenset({"it", "third"})
_FEW = 1
"""A question without a pronoun and with no more weighty words than this leans on what was said before it."""

_WITHIN = 6
_WIDTH = 240
"""So many lines are looked through for names; of a line without any, so many characters are read."""


def leant_on(analyser: Analyser, text: str, conversation: Sequence[str]) -> str:
    """Return the words of the ``conversation`` that complete the question ``text``; nothing if it stands alone."""
    if not conversation or not _leans(analyser, text):
        return ""
    for line in reversed(conversation[-_WITHIN:]):
        if named := dict.fromkeys(mention.text for mention in analyser.mentions(line)):
            return " ".join(named)
    return conversation[-1][-_WIDTH:]


def _leans(analyser: Analyser, text: str) -> bool:
    cues = by_class(shipped_cues().hear(text))
    if "first" in cues or "chat" in cues or analyser.mentions(text):
        return False
    return not _LEANING.isdisjoint(cues) or len(set(terms(text)) - stop_terms()) <= _FEW
