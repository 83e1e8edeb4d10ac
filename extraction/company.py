"""Whom plain words bring into view where no statement speaks of them: "my mum called", "lunch with Maria"."""

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.resources import files

from mnemic.extraction.model import Mention, Source
from mnemic.extraction.passage import Passage
from mnemic.extraction.predicates import shipped_inventory
from mnemic.extraction.resolve import is_nobodys_name, phrase_mention
from mnemic.extraction.spans import is_free
from mnemic.extraction.wordlist import any_of


def company(passage: Passage) -> Iterator[Mention]:
    """Yield the people of a sentence in which no dictionary knows any, by the words around them."""
    if any(mention.kind == "person" for mention in passage.mentions):
        return
    named = list(_named(passage))
    yield from named
    for match in _relatives().finditer(passage.text) if not named else ():
        start, end = (passage.span[0] + edge for edge in match.span())
        kin = phrase_mention(match[0], start, end, passage.focus, shipped_inventory())
        if kin is not None:
            yield kin


def people(text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of names that stand as only a person's does ("lunch with Maria")."""
    for match in _names().finditer(text):
        yield match.span(match.lastindex or 0)


def _named(passage: Passage) -> Iterator[Mention]:
    for first, last in people(passage.text):
        name = passage.text[first:last]
        start, end = passage.span[0] + first, passage.span[0] + last
        found = Mention(start=start, end=end, text=name, name=name, kind="person", source=Source.PHRASE)
        if not is_nobodys_name(name.split()[0]) and is_free(found, passage.held):
            yield found


@cache
def _relatives() -> re.Pattern[str]:
    """Return what matches the speaker's own people: "my mum", "my cousin Milo", 我妈."""
    words = shipped_inventory().words
    english, chinese = any_of(words["en"]["kin"]), any_of(words["zh"]["kin"])
    latin = rf"(?<![\w'])(?:my|our)\s+(?:\w+\s+)?(?:{english})(?![\w'])(?:\s+(?-i:[A-Z]\w+))?"
    return re.compile(rf"{latin}|(?:我们|咱们|我|咱|俺)家?的?(?:{chinese})", re.IGNORECASE)


@cache
def _names() -> re.Pattern[str]:
    """Return what matches a name that stands as only a person's does, in a group of its own."""
    raw = tomllib.loads(files("mnemic.dictionaries").joinpath("pronouns.toml").read_text(encoding="utf-8"))
    words = raw["company"]
    latin = r"((?-i:[A-Z][a-z]+(?:\s[A-Z][a-z]+)?))(?![\w'])"
    beside = any_of(words["before"]["en"]), any_of(words["behind"]["en"])
    family = any_of(shipped_inventory().words["zh"]["surname"])
    chinese = rf"((?:{family})[\u4e00-\u9fff]{{1,2}}?)"
    around = any_of(words["before"]["zh"]), any_of(words["behind"]["zh"])
    return re.compile(
        rf"(?<![\w'])(?:{beside[0]})\s+{latin}(?!\s+and\s)|(?<![\w']){latin}\s+(?:{beside[1]})(?![\w'])"
        rf"|(?:{around[0]})了?{chinese}(?=$|[^\u4e00-\u9fff、]|{any_of(words['ends'])})"
        rf"|{chinese}(?={around[1]})",
        re.IGNORECASE,
    )
