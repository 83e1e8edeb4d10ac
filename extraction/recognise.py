"""Values in a text: money, quantities, percentages, versions, addresses, ids; and people called with an @.

What a unit, a currency or an id looks like is data (``dictionaries/values.toml``). Three conventions:
a number that labels something (room 302, port 2222, Postgres 15) is a bare ``quantity`` unless it is
marked as more ("#4521", "C12", "v15"), so that it can be compared with the next thing said of the same
label; a lone "一" or "one" before a counting unit says no more than "a" and is no value; and a number
that other recognisers took (dates, times) is left alone.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import chain

from mnemic.extraction.model import Mention, Source, Value
from mnemic.extraction.values import shipped_values
from mnemic.extraction.width import narrow

Span = tuple[int, int]

_AT = re.compile(
    r"(?<![A-Za-z0-9._%+/-])@(?:([A-Za-z][A-Za-z0-9_.-]{0,38})(?![A-Za-z0-9/@])|([一-鿿·]{2,4})(?![一-鿿]))"
)


def find_values(text: str, taken: Sequence[Span] = (), products: Sequence[Span] = ()) -> list[Value]:
    """Return the values in ``text``, in order; the longest where two claim the same characters.

    ``taken`` are spans that no value may touch (dates and times found before). ``products`` are spans of
    names that have versions: a bare number right after one is a ``version``.
    """
    plain = narrow(text)
    list_marks = (mark.span() for mark in shipped_values().list_mark.finditer(plain))
    used = bytearray(len(text))
    for start, end in chain(taken, list_marks):
        used[start:end] = b"\1" * len(used[start:end])
    versioned = {end for _, end in products}
    found: list[Value] = []
    for kind, normal, start, end in sorted(_candidates(plain), key=lambda claim: claim[2] - claim[3]):
        if any(used[start:end]):
            continue
        used[start:end] = b"\1" * (end - start)
        if kind == "quantity" and " " not in normal and len(plain[:start].rstrip(" -")) in versioned:
            kind = "version"
        found.append(Value(start=start, end=end, text=text[start:end], kind=kind, normal=normal))
    return sorted(found, key=lambda value: value.start)


def find_people(text: str) -> list[Mention]:
    """Return those called with an @ ("@林悦", "@ada.l"); the span and the name are without the @.

    Mail addresses, package scopes and calls to everyone are no people. A Chinese name must end where its
    characters end: in "@林悦帮我看下" only a dictionary can tell the name from the request.
    """
    people = []
    for match in _AT.finditer(narrow(text)):
        name = match[match.lastindex or 0].rstrip(".-_")
        if name.lower() not in shipped_values().everyone:
            start, end = match.start() + 1, match.start() + 1 + len(name)
            words = text[start:end]
            people.append(
                Mention(start=start, end=end, text=words, name=words, kind="person", source=Source.AT)
            )
    return people


def _candidates(plain: str) -> Iterator[tuple[str, str, int, int]]:
    """Yield (kind, normal, start, end) of all that any rule finds, rules in order of preference."""
    for rule in shipped_values().rules:
        for match in rule.pattern.finditer(plain):
            normal = rule.normal(match)
            if normal is not None:
                yield rule.kind, normal, *match.span(rule.group)
