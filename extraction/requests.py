"""Requests to the memory itself: to forget what was told, not to keep what is being told, or to keep it."""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from mnemic.extraction.model import Request
from mnemic.extraction.text import tongue


def find_request(text: str, spans: Sequence[tuple[int, int]]) -> Request | None:
    """Return what the sentences ``spans`` of ``text`` ask of the memory; the first request counts."""
    for start, end in spans:
        sentence = text[start:end]
        for kind, pattern in _patterns():
            for clause in _beginnings(sentence):
                match = pattern.match(clause)
                if match is not None:
                    return _request(kind, match, sentence)
    return None


def asks_to_keep(text: str) -> bool:
    """Tell whether a sentence of ``text`` asks outright to remember what is told with it."""
    return _kept().search(text) is not None


def _beginnings(sentence: str) -> Iterator[str]:
    """Yield the sentence from its start, and from each of its clauses on."""
    yield sentence
    for cut in re.finditer(r"[,，;；:：]\s*", sentence):
        yield sentence[cut.end() :]


def _request(kind: str, match: re.Match[str], sentence: str) -> Request:
    what = match.groupdict().get("what") or ""
    shorter = _filler().sub("", what.strip())
    while shorter != what:
        what, shorter = shorter, _filler().sub("", shorter.strip())
    folded = match.group().casefold()
    everything = any(re.search(_whole(word), folded) for word in _data()["everything"])
    return Request(kind=kind, what=what, everything=everything, mark=_data()["marks"][kind][tongue(sentence)])


def _whole(word: str) -> str:
    return rf"\b{re.escape(word)}\b" if word.isascii() else re.escape(word)


@cache
def _data() -> Mapping[str, Any]:
    return tomllib.loads(files("mnemic.dictionaries").joinpath("requests.toml").read_text(encoding="utf-8"))


@cache
def _kept() -> re.Pattern[str]:
    either = "|".join(f"(?:{pattern})" for pattern in _data()["kept"])
    return re.compile(rf"(?:^|[.!?。！？\n])\s*{_data()['lead']}(?:{either})", re.IGNORECASE)


@cache
def _filler() -> re.Pattern[str]:
    return re.compile(_data()["filler"], re.IGNORECASE)


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple(
        (kind, re.compile(_data()["lead"] + pattern, re.IGNORECASE))
        for kind in ("unsaved", "forget")
        for pattern in _data()[kind]
    )
