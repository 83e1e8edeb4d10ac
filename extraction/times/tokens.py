"""From text to tokens: the words of the lexicon, what is written in digits, numerals, and the rest."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator

from mnemic.extraction.times.lexicon import LETTERS, WORDS
from mnemic.extraction.times.literals import full_year, literals
from mnemic.extraction.times.numbers import NUMERALS, chinese_number, english_numbers
from mnemic.extraction.times.part import Part
from mnemic.extraction.times.token import Token

_NUMERAL = re.compile(f"[{NUMERALS}]+")


def tokenize(text: str) -> list[Token]:
    """Return the tokens of a folded text in order; whatever no rule knows becomes one ``other`` token."""
    found = list(literals(text))
    found = _merge(found, _words(text))
    found = _merge(found, _numerals(text, found))
    return _years(text, _spoken(text, _filled(text, found)))


def _words(text: str) -> Iterator[Token]:
    """The words of the lexicon, longest first; Latin ones only where no letter touches them."""
    for last, (length, entry) in WORDS.iter_long(text):
        start, end = last - length + 1, last + 1
        if text[start].isascii() and (_joined(text, start - 1, start) or _joined(text, end - 1, end)):
            continue
        yield Token(start, end, entry.letter, entry.number, entry.name)


def _joined(text: str, left: int, right: int) -> bool:
    """Tell whether the characters at ``left`` and ``right`` are two letters of one Latin word."""
    return left >= 0 and right < len(text) and _latin(text[left]) and _latin(text[right])


def _latin(char: str) -> bool:
    return "a" <= char <= "z"


def _numerals(text: str, taken: list[Token]) -> Iterator[Token]:
    """Runs of Chinese numerals in what no other token covers."""
    edge = 0
    for token in [*taken, Token(len(text), len(text), "")]:
        for match in _NUMERAL.finditer(text, edge, token.start):
            yield Token(match.start(), match.end(), LETTERS["number"], chinese_number(match[0]))
        edge = token.end


def _merge(first: list[Token], second: Iterable[Token]) -> list[Token]:
    """Both lists in order, without those of the second that overlap one of the first."""
    starts = [token.start for token in first]
    merged = list(first)
    for token in second:
        at = bisect_right(starts, token.start)
        before_ends = at == 0 or first[at - 1].end <= token.start
        if before_ends and (at == len(first) or token.end <= first[at].start):
            merged.append(token)
    return sorted(merged, key=lambda token: token.start)


def _filled(text: str, found: list[Token]) -> list[Token]:
    """The tokens with an ``other`` token wherever something but white space lies between them."""
    filled: list[Token] = []
    edge = 0
    for token in found:
        if text[edge : token.start].strip():
            filled.append(Token(edge, token.start, LETTERS["other"]))
        filled.append(token)
        edge = token.end
    if text[edge:].strip():
        filled.append(Token(edge, len(text), LETTERS["other"]))
    return filled



_RUN = re.compile(r"N(?:[t&]?[NO])+|\$N")
_LINKS = LETTERS["range"] + LETTERS["and"]
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
    """The run with each number word and its neighbours made one token."""
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
    return text[before.end : after.start] == "-" and before.integer >= 20


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
            dated += [*tokens[edge : match.start()], Token(number.start, mark.end, LETTERS["date"], part=part)]
            edge = match.end()
    return dated + tokens[edge:]


def _year(written: str, value: int, rest: str) -> int | None:
    """The year that a number before 年 names: four digits, "07", "零八", digit by digit, or a month follows."""
    if value >= 1000 or (len(written) >= 3 and not set(written) & set("十百千")):
        return value
    if len(written) == 2 and (written[0] in "0零〇" or re.match("N[mB]", rest)):
        return full_year(f"{value:02}")
    return None


def _letters(tokens: list[Token]) -> str:
    return "".join([token.letter for token in tokens])
