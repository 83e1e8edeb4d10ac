"""Understanding a question: whom and what it names, which slot it asks for, which time it means."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo

from mnemic.engine.core import Core
from mnemic.engine.find import find_entities
from mnemic.engine.hot import leant_on
from mnemic.extraction.cues import by_class, shipped_cues
from mnemic.extraction.model import Mention
from mnemic.extraction.predicates import shipped_inventory
from mnemic.extraction.terms import stop_terms, terms
from mnemic.extraction.text import fold, tongue, visible
from mnemic.extraction.times import query_range
from mnemic.extraction.width import level
from mnemic.extraction.wordlist import whole_words
from mnemic.graph.model import Entity, Memory, Turn, Vector
from mnemic.graph.view import View

_LATIN_WORD = re.compile(r"[a-z0-9][\w&'.+#-]*")
_CJK_RUN = re.compile(r"[\u3400-\u9fff]+")
_LONGEST = 8
_ASKING = re.compile(r"[?？]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question as the recall reads it.

    ``terms`` are its index terms, ``weighty`` those that are no stop words. ``handles`` are the names that
    may stand in it, ``entities`` the nodes that the store has found by them, ``only`` those that the caller
    wants to hear of alone. ``predicates`` are the slots that it asks for, ``[since, until)`` the time that it
    means. ``former``: it asks how things were; ``detail``: it wants the original words; ``chat``: it is small talk.
    ``zone``: in which days are written to the one who asks.
    """

    text: str
    terms: tuple[str, ...]
    weighty: tuple[str, ...]
    vector: Vector | None
    handles: tuple[str, ...]
    mentions: tuple[Mention, ...]
    only: tuple[Entity, ...]
    predicates: frozenset[str]
    first: bool
    since: datetime | None
    until: datetime | None
    former: bool
    detail: bool
    chat: bool
    zone: tzinfo | None
    entities: tuple[Entity, ...] = ()

    def moment(self, now: datetime) -> datetime | None:
        """Return the last moment of the stretch of the past that is asked about, None where none is named."""
        if self.until is None or self.until > now:
            return None
        return self.until - timedelta.resolution

    def sets(self, view: View) -> bool:
        """Tell whether the moment of ``view`` is the one that the question names, not one a caller chose."""
        return self.until is not None and view.valid == self.until - timedelta.resolution

    def admits(self, row: Memory | Turn) -> bool:
        """Tell whether a row is about one of the entities that alone are wanted; of a turn its words tell."""
        if not self.only:
            return True
        if isinstance(row, Turn):
            return any(handle in fold(row.text) for entity in self.only for handle in entity.handles)
        return not {entity.id for entity in self.only}.isdisjoint(m.entity for m in row.mentions)

    @property
    def tongue(self) -> str:
        """Return the language to answer in, ``zh`` or ``en``."""
        return tongue(self.text)


def understand(
    core: Core, view: View, text: str, named: Sequence[str] = (), conversation: Sequence[str] = ()
) -> Question:
    """Return the question ``text`` as ``view`` can answer it; only what is about one of ``named`` may answer.

    It may lean on the ``conversation`` in which it is asked, whose lines come oldest first.
    The names that are known already are enough: the store tells with its answer when they have changed.
    Raises ``NotFound`` for a name in ``named`` that is not known.
    """
    text = visible(text)
    cues = by_class(shipped_cues().hear(text))
    analyser = core.known_analyser(view.owners)
    whole = f"{leant_on(analyser, text, conversation)} {text}".strip()
    mentions = analyser.mentions(whole)
    only = [entity for name in named for entity in find_entities(core, view, name)]
    handles = {fold(m.name) for m in mentions} | set(_spans(whole, mentions))
    handles.update(*(entity.handles for entity in only))
    words = terms(whole)
    time = query_range(text, view.valid)
    weighty = tuple(term for term in dict.fromkeys(words) if term not in stop_terms())
    return Question(
        text=text,
        terms=tuple(dict.fromkeys(words)),
        weighty=weighty,
        vector=core.embedder.query(whole) if core.embedder is not None else None,
        handles=tuple(sorted(handles)),
        mentions=mentions,
        only=tuple(only),
        predicates=_asked(text),
        first="first" in cues,
        since=time[0] if time else None,
        until=time[1] if time else None,
        former="former" in cues,
        detail="detail" in cues,
        chat=_is_chat(cues, weighty, mentions, text),
        zone=core.clock().tzinfo,
    )


def _asked(text: str) -> frozenset[str]:
    """Return the predicates one of whose question words stands in the text."""
    folded = fold(text)
    return frozenset(
        predicate.name
        for predicate in shipped_inventory().predicates.values()
        if any(_stands(word, folded) for word in predicate.asks)
    )


def _stands(word: str, text: str) -> bool:
    if not word.isascii():
        return word in text
    at = text.find(word)
    return (
        at >= 0
        and not text[at - 1 : at].isalnum()
        and not text[at + len(word) : at + len(word) + 1].isalnum()
    )


def _spans(text: str, mentions: Sequence[Mention]) -> Iterator[str]:
    """Yield the stretches of a text by which an entity outside the dictionary may be known."""
    folded = fold(text)
    words = _LATIN_WORD.findall(folded)
    for size in (1, 2, 3):
        for start in range(len(words) - size + 1):
            yield " ".join(words[start : start + size])
    for run in _CJK_RUN.findall(folded):
        for start in range(len(run)):
            for end in range(start + 2, min(len(run), start + _LONGEST) + 1):
                yield run[start:end]


def _is_chat(
    cues: dict[str, tuple[str, ...]], weighty: Sequence[str], mentions: Sequence[Mention], text: str
) -> bool:
    """Tell whether a text is small talk: greetings, thanks, nods and the like, and no weighty word beside them.

    What asks nothing may have one or two beside a greeting, but is no bare word that is asked for ("right shoe?").
    """
    said = (*cues.get("chat", ()), *cues.get("nod", ()))
    if not said or mentions:
        return False
    beside = set(terms(re.sub(whole_words(said), " ", level(text)))) - stop_terms()
    asks = "question" in cues or _ASKING.search(text) is not None
    if not asks and not beside:
        return True
    return "chat" in cues and (not beside or (not asks and len(weighty) <= 2))
