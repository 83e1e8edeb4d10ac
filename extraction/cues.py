"""Cue classes: words that change what a sentence means for memory, read from ``dictionaries/cues.toml``."""

import re
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from importlib.resources import files
from typing import NamedTuple

import ahocorasick

from mnemic.extraction.width import level

GAP = "…"
_CLAUSE_GAP = "[^,，。;；!！?？\\n]{0,14}?"
_LATIN = re.compile(r"[0-9a-z]")


class Heard(NamedTuple):
    """A cue of class ``name`` at ``[start, end)`` of the text; ``word`` is levelled."""

    name: str
    word: str
    start: int
    end: int


class Cues:
    """A matcher of all cue classes: plain words by Aho-Corasick, words with a gap by one pattern each."""

    def __init__(self, classes: Mapping[str, tuple[str, ...]]) -> None:
        self.classes = tuple(sorted(classes))
        self._plain = ahocorasick.Automaton()
        self._gapped: dict[str, list[tuple[str, re.Pattern[str]]]] = {}
        claims: dict[str, list[str]] = {}
        for name, words in classes.items():
            for word in words:
                first, gap, _ = word.partition(GAP)
                if gap:
                    self._gapped.setdefault(first.strip(), []).append((name, _gapped_pattern(word)))
                else:
                    claims.setdefault(word, []).append(name)
        for word in claims.keys() | self._gapped.keys():
            self._plain.add_word(word, (word, tuple(claims.get(word, ()))))
        self._plain.make_automaton()
        self._heard = lru_cache(maxsize=4096)(self._listen)  # a sentence is heard again as its clauses

    def hear(self, text: str) -> tuple[Heard, ...]:
        """Return every cue in a text, by position; the longest where one class claims a place twice.

        Neither case nor width nor the form of apostrophes matters.
        """
        return self._heard(text)

    def _listen(self, text: str) -> tuple[Heard, ...]:
        levelled = level(text)
        found: list[Heard] = []
        begun: set[str] = set()
        for last, (word, names) in self._plain.iter(levelled):
            start, end = last + 1 - len(word), last + 1
            if names and _is_whole(levelled, start, end):
                found.extend(Heard(name, word, start, end) for name in names)
            if word in self._gapped:
                begun.add(word)
        for name, pattern in (pair for word in begun for pair in self._gapped[word]):
            found.extend(Heard(name, match.group(), *match.span()) for match in pattern.finditer(levelled))
        return tuple(sorted(_denying(_longest(found)), key=lambda cue: (cue.start, cue.end, cue.name)))


@cache
def shipped_cues() -> Cues:
    """Return the matcher for the shipped cue file."""
    raw = tomllib.loads(files("mnemic.dictionaries").joinpath("cues.toml").read_text(encoding="utf-8"))
    return Cues({name: (*body["en"], *body["zh"]) for name, body in raw.items() if isinstance(body, dict)})


def by_class(cues: Iterable[Heard]) -> dict[str, tuple[str, ...]]:
    """Return the words heard of each class, in order."""
    heard: dict[str, tuple[str, ...]] = {}
    for cue in cues:
        heard[cue.name] = (*heard.get(cue.name, ()), cue.word)
    return heard


def _longest(found: list[Heard]) -> list[Heard]:
    """Drop a cue that lies inside another one of its own class."""
    kept: list[Heard] = []
    for cue in sorted(found, key=lambda c: (c.name, c.start, -c.end)):
        inside = kept and kept[-1].name == cue.name and cue.end <= kept[-1].end
        if not inside:
            kept.append(cue)
    return kept


def _denying(found: list[Heard]) -> list[Heard]:
    """Drop a denial inside a reminder: "don't forget" denies nothing."""
    reminders = [(cue.start, cue.end) for cue in found if cue.name == "remember"]
    return [
        cue
        for cue in found
        if cue.name != "negation"
        or not any(start <= cue.start and cue.end <= end for start, end in reminders)
    ]


def _is_whole(text: str, start: int, end: int) -> bool:
    """Tell whether a Latin edge of the match is also an edge of a word ("n't" may begin inside one)."""
    before, after = text[start - 1 : start], text[end : end + 1]
    inner_start = _LATIN.match(text[start]) and _LATIN.match(before) and not text.startswith("n't", start)
    return not inner_start and not (_LATIN.match(text[end - 1]) and _LATIN.match(after))


def _gapped_pattern(word: str) -> re.Pattern[str]:
    parts = [re.escape(part.strip()) for part in word.split(GAP)]
    left = r"(?<![0-9a-z])" if _LATIN.match(parts[0]) and not word.startswith("n't") else ""
    right = r"(?![0-9a-z])" if _LATIN.match(parts[-1][-1]) else ""
    return re.compile(left + _CLAUSE_GAP.join(parts) + right)
