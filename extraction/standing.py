"""Words that stand where names stand, although no dictionary knows them: what may be proposed to it.

Where a name stands is told by its writing (a capital letter inside a sentence, CamelCase, snake_case, an @, quotes
or backticks around it) and by the words beside it; the words are in ``dictionaries/standing.toml``.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from mnemic.extraction.company import people
from mnemic.extraction.context import everyday
from mnemic.extraction.predicates import shipped_inventory
from mnemic.extraction.resolve import is_nobodys_name
from mnemic.extraction.text import CJK
from mnemic.extraction.wordlist import any_of

_HAN = r"[\u4e00-\u9fff]"
_CAPITAL = r"[A-Z][a-z]+(?:[A-Z][a-z]+)*"
_NAME = re.compile(
    rf"(?<![\w'’@./#-]){_CAPITAL}(?:[ ](?:{_CAPITAL}|[A-Z](?![\w.])))"
    rf"{{0,2}}(?![\w@/]|[.-]\w)"
)
_SPELT = re.compile(r"(?<![\w@./#-])(?:[A-Za-z]?[a-z]+(?:[A-Z][a-z]+)+|[a-z]+(?:_[a-z]+)+)(?![\w@/(]|[.-]\w)")
_DASHED = re.compile(r"(?<![\w@./#-])[a-z]{2,}(?:-[a-z]{2,}){1,3}(?![\w@/(-]|\.\w)")
_HANDLE = re.compile(r"(?<![\w.@/])@([A-Za-z][\w-]{1,30})(?![\w@]|\.\w)")
_TICKED = re.compile(r"`([A-Za-z][\w-]{2,39})`")
_QUOTED = re.compile(rf"[《「『“]({_HAN}{{2,8}}|[A-Z][\w-]+(?: [A-Z][\w-]+){{0,2}})[》」』”]")
_HIDDEN = re.compile(r"\[[^\]]*\]|\S*(?:://|@\w+\.)\S*|```.*?(?:```|\Z)", re.DOTALL)
"""Where nothing counts: masked secrets, addresses, blocks of code."""
_BEGINS = re.compile(r"(?:^|[.!?:;…。！？：；\n*>(\[\"“‘—–•-]|[^\w\s,，、'’)`]) *\Z")
_CODE = re.compile(r"[{};=<>|\\]|\(\)|^\s*(?:\$|#|>>>|at |\d{4}-\d\d-\d\d[ T])|\b(?:ERROR|WARN|INFO|DEBUG)\b")
_WORD = re.compile(r"(?<![\w'’-])[a-z][a-z'’-]*(?![\w-])")

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Standing:
    """A form that stands at ``[start, end)`` as a name does: ``why``, of which kind by its neighbours, how ``surely``."""

    start: int
    end: int
    form: str
    why: str
    kind: str = ""
    surely: bool = True


def standing(text: str) -> Iterator[Standing]:
    """Yield what stands in a text as names do, whatever a dictionary knows of it."""
    hidden = [match.span() for match in _HIDDEN.finditer(text)]
    start = 0
    for line in text.splitlines(keepends=True):
        if not _is_code(line):
            for each in (*_latin(line), *_chinese(line)):
                placed = start + each.start, start + each.end
                if not any(first < placed[1] and placed[0] < last for first, last in hidden):
                    yield Standing(*placed, each.form, each.why, each.kind, each.surely)
        start += len(line)


def small_words(text: str) -> Iterator[str]:
    """Yield the words of a text that are written without a capital letter."""
    for match in _WORD.finditer(text):
        yield match[0].removesuffix("'s").removesuffix("’s")


def _is_code(line: str) -> bool:
    return _CODE.search(line) is not None


def _latin(line: str) -> Iterator[Standing]:
    if not _is_title(line):
        for match in _NAME.finditer(line):
            yield from _capital(line, match)
    for why, pattern, group in (("handle", _HANDLE, 1), ("code", _TICKED, 1), ("spelt", _SPELT, 0)):
        for match in pattern.finditer(line):
            kind = "person" if why == "handle" else _beside(line, match.span(group))
            yield Standing(*match.span(group), match[group], why, kind)
    for match in _DASHED.finditer(line):
        kind = _beside(line, match.span())
        if kind in ("service", "project", "product"):
            yield Standing(*match.span(), match[0], kind, kind)


def _capital(line: str, match: re.Match[str]) -> Iterator[Standing]:
    """Yield a capitalised name without the plain words that only begin the sentence; alone at its beginning it is unsure."""
    start, words = match.start(), match[0].split(" ")
    begins = _BEGINS.search(line[:start]) is not None
    while words and (_is_plain(words[0]) or (begins and words[0].casefold() in everyday())):
        start, begins = start + len(words.pop(0)) + 1, False
    while words and _is_plain(words[-1]):
        words.pop()
    form = " ".join(words)
    if len(form) > 2:
        span = start, start + len(form)
        kind = _beside(line, span)
        yield Standing(*span, form, kind or "capital", kind, surely=not begins or kind != "")


def _is_plain(word: str) -> bool:
    return word.casefold() in _never() or is_nobodys_name(word)


def _is_title(line: str) -> bool:
    """Tell whether nearly every word has a capital letter, as in a heading: then none says anything."""
    words = [word for word in line.split() if word[0].isalpha() and word.isascii()]
    return len(words) > 3 and sum(word[0].isupper() for word in words) > 0.6 * len(words)


def _beside(line: str, span: Span) -> str:
    """Return the kind that the words beside a name tell, or nothing."""
    before, behind = _beside_patterns()
    left, right = line[max(0, span[0] - 24) : span[0]], line[span[1] : span[1] + 24]
    told = [kind for kind, pattern in behind.items() if pattern.match(right)]
    told += [kind for kind, pattern in before.items() if pattern.search(left)]
    return told[0] if told else ""


def _chinese(line: str) -> Iterator[Standing]:
    for match in _QUOTED.finditer(line):
        yield Standing(*match.span(1), match[1], "quoted", _beside(line, match.span(1)))
    persons = [(start, end) for start, end in people(line) if not line[start:end].isascii()]
    persons += [match.span("name") for pattern in _persons() for match in pattern.finditer(line)]
    for start, end in dict.fromkeys(persons):
        if not line[start:end].startswith(_no_person()):
            yield Standing(start, end, line[start:end], "person", "person")
    for match in _subjects().finditer(line):
        if match["name"] not in _raw()["chinese"]["never"] and not match["name"].startswith(_no_person()):
            yield Standing(*match.span("name"), match["name"], "subject")
    for kind, pattern in _things().items():
        for match in pattern.finditer(line):
            name = match["name"]
            if name not in _raw()["chinese"]["never"]:
                end = match.end() if kind == "organization" else match.end("name")
                yield Standing(match.start("name"), end, line[match.start("name") : end], kind, kind)


@cache
def _raw() -> Mapping[str, Any]:
    return tomllib.loads(files("mnemic.dictionaries").joinpath("standing.toml").read_text(encoding="utf-8"))


@cache
def _never() -> frozenset[str]:
    return frozenset(word.casefold() for word in _raw()["never"])


@cache
def _beside_patterns() -> tuple[Mapping[str, re.Pattern[str]], Mapping[str, re.Pattern[str]]]:
    before = {
        kind: re.compile(rf"(?<![\w'-])(?:{any_of(words)})(?: the)? \Z", re.IGNORECASE)
        for kind, words in _raw()["before"].items()
    }
    behind = {
        kind: re.compile(rf" (?:{any_of(words)})(?![\w'-])", re.IGNORECASE)
        for kind, words in _raw()["behind"].items()
    }
    return before, behind


@cache
def _no_person() -> tuple[str, ...]:
    relatives = (word for word in shipped_inventory().words["zh"]["relative"] if len(word) > 1)
    return (*_raw()["chinese"]["no_person"], *relatives)


@cache
def _persons() -> tuple[re.Pattern[str], ...]:
    """Return what matches a person by a form of address, or by a surname between the words that go with a person."""
    words = _raw()["chinese"]
    family = any_of(shipped_inventory().words["zh"]["surname"])
    begun = rf"(?:(?<=[^\w])|^|{any_of(words['before'])})@?"
    after = rf"(?={any_of(words['behind'])}|[,，。！？、\s]|$)"
    called = (
        rf"(?P<name>[小老阿](?![{words['no_part']}]){_HAN}|(?:{family})(?:总|工|哥|姐|老师|经理|主任|师傅))"
    )
    named = rf"(?P<name>(?:{family})(?:(?![{words['no_part']}]){_HAN}){{1,2}}?)"
    return re.compile(begun + called), re.compile(begun + named + after)


@cache
def _subjects() -> re.Pattern[str]:
    """Return what matches the subject of a clause of which something is told that is told of things with a name."""
    words = _raw()["chinese"]
    name = rf"(?P<name>(?:(?![{words['no_part']}]){_HAN}){{2,4}}?)"
    return re.compile(rf"(?:(?<=[^\w])|^){name}(?:{any_of(words['told'])})")


@cache
def _things() -> Mapping[str, re.Pattern[str]]:
    words = _raw()["chinese"]
    edge = rf"(?:^|(?<=[^{CJK}\w])|(?<=[{''.join(word for word in words['boundary'] if len(word) == 1)}]))"
    name = rf"(?P<name>(?:(?![{words['no_part']}]){_HAN}){{2,4}}?)"
    return {kind: re.compile(rf"{edge}{name}(?:{any_of(tails)})") for kind, tails in _classes().items()}


@cache
def _classes() -> Mapping[str, Sequence[str]]:
    told: Mapping[str, Sequence[str]] = _raw()["class"]
    return told
