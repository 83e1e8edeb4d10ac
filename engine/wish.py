"""The caller's wishes about an answer, checked once, with errors that name the field."""

from collections.abc import Sequence
from datetime import datetime

from mnemic.engine.asking import Wish
from mnemic.engine.message import checked_text
from mnemic.engine.weights import profile
from mnemic.errors import InvalidInput, UnknownName
from mnemic.graph.clock import require_aware
from mnemic.graph.model import Kind

DEPTHS = ("auto", "deep", "warm")
_MOST = 1000


def wish(
    *,
    limit: int,
    depth: str,
    profile_name: str,
    vectors: bool,
    present: bool,
    since: datetime | None,
    until: datetime | None,
    kinds: Sequence[str],
    entities: Sequence[str],
    tags: Sequence[str],
    session: str | None,
    budget: int | None,
    conversation: Sequence[str],
    max_text: int,
) -> Wish:
    """Return the checked wishes; raises ``InvalidInput`` or ``UnknownName``."""
    if not isinstance(limit, int) or not 1 <= limit <= _MOST:
        raise InvalidInput("limit", f"{limit!r} is out of range", f"choose 1 to {_MOST}")
    if depth not in DEPTHS:
        raise UnknownName("depth", depth, DEPTHS)
    if budget is not None and budget < 1:
        raise InvalidInput("budget", f"{budget!r} leaves no room", "give at least one token, or leave it out")
    _require_words(kinds=kinds, entities=entities, tags=tags, conversation=conversation, longest=max_text)
    if session is not None:
        checked_text(session, "session", max_text)
    for kind in kinds:
        if kind not in tuple(Kind):
            raise UnknownName("kinds", kind, (k.value for k in Kind))
    _require_span(since, until)
    return Wish(
        limit=limit,
        depth=depth,
        profile=profile(profile_name, vectors=vectors),
        present=present,
        since=since,
        until=until,
        kinds=frozenset(kinds),
        entities=tuple(entities),
        tags=frozenset(tags),
        session=session,
        budget=budget,
        conversation=tuple(conversation),
    )


def _require_words(*, longest: int, **lists: Sequence[str]) -> None:
    """Raise ``InvalidInput`` for a list that is one string, or holds what is no words."""
    for name, words in lists.items():
        if isinstance(words, str):
            raise InvalidInput(name, "is a string", "pass a list of strings")
        for number, word in enumerate(words):
            checked_text(word, f"{name}[{number}]", longest)


def _require_span(since: datetime | None, until: datetime | None) -> None:
    """Raise ``InvalidInput`` for a moment without an offset, and for an end before the beginning."""
    for name, moment in (("since", since), ("until", until)):
        if moment is not None:
            require_aware(moment, name)
    if since is not None and until is not None and until < since:
        raise InvalidInput("until", "is before since", "swap the two")
