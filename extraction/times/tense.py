"""Which way a clause looks in time, by the words in it: back, ahead, or nobody can say."""

import re

from mnemic.extraction.times.lexicon import DATA

_TENSE = DATA["tense"]


def _any(words: list[str]) -> re.Pattern[str]:
    latin = "|".join(re.escape(word) for word in words if word.isascii())
    other = "|".join(re.escape(word) for word in words if not word.isascii())
    return re.compile(
        rf"(?<![a-z])(?:{latin})(?![a-z])|{other}" if other else rf"(?<![a-z])(?:{latin})(?![a-z])"
    )


_FUTURE = _any(_TENSE["future"])
_PAST = _any(_TENSE["past"])
_MOVED = _any(_TENSE["moved"])
_WAS_MOVED = _any(_TENSE["was_moved"])
_TO = re.compile(rf"(?:{_any(_TENSE['moved_to']).pattern})(?:\s+(?:the|week of|end of))*\s*$")
_ENDINGS = re.compile(
    rf"(?<![a-z])(?!(?:{'|'.join(_TENSE['not_past'])})\b)[a-z]{{2,}}(?:{'|'.join(_TENSE['past_endings'])})\b"
)
_NOMINAL = re.compile(
    rf"[^\s,，。.!！?？；;]{{1,6}}(?:{'|'.join(_TENSE['past_after'])})(?=$|[\s,，。.!！?？；;~～）)])"
)
_FROM = re.compile(r"(?:从|\bfrom(?: the)?)\s*$")
_FAR = 160
_BORDER = re.compile(r",(?!\d)|[.!?;:]\s|[。\n]")


def looks_back(text: str, start: int, end: int) -> bool | None:
    """Tell whether the clause around ``[start, end)`` of the folded text is about the past.

    True and False are sure enough to choose between last Friday and the coming one; None is no cue.
    What is moved is moved to a future date, so words of moving count as ahead; where they are past, only
    with the date right behind "to": who "moved to Bonn in May" did so in the past.
    """
    left, right = _clause(text, start, end)
    before, after = text[left:start], text[end:right]
    if _FUTURE.search(before) or _FUTURE.search(after) or _MOVED.search(before):
        return False
    if _WAS_MOVED.search(before) and _TO.search(before):
        return False
    if _FROM.search(before) and (_MOVED.search(after) or _WAS_MOVED.search(after)):
        return False
    if _PAST.search(before) or _PAST.search(after) or _ENDINGS.search(before) or _ENDINGS.search(after):
        return True
    return True if _NOMINAL.match(after) else None


def _clause(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the borders of the clause, which is not sought further than ``_FAR`` characters."""
    left = max(0, start - _FAR)
    for border in _BORDER.finditer(text, left, start):
        left = border.end()
    far = min(len(text), end + _FAR)
    following = _BORDER.search(text, end, far)
    return left, following.start() if following else far
