"""Who and what stands in the slots of a match: mentions, people and things named by a phrase, values, words."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from mnemic.extraction.edges import bare, counted, is_vague, labelled, trimmed, undated
from mnemic.extraction.frame import MARKS, SKIP_CLOSE, SKIP_OPEN, Frame
from mnemic.extraction.model import Mention, Source, Value
from mnemic.extraction.passage import Passage
from mnemic.extraction.predicates import Inventory, Predicate, shipped_inventory
from mnemic.extraction.resolve import (
    Focus,
    clean_words,
    is_nobody,
    is_nobodys_name,
    is_pronoun,
    phrase_mention,
    resolve_dropped,
    resolve_pronoun,
)
from mnemic.extraction.topics import about, points_back
from mnemic.extraction.wordlist import any_of

_ABOUT = ("thing", "team", "org", "pet", "tech", "platform")
"""Groups of what a sentence that names no subject may be about, rather than its speaker."""
_TECH = ("tech", "platform", "language")
_WHOLE = frozenset({"task", "done", "happened", "rule", "decided"})
"""Predicates whose object is all that is said, its dates with it."""
_TOPICAL = frozenset({"rule", "decided"})
"""Predicates whose words name what they are about, where nothing else does."""
_OWNED = re.compile(r"'s?\s|的|\s(?:of|for|in|on|to|with|about|from|at|between)\s")
_OWNER_END = re.compile(r"\A(?:['’]s?\s|\s?的\s?|\s)")
_NEXT = re.compile(r"\s*(?:,\s*and|[,、，&/]|and|和|跟|与|还有|以及|plus)\s*(?:the\s+|our\s+)?")
_JOINED = re.compile(r"\s+and\s+(?:the\s+)?|(?<=[\u4e00-\u9fff])[和、](?=[\u4e00-\u9fff])")
_NAME = re.compile(r"(?:(?:Dr|Mr|Mrs|Ms|Prof)\.?\s)?[A-Z][a-z]+(?:\s[A-Z][a-z]+)?")


@dataclass(frozen=True, slots=True)
class Filling:
    """What a slot holds: the mention, if it is one, its words, the moment, if it is one; ``old``: what was there."""

    mention: Mention | None
    words: str
    when: Value | None = None
    old: str = ""


@dataclass(frozen=True, slots=True)
class Filler:
    """Fills slots from a frame of a passage; ``focus`` is what is in view, ``groups`` those of its mentions.

    ``topic`` is the person named by plain words ("my sister") of whom the sentence has spoken before.
    """

    passage: Passage
    focus: Focus
    inventory: Inventory
    groups: Mapping[str, str]
    topic: Mention | None = None

    def subjects(self, predicate: Predicate, match: re.Match[str], frame: Frame) -> list[Mention]:
        """Return whom or what a match speaks of: several where they are listed, none where it is not clear."""
        if "s" in match.re.groupindex and match["s"] is not None:
            found = self._named_before(match, predicate, frame) or self._mention(
                match, "s", frame, predicate.subject
            )
            if found is not None and set(_TECH) & set(predicate.object):
                found = self._whole(found.start, found.end) or found
            if found is not None and self._is_told_of_part(found):
                found = self.focus.thing
            if found is not None and self._is_part(found) and "thing" in predicate.subject:
                found = self.focus.thing or found
            if found == self.focus.speaker and predicate.name == "decided":
                found = self._topic(match, predicate, frame) or found
            if found is None or not self._may_be(found, predicate.subject):
                return []
            return [*_parted(found), *self._listed(match, "s", frame)]
        start, _ = frame.original(*match.span())
        if "s" not in match.re.groupindex:
            about = self._about(match, frame)
            if about is not None and self._may_be(about, predicate.subject):
                return [about]
            people = [m for m in self.passage.mentions if m.kind == "person" and m.end <= start]
            if people and predicate.subject == ("person",):
                return people[-1:]
            elsewhere = [m for m in self.passage.mentions if self._is_own(m, predicate.subject)]
            if elsewhere and "text" not in predicate.object:
                return elsewhere[:1]
            topic = self._topic(match, predicate, frame)
            if topic is not None:
                return [topic]
            if "text" in predicate.object and "thing" not in predicate.object:
                return [next((asked.subject for asked in self.focus.asked), self.topic or self.focus.speaker)]
        before = [m for m in self.passage.mentions if m.end <= start]
        dropped = resolve_dropped(self.focus, predicate.subject, before, self.groups)
        if dropped == self.focus.speaker and self.topic is not None:
            return [self.topic]
        return [dropped] if dropped is not None else []

    def _topic(self, match: re.Match[str], predicate: Predicate, frame: Frame) -> Mention | None:
        """Return what a rule or a decision is about where its wording has no subject."""
        if predicate.name not in _TOPICAL or match["o"] is None:
            return None
        start, end = frame.original(*match.span("o"))
        words = self.passage.line.text[start:end]
        if predicate.name == "rule" and points_back(words):
            return self.focus.thing
        named = about(words, predicate.name)
        return None if named is None else self.made(start + named[0], start + named[1], predicate.subject)

    def _named_before(self, match: re.Match[str], predicate: Predicate, frame: Frame) -> Mention | None:
        """Return of what "nobody" denies something where the sentence has named it before."""
        if not is_nobody(match["s"]):
            return None
        start, _ = frame.original(*match.span("s"))
        named = [m for m in self.passage.mentions if m.end <= start and self._is_own(m, predicate.subject)]
        return next(reversed(named), None)

    def _is_part(self, mention: Mention) -> bool:
        """Tell whether plain words name a part that everything has ("the db"): it is one of the thing in view.

        A pattern may have cut such a word in two (数据|库).
        """
        if mention.source is not Source.PHRASE:
            return False
        words = self.inventory.words
        longer = tuple(part for part in words["zh"]["part"] if len(part) > mention.end - mention.start)
        cut = self.passage.line.text.startswith(longer, mention.start)
        named = mention.name.casefold() in (*words["en"]["part"], *words["zh"]["part"])
        return named or cut

    def _is_told_of_part(self, mention: Mention) -> bool:
        """Tell whether somebody is only called, and what follows is a part of something ("@Ben 测试库…")."""
        text = self.passage.line.text
        called = text[mention.start - 1 : mention.start] == "@"
        return called and _part_behind().match(text, mention.end) is not None

    def _may_be(self, mention: Mention, wants: Sequence[str]) -> bool:
        """Tell whether a mention's group is one of those that a slot takes."""
        group = self.groups.get(mention.name, "person" if mention.kind == "person" else None)
        return group is None or "any" in wants or group in wants or (group in _TECH and "tech" in wants)

    def _about(self, match: re.Match[str], frame: Frame) -> Mention | None:
        """Return the first thing within a match whose pattern has no subject, unless it is object or old value."""
        start, end = frame.original(*match.span())
        other = {self._sole(match, name, frame) for name in ("o", "old") if name in match.re.groupindex}
        return next(
            (
                mention
                for mention in self.passage.mentions
                if start <= mention.start and mention.end <= end
                if self.groups[mention.name] in _ABOUT and mention not in other
            ),
            None,
        )

    def _is_own(self, mention: Mention, wants: Sequence[str]) -> bool:
        return self.groups[mention.name] in wants and self.groups[mention.name] in ("thing", "team", "org")

    def _sole(self, match: re.Match[str], name: str, frame: Frame) -> Mention | Value | None:
        return frame.sole(*trimmed(frame, *match.span(name)))

    def objects(self, predicate: Predicate, match: re.Match[str], frame: Frame) -> list[Filling]:
        """Return what a match says of its subject; several where they are listed and may be."""
        if "o" not in match.re.groupindex:
            speaker = self.focus.speaker
            return [Filling(speaker, speaker.name)] if "person" in predicate.object else []
        if match["o"] is None:
            return []
        first = self.filling(match, "o", frame, predicate.object, whole=predicate.name in _WHOLE)
        if first.mention is not None and self._is_elsewhere(first.mention, predicate.object):
            return []
        measured = self._sole(match, "o", frame)
        if predicate.units and isinstance(measured, Value) and _unit(measured) not in predicate.units:
            return []
        if predicate.name == "rule":
            return [replace(first, words=first.words and (self._limited(match, frame) or first.words))]
        others = self._listed(match, "o", frame) if predicate.many and first.mention is not None else []
        return [first, *(Filling(mention, mention.name) for mention in others)]

    def _is_elsewhere(self, mention: Mention, wants: Sequence[str]) -> bool:
        """Tell whether a mention is a place where only those of other groups may stand ("works in Bonn")."""
        return self.groups.get(mention.name) == "place" and {"place", "text", "any"}.isdisjoint(wants)

    def _limited(self, match: re.Match[str], frame: Frame) -> str:
        """Return what a rule says with the words that forbid or limit it; nothing where it has none."""
        limit = _limit("ban", "limit").search(frame.text, match.start(), match.start("o"))
        return self._words(*frame.original(limit.start(), match.end("o"))) if limit is not None else ""

    def filling(
        self, match: re.Match[str], name: str, frame: Frame, wants: Sequence[str], *, whole: bool = True
    ) -> Filling:
        """Return what the slot ``name`` holds; unless ``whole``, without dates at its end."""
        span = trimmed(frame, *match.span(name))
        if not whole and span[1] - span[0] > 1:
            span = trimmed(frame, span[0], undated(frame.text, *span))
        held = frame.sole(*span)
        if is_nobody(frame.text[slice(*span)]):
            return Filling(None, "")
        if isinstance(held, Value):
            dated = "date" in wants and held.since is not None
            start, end = frame.original(span[0], span[1] if dated else counted(frame, span[1]))
            words = self._words(start, end)
            return Filling(None, words, held if held.since is not None else None)
        if "person" in wants or isinstance(held, Mention):
            mention = self._mention(match, name, frame, wants)
            if mention is not None:
                return Filling(mention, mention.name)
            if "person" in wants and is_nobodys_name(frame.text[slice(*span)]):
                return Filling(None, "")
        if is_pronoun(frame.text[slice(*span)]) or (not whole and is_vague(frame.text, *span)):
            return Filling(None, "")
        start, end = frame.original(span[0], labelled(frame, span[1]))
        words = self._words(start, end)
        return Filling(None, words if whole else bare(words))

    def _words(self, start: int, end: int) -> str:
        """Return the words ``[start, end)`` of the text, without particles and marks at their edges."""
        return clean_words(self.passage.line.text[start:end])

    def _mention(self, match: re.Match[str], name: str, frame: Frame, wants: Sequence[str]) -> Mention | None:
        """Return the mention that a slot holds, or makes by its words."""
        span = trimmed(frame, *match.span(name))
        held = frame.sole(*span)
        words = frame.text[slice(*span)]
        if isinstance(held, Mention):
            return held
        if isinstance(held, Value) or not words:
            return None
        if is_pronoun(words):
            return resolve_pronoun(words, self.focus, wants)
        last = frame.held[span[1] - 1]
        if isinstance(last, Mention) and not _OWNED.search(words):
            return last
        start, end = frame.original(*span)
        return self.made(start, end, wants)

    def made(self, start: int, end: int, wants: Sequence[str]) -> Mention | None:
        """Return the mention that the words ``[start, end)`` make where no dictionary knows them.

        Whom they call first ("@Ben the db") is only told of it.
        """
        if self.passage.line.text[start] == "@":
            called = self.passage.item_at(start + 1)
            start = called.end if called is not None and called.end < end else start
        phrase = phrase_mention(self._canonical(start, end), start, end, self.focus, self.inventory)
        if (
            phrase is not None
            and any(start <= v.start < end for v in self.passage.values)
            and "person" in wants
        ):
            return None
        if phrase is not None and phrase.kind == "person" and not {"person", "any"} & set(wants):
            return None
        if phrase is None or "any" in wants or "thing" in wants or phrase.kind == "person":
            return phrase
        if "person" in wants:
            named = _NAME.fullmatch(phrase.name) or not phrase.name.isascii()
            nobody = is_nobodys_name(phrase.name.split()[0])
            return replace(phrase, kind="person") if named and not nobody and len(phrase.name) < 24 else None
        return None

    def _whole(self, start: int, end: int) -> Mention | None:
        """Return the thing of which the words ``[start, end)`` name a part that everything has ("Atlas's queue")."""
        parts = (*self.inventory.words["en"]["part"], *self.inventory.words["zh"]["part"])
        for mention in self.passage.mentions:
            if start <= mention.start and mention.end < end and self.groups[mention.name] == "thing":
                rest = _OWNER_END.sub("", self.passage.line.text[mention.end : end]).strip()
                return mention if rest.casefold() in parts else None
        return None

    def _canonical(self, start: int, end: int) -> str:
        """Return the words ``[start, end)`` with the names that they hold in their canonical form."""
        words, position = "", start
        for mention in self.passage.mentions:
            if start <= mention.start and mention.end <= end:
                words += self.passage.line.text[position : mention.start] + mention.name
                position = mention.end
        return words + self.passage.line.text[position:end]

    def _listed(self, match: re.Match[str], name: str, frame: Frame) -> list[Mention]:
        """Return the mentions beside a slot that are listed with it and are of its kind ("Go and Rust").

        A comma lists only where an "and" follows: "uses Redis, Kafka is gone" lists nothing.
        """
        start, end = trimmed(frame, *match.span(name))
        if end - start != 1 or frame.text[start] not in MARKS.values():
            return []
        mark, found, listed = frame.text[start], [], 0
        position = end
        while (link := _NEXT.match(frame.text, position)) and frame.text[link.end() : link.end() + 1] == mark:
            found.append(frame.held[link.end()])
            position = link.end() + 1
            listed = listed if link[0].strip() == "," else len(found)
        del found[listed:]
        left = start
        while (link := re.search(rf"{mark}{_NEXT.pattern}$", frame.text[:left])) is not None:
            found.append(frame.held[link.start()])
            left = link.start()
        return [held for held in found if isinstance(held, Mention)]


def _parted(mention: Mention) -> list[Mention]:
    """Return the things that plain words name: two where they are joined by "and"."""
    parts = _JOINED.split(mention.name) if mention.source is Source.PHRASE else [mention.name]
    if len(parts) != 2 or min(map(len, parts)) < 2:
        return [mention]
    return [replace(mention, name=part) for part in parts]


def _unit(value: Value) -> str:
    """Return the unit of a quantity; nothing for a bare number or an amount of money."""
    if value.kind == "percent":
        return "%"
    return "" if value.kind == "money" else value.normal.partition(" ")[2]


def forbids(words: str) -> bool:
    """Tell whether the words of a rule begin with what forbids a deed."""
    return _limit("ban").match(words) is not None


@cache
def _part_behind() -> re.Pattern[str]:
    """Return what matches a part that everything has behind a name."""
    words = shipped_inventory().words
    parts = any_of((*words["en"]["part"], *words["zh"]["part"]))
    return re.compile(rf"\s+(?:the\s+|our\s+)?(?:{parts})", re.IGNORECASE)


@cache
def _limit(*classes: str) -> re.Pattern[str]:
    """Return what matches a word of these classes, whatever marks stand between its parts."""
    words, mark = shipped_inventory().words, f"[{SKIP_OPEN}{SKIP_CLOSE}]*"
    english, chinese = (
        sorted((word for name in classes for word in words[tongue][name]), key=len, reverse=True)
        for tongue in ("en", "zh")
    )
    gap = rf"{mark}\s+{mark}"
    latin = "|".join(gap.join(map(re.escape, word.split())) for word in english)
    return re.compile(rf"(?<![\w'])(?:{latin})(?![\w'])|{'|'.join(map(mark.join, chinese))}", re.IGNORECASE)
