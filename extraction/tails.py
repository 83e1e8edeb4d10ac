"""What a statement sets itself against: "on Kubernetes instead of Swarm", "in York, not New York"."""

import re
from dataclasses import dataclass
from functools import cache

from mnemic.extraction.model import Mention
from mnemic.extraction.passage import Passage
from mnemic.extraction.predicates import word_of
from mnemic.extraction.resolve import clean_words

_WORDS = re.compile(r"[A-Za-z0-9#@][\w#&@.'-]*(?:\s+[\w#&@.'-]+){0,3}|[\u4e00-\u9fff]{1,8}")


@dataclass(frozen=True, slots=True)
class Tail:
    """The other value and where it ends; ``instead``: the words say that it gives way."""

    words: str
    mention: Mention | None
    end: int
    instead: bool


def tail(passage: Passage, position: int) -> Tail | None:
    """Return what the words behind ``position`` set against what ends there; None if nothing."""
    text = passage.line.text
    link = _link().match(text, position, passage.span[1])
    if link is None:
        return None
    instead = link["instead"] is not None
    item = passage.item_at(link.end())
    if isinstance(item, Mention):
        return Tail(item.name, item, item.end, instead)
    if item is not None:
        return Tail(clean_words(item.text), None, item.end, instead)
    words = _WORDS.match(text, link.end(), passage.span[1])
    return Tail(clean_words(words[0]), None, words.end(), instead) if words else None


def split(words: str) -> tuple[str, str]:
    """Return plain words without what they set themselves against, and that."""
    link = _link().search(words)
    if link is None or link["instead"] is None or not link.start():
        return words, ""
    return words[: link.start()], clean_words(words[link.end() :])


@cache
def _link() -> re.Pattern[str]:
    instead, against = word_of("instead").pattern, word_of("against").pattern
    article = r"(?:\s*(?:the|a|an|our|my|old|旧的|原来的)(?=[\s\u4e00-\u9fff]))*\s*"
    return re.compile(
        rf"(?:\s+(?:now|anymore|any more|again))?\s*[,，]?\s*(?:(?P<instead>{instead})|{against}){article}",
        re.IGNORECASE,
    )
