"""Introductions: new people, projects and things named in passing, and further names for known ones."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from mnemic.extraction.model import Introduction, Mention, Source
from mnemic.extraction.wordlist import any_of

_LATIN = r"(?-i:[A-Z][\w&-]{0,30}(?:[ .][A-Z][\w&-]{0,30}){0,2}|\b[a-z]{1,12}[A-Z]\w{1,30})"
_QUOTED = r"[\"“「《『']([^\"”」》』']{1,24})[\"”」》』']"
_CHINESE = r"[\u4e00-\u9fff]{{1,4}}?(?=[,，。;；:：!！?？\s(（]|$|{ends})"
"""A short Chinese name ends with its clause, or before one of the words that may follow."""
_APOSTROPHE = re.compile(r"(?<=\w)’(?=\w)")


@dataclass(frozen=True, slots=True)
class _Rule:
    pattern: re.Pattern[str]
    kind: str


def introductions(text: str) -> tuple[Introduction, ...]:
    """Return what ``text`` introduces, by position, the first rule winning where two claim one name."""
    found: dict[int, Introduction] = {}
    straight = _APOSTROPHE.sub("'", text)
    for rule in _rules():
        for match in rule.pattern.finditer(straight):
            introduction = _introduction(match, rule)
            found.setdefault(introduction.mention.start, introduction)
    return tuple(found[start] for start in sorted(found))


def class_words(kind: str) -> tuple[str, ...]:
    """Return the words for things of a kind ("project", 项目); none for a kind that has no such words."""
    return tuple(_raw()["kinds"].get(kind, ()))


def _introduction(match: re.Match[str], rule: _Rule) -> Introduction:
    start, end = _bare(match, "name")
    kind = rule.kind or _kinds().get((match.groupdict().get("kind") or "").lower(), "")
    alias = ""
    if match.groupdict().get("alias"):
        left, right = _bare(match, "alias")
        alias = match.string[left:right]
    name = match.string[start:end]
    mention = Mention(
        start=start, end=end, text=name, name=name, kind=kind or "thing", source=Source.INTRODUCED
    )
    return Introduction(mention, alias)


def _bare(match: re.Match[str], group: str) -> tuple[int, int]:
    """Return the span of a name without the quotes around it."""
    start, end = match.span(group)
    while start < end and match.string[start] in "\"“「《『'":
        start += 1
    while end > start and match.string[end - 1] in "\"”」》』'":
        end -= 1
    return start, end


@cache
def _raw() -> Mapping[str, Any]:
    return tomllib.loads(
        files("mnemic.dictionaries").joinpath("introductions.toml").read_text(encoding="utf-8")
    )


@cache
def _kinds() -> dict[str, str]:
    return {word: kind for kind, words in _raw()["kinds"].items() for word in words}


@cache
def _rules() -> tuple[_Rule, ...]:
    return tuple(_compiled())


def _compiled() -> Iterator[_Rule]:
    rows, ends = _raw()["introduction"], _raw()["behind"]
    words = any_of(_kinds())
    name = f"{_QUOTED.replace('(', '(?:')}|{_LATIN}|{_CHINESE.format(ends=any_of(ends))}"
    for row in rows:
        pattern = (
            row["pattern"].replace("<name>", f"(?P<name>{name})").replace("<alias>", f"(?P<alias>{name})")
        )
        yield _Rule(
            re.compile(pattern.replace("<kind>", f"(?P<kind>{words})"), re.IGNORECASE), row.get("kind", "")
        )
