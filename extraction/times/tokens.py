"""From text to tokens: the words of the lexicon, what is written in digits, numerals, and the rest."""

import re
from collections.abc import Iterable, Iterator
from operator import itemgetter

from mnemic.extraction.times.lexicon import LETTERS, WORDS
from mnemic.extraction.times.literals import full_year, literals
from mnemic.extraction.times.numbers import NUMERALS, chinese_number, english_numbers
from mnemic.extraction.times.part import Part
from mnemic.extraction.times.token import Token

_BY_PLACE = itemgetter(0, 1)
_WORD = re.compile(r"[^\W_]")
_NUMERAL = re.compile(f"[{NUMERALS}]+")


def tokenize(text: str) -> list[Token]:
    """Return the tokens of a folded text in order; whatever no rule knows becomes one ``other`` token."""
    found = list(literals(text))
    found = _merge(found, _words(text))
    found = _merge(found, _numerals(text, found))
    return _years(text, _spoken(text, _filled(text, found)))


def _words(text: str) -> Iterator[Token]:
    """All words of the lexicon in the text, of two that begin alike the longer first; they may overlap."""
    found = []
    for last, (length, entry) in WORDS.iter(text):
        start = last - length + 1
        if text[start] <= "z" and (_joined(text, start - 1, start) or _joined(text, last, last + 1)):
            continue
        found.append((start, -length, entry))
    found.sort(key=_BY_PLACE)
    for start, length, (letter, number, name) in found:
        yield Token(start, start - length, letter, number, name)


def _joined(text: str, left: int, right: int) -> bool:
    """Tell whether the characters at ``left`` and ``right`` are two letters of one Latin word."""
    return left >= 0 and right < len(text) and "a" <= text[left] <= "z" and "a" <= text[right] <= "z"


def _numerals(text: str, taken: list[Token]) -> Iterator[Token]:
    """Yield the runs of Chinese numerals in what no other token covers."""
    edge = 0
    for start, end in [*((token.start, token.end) for token in taken), (len(text), len(text))]:
        for match in _NUMERAL.finditer(text, edge, start):
            if len(match[0]) <= _LONGEST:
                yield _numeral(match)
        edge = end


def _numeral(match: re.Match[str]) -> Token:
    """Make a number, or of two neighbouring digits a vague one: "两三" days."""
    start, end, written = match.start(), match.end(), match[0]
    if len(written) == 2:
        low, high = map(chinese_number, written)
        if 1 <= low < high <= min(low + 2, 9):
            return Token(start, end, LETTERS["few"], low, str(high))
    return Token(start, end, LETTERS["number"], chinese_number(written), written)


def _merge(first: list[Token], second: Iterable[Token]) -> list[Token]:
    """Both lists in order, without those of the second that overlap one of the first or one before them."""
    merged: list[Token] = []
    edge, at = 0, 0
    for token in second:
        while at < len(first) and first[at].start < token.end and first[at].end <= token.start:
            merged.append(first[at])
            edge = first[at].end
            at += 1
        if token.start >= edge and (at == len(first) or token.end <= first[at].start):
            merged.append(token)
            edge = token.end
    return merged + first[at:]


def _filled(text: str, found: list[Token]) -> list[Token]:
    """Add a token wherever something lies between two: ``other`` for words, ``stop`` for signs."""
    filled: list[Token] = []
    edge = 0
    for token in found:
        if token.start > edge:
            filled += _between(text, edge, token.start)
        filled.append(token)
        edge = token.end
    return filled + _between(text, edge, len(text))


def _between(text: str, start: int, end: int) -> list[Token]:
    between = text[start:end]
    if not between or between.isspace():
        return []
    return [Token(start, end, LETTERS["other" if _WORD.search(between) else "stop"])]


_RUN = re.compile(r"N(?:[-&]?[NO])+|\$N")
_LINKS = LETTERS["dash"] + LETTERS["and"]
_YEARS = 2200
_LONGEST = 12
"""Numerals in a number; more are no number that a time holds."""
_YEAR = re.compile(r"[Nn]y")


def _spoken(text: str, tokens: list[Token]) -> list[Token]:
    """Join what is one number in words: "twenty-one", "twenty first", "two thousand and six", "第十二"."""
    joined: list[Token] = []
    edge = 0
    for match in _RUN.finditer(_letters(tokens)):
        run = tokens[match.start() : match.end()]
        joined += tokens[edge : match.start()]
        joined += [_ranked(run)] if run[0].letter == LETTERS["rank"] else _composed(text, run)
        edge = match.end()
    return joined + tokens[edge:]


def _ranked(run: list[Token]) -> Token:
    return Token(run[0].start, run[1].end, LETTERS["ordinal"], run[1].number)


def _composed(text: str, run: list[Token]) -> list[Token]:
    """Make one token of each number word and its neighbours."""
    composed: list[Token] = []
    words: list[Token] = []
    for at, token in enumerate(run):
        if token.letter in _LINKS:
            if words and _inside(text, words[-1], token, run[at + 1]):
                continue
        elif text[token.start].isascii() and text[token.start].isalpha():
            words.append(token)
            continue
        composed += [*_numbers(words), token]
        words = []
    return composed + _numbers(words)


def _inside(text: str, before: Token, link: Token, after: Token) -> bool:
    """Tell whether a link between two number words is part of the number: a hyphen, "thousand and six"."""
    if link.letter == LETTERS["and"]:
        return before.integer in (100, 1000)
    return text[before.end : after.start] == "-"


def _numbers(words: list[Token]) -> list[Token]:
    made: list[Token] = []
    edge = 0
    for value, taken in english_numbers([word.integer for word in words]):
        first, last = words[edge], words[edge + taken - 1]
        letter = last.letter if value < 1000 else LETTERS["year_number"]
        made.append(Token(first.start, last.end, letter, value))
        edge += taken
    return made


def _years(text: str, tokens: list[Token]) -> list[Token]:
    """Make one date token of each number before 年 that is a year, not a count of years."""
    letters = _letters(tokens)
    dated: list[Token] = []
    edge = 0
    for match in _YEAR.finditer(letters):
        number, mark = tokens[match.start() : match.end()]
        year = _year(text[number.start : number.end].strip(), number.integer, letters[match.end() :])
        if year is not None:
            part = Part(year=year)
            dated += [
                *tokens[edge : match.start()],
                Token(number.start, mark.end, LETTERS["date"], part=part),
            ]
            edge = match.end()
    return dated + tokens[edge:]


def _year(written: str, value: int, rest: str) -> int | None:
    """Return the year before 年: four digits, "07", "零八", digit by digit, or where a month follows."""
    spelt = not set(written) & set("十百千万廿卅")
    if (1000 <= value < _YEARS and len(written) > 2) or (len(written) == 3 and spelt):
        return value
    if len(written) == 2 and (
        written[0] in "0零〇" or (spelt and not written.isascii()) or re.match("N[mB]", rest)
    ):
        return full_year(f"{value:02}")
    return None


def _letters(tokens: list[Token]) -> str:
    return "".join([token.letter for token in tokens])
