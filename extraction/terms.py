"""Index terms: what words are searched by, made above the stores so that each finds the same.

Latin words are folded and stemmed (Porter's English stemmer, "Porter2", snowballstem.org); runs of Han,
kana and Hangul become overlapping pairs of characters, which find more than dictionary words do. Names
such as ``c++``, ``.net``, ``node.js``, ``3.11`` and ``sr-2023-052`` are terms of their own beside their parts.
"""

import json
import re
import unicodedata
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from importlib.resources import files
from itertools import pairwise, product

import snowballstemmer

from mnemic.extraction.text import CJK, LETTER, visible

LONGEST = 64
"""The most characters of a term; what is longer (encoded data) is cut, as full-text engines have limits."""

_WORD = rf"{LETTER}(?:{LETTER}|[\u0300-\u036f]|'(?={LETTER}))*"
_TOKEN = re.compile(
    rf"(?P<cjk>[{CJK}]+)"
    rf"|(?:(?<!{LETTER})(?<!\.)\.(?=[^\W\d_{CJK}]))?"  # .net
    rf"{_WORD}(?:[-._&]{_WORD}|:\d+)*"
    rf"(?:\+\+(?![^\W\d_{CJK}])|\#(?!{LETTER}))?"  # c++ c#
)
_PART = re.compile(_WORD)
_NAME = re.compile(r"[\d._&:+#]")
_VERSION = re.compile(r"v(\d+(?:\.\d+)*)")
_NUMBER = re.compile(r"[\d.:]+")


def terms(text: str) -> tuple[str, ...]:
    """Return the index terms of ``text`` in order, with repetition; stop words are kept.

    >>> terms("We moved C++ services to 上海机房")
    ('we', 'move', 'c++', 'servic', 'to', '上海', '海机', '机房')
    """
    folded = unicodedata.normalize("NFKC", visible(text)).casefold().replace("’", "'")
    return tuple(term[:LONGEST] for token in _TOKEN.finditer(folded) for term in _split(token))


def is_function_word(word: str) -> bool:
    """Tell whether ``word`` is one as it is written: "may" is, May and IT are not."""
    return word in (_stop_data()["en"] if word.isascii() else stop_terms())


@cache
def stop_terms() -> frozenset[str]:
    """Return the index terms of function words: too common to tell one text from another."""
    data = _stop_data()
    single = [word for word in data["zh"] if len(word) == 1]
    pairs = map("".join, product(single, repeat=2))
    return frozenset({*(stem for word in data["en"] for stem in terms(word)), *data["zh"], *pairs})


@cache
def _stop_data() -> Mapping[str, list[str]]:
    data: Mapping[str, list[str]] = json.loads(
        files("mnemic.dictionaries").joinpath("stopwords.json").read_text("utf-8")
    )
    return data


def _split(token: re.Match[str]) -> Iterator[str]:
    """Yield the terms of one run of Han characters, one word or one compound."""
    text = token[0]
    if token["cjk"]:
        yield from map("".join, pairwise(text)) if len(text) > 1 else (text,)
        return
    parts = _PART.findall(text)
    if parts == [text]:
        yield _stem(text)
        if version := _VERSION.fullmatch(text):
            yield version[1]
        return
    if _NAME.search(text):
        yield text
    if version := _VERSION.fullmatch(text):
        yield version[1]
    elif not _NUMBER.fullmatch(text) and not text.endswith(("+", "#")):
        yield from (_stem(part) for part in parts if len(part) > 1 or part.isdigit())


@lru_cache(maxsize=1 << 16)
def _stem(word: str) -> str:
    """Return the stem of an English word; a new stemmer each time, because one holds the word it works on."""
    if not word.replace("'", "").isalpha():
        return word
    stem: str = snowballstemmer.stemmer("english").stemWord(word)
    return stem
