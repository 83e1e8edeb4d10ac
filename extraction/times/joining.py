"""From fragments to whole expressions: neighbours that unify become one, two ends become a range."""

import re
from dataclasses import dataclass

from mnemic.extraction.times.grammar import Fragment
from mnemic.extraction.times.lengths import Length, Offset
from mnemic.extraction.times.lexicon import DATA
from mnemic.extraction.times.part import CLOCK, PART, Part, levels, unify
from mnemic.extraction.times.token import Token

_GLUE = re.compile(r"[o#,@I^]{0,3}")
_LINK = re.compile(r"[o,]?t[o#@]{0,2}")
_AND = re.compile("&[o#@]{0,2}")
_DASH = re.compile(r"[-–—~/\s]+")
_MOVED = re.compile(rf"\b(?:{'|'.join(word for word in DATA['tense']['moved'] if word.isascii())})\b[^.!?\n]*$")


@dataclass(frozen=True, slots=True)
class Expression:
    """What the tokens ``[first, last)`` say: a moment or stretch, with ``to`` a range, or a length."""

    first: int
    last: int
    part: Part | None = None
    to: Part | None = None
    length: Length | None = None
    weak: bool = False


class Joiner:
    """Joins the fragments of one text; it knows the text, its tokens and their letters."""

    def __init__(self, text: str, tokens: list[Token]) -> None:
        self._text = text
        self._tokens = tokens
        self._letters = "".join([token.letter for token in tokens])

    def join(self, fragments: list[Fragment]) -> list[Expression]:
        """Return the expressions that the fragments make, left to right."""
        return self._ranged(self._merged(self._counted(fragments)))

    def _counted(self, fragments: list[Fragment]) -> list[Expression]:
        """Give each offset what it is counted from: "two days after" + "tomorrow"."""
        found: list[Expression] = []
        waiting: tuple[Fragment, Offset] | None = None
        for fragment in fragments:
            built = fragment.built
            if waiting is not None:
                counted = self._offset(*waiting, fragment)
                waiting = None
                found.append(counted)
                if counted.last == fragment.last:
                    continue
            if isinstance(built, Offset):
                waiting = fragment, built
            else:
                found.append(_expression(fragment))
        if waiting is not None:
            found.append(self._offset(*waiting, None))
        return found

    def _offset(self, fragment: Fragment, offset: Offset, follower: Fragment | None) -> Expression:
        if follower is not None and isinstance(follower.built, Part) and self._gap(fragment, follower) in ("", "#"):
            part = offset.length.signed(offset.sign)._replace(origin=follower.built)
            return Expression(fragment.first, follower.last, part)
        return Expression(fragment.first, fragment.last - 1, length=offset.length)

    def _merged(self, expressions: list[Expression]) -> list[Expression]:
        merged: list[Expression] = []
        for expression in expressions:
            both = self._unified(merged[-1], expression) if merged else None
            if both is None:
                merged.append(expression)
            else:
                merged[-1] = both
        return merged

    def _unified(self, left: Expression, right: Expression) -> Expression | None:
        """Return the two as one where only small words lie between them and they unify."""
        if left.part is None or right.part is None or (left.to and right.to):
            return None
        dashed = self._dashed(left, right) and not levels(left.part) & (CLOCK | PART) and levels(right.part) & CLOCK
        if not (dashed or _GLUE.fullmatch(self._gap(left, right)) or self._between(left, right).strip() == "from"):
            return None
        part = unify(left.part, right.part)
        return part and Expression(left.first, right.last, part, left.to or right.to)

    def _ranged(self, expressions: list[Expression]) -> list[Expression]:
        ranged: list[Expression] = []
        for expression in expressions:
            before = ranged[-1] if ranged else None
            if before is not None and self._is_range(before, expression):
                ranged[-1] = Expression(before.first, expression.last, before.part, expression.part)
            else:
                ranged.append(expression)
        return ranged

    def _is_range(self, left: Expression, right: Expression) -> bool:
        if left.part is None or right.part is None or left.to is not None or right.to is not None:
            return False
        if left.part.window is not None or right.part.window is not None:
            return False
        gap = self._gap(left, right)
        if _AND.fullmatch(gap):
            return "^" in self._letters[max(0, left.first - 2) : right.first]
        if not _LINK.fullmatch(gap):
            return False
        if self._dashed(left, right) and not levels(left.part) & levels(right.part):
            return False
        return not _MOVED.search(self._text, 0, self._tokens[left.first].start)

    def _gap(self, left: Expression | Fragment, right: Expression | Fragment) -> str:
        return self._letters[left.last : right.first]

    def _between(self, left: Expression, right: Expression) -> str:
        return self._text[self._tokens[left.last - 1].end : self._tokens[right.first].start]

    def _dashed(self, left: Expression, right: Expression) -> bool:
        return bool(_DASH.fullmatch(self._between(left, right)))


def _expression(fragment: Fragment) -> Expression:
    built = fragment.built
    first, last, weak = fragment.first, fragment.last, fragment.weak
    if isinstance(built, Length):
        return Expression(first, last, length=built)
    if isinstance(built, Part):
        return Expression(first, last, built, weak=weak)
    assert isinstance(built, tuple)
    return Expression(first, last, built[0], built[1], weak=weak)
