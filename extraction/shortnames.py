"""Other forms of the users' own names: first names, forms of address, things without or with their class word.

A form that two names could claim belongs to neither, so that look-alikes stay apart.
"""

import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files
from typing import Any

from mnemic.extraction.introduce import class_words
from mnemic.extraction.lexicon import Entry
from mnemic.extraction.text import fold


def with_short_forms(entries: Sequence[Entry]) -> list[Entry]:
    """Return the entries, each with the short forms that no other entry could claim among its aliases."""
    claims = Counter(fold(form) for entry in entries for form in {*_own(entry), *_short(entry)})
    return [
        replace(entry, aliases=(*entry.aliases, *_free(entry, claims))) if _free(entry, claims) else entry
        for entry in entries
    ]


def _free(entry: Entry, claims: Mapping[str, int]) -> list[str]:
    known = {fold(form) for form in _own(entry)}
    return [
        form for form in dict.fromkeys(_short(entry)) if claims[fold(form)] == 1 and fold(form) not in known
    ]


def _own(entry: Entry) -> tuple[str, ...]:
    return (entry.name, *entry.aliases)


def _short(entry: Entry) -> Iterator[str]:
    words = entry.name.split()
    if entry.kind == "person":
        yield from _latin_person(words) if entry.name.isascii() else _chinese_person(entry.name)
        return
    yield from _with_class_word(entry)
    if len(words) > 1 and words[-1].casefold() not in _data()["class_words_en"]:
        yield f"the {words[-1]}"
    else:
        yield from _without_class_word(entry.name)


def _latin_person(words: Sequence[str]) -> Iterator[str]:
    if len(words) > 1:
        yield from (word for word in (words[0], words[-1]) if len(word) > 2 and word[0].isupper())


def _chinese_person(name: str) -> Iterator[str]:
    if not 2 <= len(name) <= 4 or not all("\u4e00" <= letter <= "\u9fff" for letter in name):
        return
    surname = next((s for s in _data()["compound_surnames"] if name.startswith(s)), name[0])
    yield from (form.replace("X", surname) for form in _data()["address"])
    given = name[len(surname) :]
    if len(given) == 2:
        yield given


def _with_class_word(entry: Entry) -> Iterator[str]:
    """Yield what a thing is called in full: "the Atlas project", 阿特拉斯项目."""
    words = class_words(entry.kind)
    for form in _own(entry):
        if not form.casefold().endswith(words):
            yield from (f"{form} {word}" if word.isascii() else f"{form}{word}" for word in words)


def _without_class_word(name: str) -> Iterator[str]:
    for word in _data()["class_words_zh"]:
        rest = name.removesuffix(word)
        if rest != name and len(rest) >= 2:
            yield rest


@cache
def _data() -> Mapping[str, Any]:
    return tomllib.loads(files("mnemic.dictionaries").joinpath("shortnames.toml").read_text(encoding="utf-8"))
