"""What a rule or a decision that names no subject is about, by the words that it consists of.

"Never lend out the torque wrench" is a rule for the wrench, not for its speaker, "we settled on blue tiles for
the hall" decides about the hall, "App 首页不做短视频" about the page.
"""

import re
from functools import cache

from mnemic.extraction.predicates import shipped_inventory
from mnemic.extraction.segment import Span
from mnemic.extraction.wordlist import any_of

_WORD = re.compile(r"[^\W_][\w'’&/-]*|[^\s\w]")
_MOST = 4
"""So many words a thing may be named by."""


def about(words: str, predicate: str) -> Span | None:
    """Return where the words of a ``predicate`` that names no subject name what it is about.

    >>> start, end = about("lend out the torque wrench without asking", "rule")
    >>> "lend out the torque wrench without asking"[start:end]
    'torque wrench'
    """
    if predicate == "decided":
        purpose = _purpose().search(words)
        return _named(words, purpose.end()) if purpose is not None else _turned(words)
    given = _given().search(words)
    if given is not None:
        return given.span("kin" if given["kin"] else "place")
    pointed = _pointed().search(words)
    return _named(words, pointed.end()) if pointed is not None else None


def points_back(words: str) -> bool:
    """Tell whether words speak of a thing by a pronoun, before they name any ("never leave it in the van")."""
    back, named = _back().search(words), _pointed().search(words)
    return back is not None and (named is None or back.start() < named.start())


def _named(words: str, start: int) -> Span | None:
    """Return the span of the name that begins at ``start``: up to a word that no name holds."""
    end = start
    for count, word in enumerate(_WORD.finditer(words, start)):
        if count == _MOST or word[0].casefold() in _bounds() or not word[0][0].isalnum():
            break
        end = word.end()
    return (start, end) if end > start else None


def _turned(words: str) -> Span | None:
    """Return the span of what stands in a Chinese decision before the word that says what becomes of it."""
    turned = _turning().match(words)
    return turned.span("topic") if turned is not None else None


@cache
def _bounds() -> frozenset[str]:
    words = shipped_inventory().words["en"]
    return frozenset((*words["stop"], *words["link"], *words["determiner"]))


@cache
def _pointed() -> re.Pattern[str]:
    """Return what stands before the name of a thing that both know of."""
    return re.compile(
        rf"(?<![\w'])(?:{any_of(shipped_inventory().words['en']['pointing'])})\s+", re.IGNORECASE
    )


@cache
def _given() -> re.Pattern[str]:
    """Return what names whom or what place a Chinese rule concerns: "别给孩子吃蜂蜜", "不要在群里发广告"."""
    words = shipped_inventory().words["zh"]
    people = any_of((*words["kin"], *words["relative"]))
    toward, within = any_of(words["toward"]), any_of(words["governing"])
    place = rf"(?P<place>[^\s,，。]{{1,6}}?(?:{any_of(words['inside'])}))"
    return re.compile(rf"(?:{toward})(?P<kin>{people})|(?:{within}){place}")


@cache
def _purpose() -> re.Pattern[str]:
    """Return what stands before that for which something was chosen."""
    pointing = any_of(shipped_inventory().words["en"]["pointing"])
    return re.compile(rf"(?<!\w)for\s+(?:{pointing})\s+", re.IGNORECASE)


@cache
def _turning() -> re.Pattern[str]:
    words = shipped_inventory().words["zh"]
    none = any_of((*words["holder"], *words["pronoun"], *words["turning"]))
    return re.compile(
        rf"(?P<topic>(?!{none})[^\s,，。;；:：!！?？\d][^,，。;；:：!！?？]{{1,11}}?)(?:{any_of(words['turning'])})"
    )


@cache
def _back() -> re.Pattern[str]:
    words = shipped_inventory().words
    return re.compile(
        rf"(?<![\w'])(?:{any_of(words['en']['back'])})(?![\w'])|{any_of(words['zh']['back'])}", re.IGNORECASE
    )
