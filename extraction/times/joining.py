"""From fragments to whole expressions: neighbours that unify become one, two ends become a range."""

import re
from typing import NamedTuple

from mnemic.extraction.times.grammar import Fragment
from mnemic.extraction.times.lengths import Length, Offset
from mnemic.extraction.times.lexicon import DATA
from mnemic.extraction.times.part import CLOCK, DAY, PART, SEASON, WEEKDAY, YEAR, Part, levels, unify
from mnemic.extraction.times.ranges import lend
from mnemic.extraction.times.token import Token

_GLUE = re.compile(r"[o#,@I^]{0,3}")
_LINK = re.compile(r"[o,]?[t=-][o#@]{0,2}")
_AND = re.compile("&[o#@]{0,2}")
_LIST = re.compile(rf"\s*(?:{'|'.join(map(re.escape, DATA['joined']))})(?: the| on)?\s*")
_DASH = re.compile(r"[-–—~/\s]+")
_FAR = 80
_MOVING = (*DATA["tense"]["moved"], *DATA["tense"]["was_moved"])
_MOVED = re.compile(rf"\b(?:{'|'.join(word for word in _MOVING if word.isascii())})\b[^.!?\n]*$")


class Expression(NamedTuple):
    """What the tokens ``[first, last)`` say: a moment or stretch, with ``to`` a range, or a length."""

    first: int
    last: int
    part: Part | None = None
    to: Part | None = None
    length: Length | None = None
    doubt: str = ""
    opens: int = 0
    """The levels of its first fragment: "4pm tomorrow" opens with the clock, "明天4点" with the day."""
    ends: tuple["Expression", ...] = ()
    """The two expressions that a range was made of, for when there is no such range."""


class Joiner:
    """Joins the fragments of one text; it knows the text, its tokens and their letters."""

    def __init__(self, text: str, tokens: list[Token]) -> None:
        self._text = text
        self._tokens = tokens
        self._letters = "".join([token.letter for token in tokens])

    def join(self, fragments: list[Fragment]) -> list[Expression]:
        """Return the expressions that the fragments make, left to right."""
        return self._completed(self._ranged(self._merged(self._counted(fragments))))

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
        if (
            follower is not None
            and isinstance(follower.built, Part)
            and self._gap(fragment, follower) in ("", "#")
        ):
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
        if left.part.now or right.part.now:
            return None  # "it's Thursdays now": the two say nothing of each other
        gap, between = self._gap(left, right), self._between(left, right).strip()
        if "," in gap and not self._listed(left, right):
            return None
        if self._letters[left.first : left.last] == "p" and not levels(right.part) & CLOCK:
            return None  # "早，今天" greets
        dotted = between == "." and self._letters[left.last - 1] in "MaW"
        if not (_GLUE.fullmatch(gap) or dotted or between == "from" or self._dashed_clock(left, right)):
            return None
        part = unify(left.part, right.part)
        doubt = (
            right.doubt if left.doubt and right.doubt == "ordinal" else ""
        )  # "the middle of seventh grade"
        return part and Expression(
            left.first, right.last, part, left.to or right.to, doubt=doubt, opens=left.opens
        )

    def _dashed_clock(self, left: Expression, right: Expression) -> bool:
        """Tell whether a dash comes before the time of day of a date: "6 Jan 2017 - 6:37am"."""
        one, two = levels(left.part or Part()), levels(right.part or Part())
        return bool(two & CLOCK) and not one & (CLOCK | PART) and self._dashed(left, right)

    def _listed(self, left: Expression, right: Expression) -> bool:
        """Tell whether a comma joins: a weekday and its date, a year, and, before a blank, the hour of a day."""
        one, two = levels(left.part or Part()), levels(right.part or Part())
        if ((one | two) & WEEKDAY and (one | two) & DAY) or two == YEAR:
            return True
        blank = self._between(left, right).rstrip("@ ato") != self._between(left, right)
        return blank and bool(two & CLOCK) and bool(one & (DAY | WEEKDAY))

    def _ranged(self, expressions: list[Expression]) -> list[Expression]:
        ranged: list[Expression] = []
        for expression in expressions:
            before = ranged[-1] if ranged else None
            if before is not None and self._is_range(before, expression):
                ranged[-1] = _range(before, expression)
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
            around = (
                self._letters[max(0, left.first - 2) : right.first]
                + self._letters[right.last : right.last + 1]
            )
            return "^" in around
        if not _LINK.fullmatch(gap):
            return False
        if self._dashed(left, right) and not levels(left.part) & levels(right.part):
            return False
        start = self._tokens[left.first].start
        return not _MOVED.search(self._text, max(0, start - _FAR), start)

    def _completed(self, expressions: list[Expression]) -> list[Expression]:
        """Lend what a list says once: the week of "next Tuesday or Thursday", the month of "the 5th and 7th of May"."""
        done = list(expressions)
        for at in range(1, len(done)):
            left, right = done[at - 1 : at + 1]
            if (
                left.part is None
                or right.part is None
                or left.to
                or right.to
                or left.part.every
                or right.part.every
            ):
                continue
            if not _LIST.fullmatch(self._between(left, right)):
                continue
            done[at] = right._replace(part=lend(right.part, left.part))
            if left.part.day and right.part.month and not levels(left.part) & SEASON:
                done[at - 1] = left._replace(part=lend(left.part, right.part))
        return done

    def _gap(self, left: Expression | Fragment, right: Expression | Fragment) -> str:
        return self._letters[left.last : right.first]

    def _between(self, left: Expression, right: Expression) -> str:
        return self._text[self._tokens[left.last - 1].end : self._tokens[right.first].start]

    def _dashed(self, left: Expression, right: Expression) -> bool:
        return bool(_DASH.fullmatch(self._between(left, right)))


def _range(left: Expression, right: Expression) -> Expression:
    """Join left and right to a range; before "tomorrow 4pm" a bare time of day is today's."""
    part = left.part
    if (
        part is not None
        and not levels(part) & ~(CLOCK | PART)
        and right.opens
        and not right.opens & (CLOCK | PART)
    ):
        part = part._replace(days=0)
    return Expression(left.first, right.last, part, right.part, ends=(left, right))


def _expression(fragment: Fragment) -> Expression:
    built = fragment.built
    first, last, doubt = fragment.first, fragment.last, fragment.doubt
    if isinstance(built, Length):
        return Expression(first, last, length=built)
    if isinstance(built, Part):
        return Expression(first, last, built, doubt=doubt, opens=levels(built))
    assert isinstance(built, tuple)
    return Expression(first, last, built[0], built[1], doubt=doubt)
