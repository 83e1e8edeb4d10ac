"""Private words on their way to a language model and back: placeholders stand for them outside.

Veiled is what the users' dictionary holds, whoever is recognised as a person, addresses, numbers by which people
and accounts are found, capitalised words inside a sentence that no dictionary knows, and what the caller adds.
A name that nothing here recognises is not veiled: it belongs into the dictionary.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import count

from mnemic.errors import ModelError
from mnemic.extraction.analyse import Analyser
from mnemic.extraction.context import everyday
from mnemic.extraction.model import Source
from mnemic.extraction.text import fold, visible
from mnemic.extraction.times import find_times
from mnemic.extraction.width import narrow
from mnemic.extraction.wordlist import whole_words

_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]*://\S+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+", re.IGNORECASE)
_NUMBER = re.compile(r"\+?\d(?:[\d().\- ]*\d){4,}|[A-Za-z]{0,4}-?\d{4,}")
_CAPITAL = re.compile(r"(?<=[\w,;:'’\")\]] )[A-Z][\w'’-]+")
_TOKEN = re.compile(r"\b[A-Z]{2,14}_\d+\b")
_SHOWN = frozenset(
    {"person", "project", "service", "product", "place", "team", "organization", "pet", "address", "number"}
)
"""Kinds that a placeholder may tell; a user's own word for a kind may be private."""
_ANY_DAY = datetime(2000, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Private:
    """A span of a text that is not to leave: whose it is, so that its aliases share a placeholder, and its kind."""

    start: int
    end: int
    key: str
    kind: str


class Veil:
    """Replaces what is private in some texts that belong together, and puts it back into an answer to them."""

    def __init__(self, analyser: Analyser, texts: Sequence[str], names: Mapping[str, str]) -> None:
        self._analyser, self._names = analyser, names
        self._taken = {token for text in texts for token in _TOKEN.findall(text)}
        self._tokens: dict[str, str] = {}
        self._words: dict[str, str] = {}
        self.texts = tuple(self._over(visible(text)) for text in texts)

    def lift(self, answer: str) -> str:
        """Return an answer with the words behind its placeholders; raises ``ModelError`` for one that it made up."""
        made_up = [t for t in _TOKEN.findall(answer) if t not in self._words and t not in self._taken]
        if made_up:
            raise ModelError(f"the model made up the placeholder {made_up[0]}")
        return _TOKEN.sub(lambda token: self._words.get(token[0], token[0]), answer)

    def _over(self, text: str) -> str:
        done, parts = 0, []
        for span in _apart(private_spans(self._analyser, text, self._names)):
            parts += [text[done : span.start], self._token(span, text[span.start : span.end])]
            done = span.end
        return "".join([*parts, text[done:]])

    def _token(self, span: Private, words: str) -> str:
        if span.key not in self._tokens:
            kind = span.kind.upper() if span.kind in _SHOWN else "NAME"
            token = next(
                t for n in count(1) if (t := f"{kind}_{n}") not in self._words | dict.fromkeys(self._taken)
            )
            self._tokens[span.key], self._words[token] = token, words
        return self._tokens[span.key]


def private_spans(analyser: Analyser, text: str, names: Mapping[str, str]) -> Iterator[Private]:
    """Yield what is private in ``text``; ``names`` are further words with their kinds. Spans may overlap."""
    for mention in analyser.own_names(text):
        yield Private(mention.start, mention.end, fold(mention.name), mention.kind)
    known = analyser.mentions(text)
    for mention in known:
        if mention.kind == "person" or mention.source is not Source.SHIPPED:
            yield Private(mention.start, mention.end, fold(mention.name), mention.kind)
    for words, kind in names.items():
        for found in re.finditer(whole_words([words]), text):
            yield Private(*found.span(), fold(words), kind)
    yield from _found(_ADDRESS, text, "address")
    dates = [(t.start, t.end) for t in find_times(text, _ANY_DAY)]
    shipped = [(m.start, m.end) for m in known if m.source is Source.SHIPPED]
    yield from (p for p in _found(_NUMBER, text, "number") if not _inside(p, dates))
    for each in _found(_CAPITAL, text, "name"):
        if not _inside(each, [*dates, *shipped]) and each.key not in everyday():
            yield each


def _found(pattern: re.Pattern[str], text: str, kind: str) -> Iterator[Private]:
    for found in pattern.finditer(narrow(text)):
        yield Private(*found.span(), fold(found[0]), kind)


def _inside(private: Private, spans: Iterable[tuple[int, int]]) -> bool:
    return any(start <= private.start and private.end <= end for start, end in spans)


def _apart(spans: Iterable[Private]) -> Iterator[Private]:
    """Yield spans that do not overlap and cover what all cover; of overlapping ones the first tells whose it is."""
    held: Private | None = None
    for span in sorted(spans, key=lambda each: (each.start, -each.end)):
        if held is None or span.start >= held.end:
            if held is not None:
                yield held
            held = span
        elif span.end > held.end:
            held = Private(held.start, span.end, f"{held.key} {span.key}", held.kind)
    if held is not None:
        yield held
