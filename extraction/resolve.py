"""What "I", "it", "she" and a dropped subject stand for, within a session where it is clear."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from mnemic.extraction.model import Mention, Source, Statement

FIRST = frozenset({"i", "me", "my", "mine", "myself", "我", "本人", "我家", "我们家", "咱"})
PLURAL = frozenset({"we", "us", "our", "我们", "咱们"})
THIRD = frozenset({"he", "she", "him", "her", "his", "他", "她"})
THING = frozenset(
    {"it", "this", "that", "it's", "它", "这个", "那个", "they", "them", "their", "他们", "她们"}
)

_MINE = re.compile(r"^(?:my|our)\s+", re.IGNORECASE)
_MINE_ZH = re.compile(r"^(?:我们|咱们|我|咱)(?:家)?的?(?=\S)")
_ARTICLE = re.compile(r"^(?:the|a|an|this|that|all|no)\s+", re.IGNORECASE)
_TAIL = re.compile(
    r"(?:\s+(?:now|btw|too|again|today|then|anymore|any more|also|still|just|finally))+$|(?:了|吧|啊|呀|哈|啦|呢|的|哦|嘛)+$",
    re.IGNORECASE,
)
_LEAD = re.compile(
    r"^(?:and|so|but|ok|oh|btw|fyi|well|also|actually|那|就|嗯|哦|对了|另外|还有|所以|但是|不过)[\s,，]+",
    re.IGNORECASE,
)
_EDGES = " \t\n\"'“”‘’「」《》()（）:：-–—.。!！~～…"


@dataclass(frozen=True, slots=True, kw_only=True)
class Focus:
    """What a session has in view: who speaks, the thing and the person spoken of last, what was asked."""

    speaker: Mention
    thing: Mention | None = None
    person: Mention | None = None
    asked: Statement | None = None

    def seeing(self, mentions: Iterable[Mention], thinglike: frozenset[str]) -> "Focus":
        """Return the focus after ``mentions`` were heard; ``thinglike`` are the kinds that "it" may mean."""
        focus = self
        for mention in mentions:
            if mention.kind == "person" and mention.name != self.speaker.name:
                focus = replace(focus, person=mention)
            elif mention.kind in thinglike:
                focus = replace(focus, thing=mention)
        return focus


def resolve_pronoun(word: str, focus: Focus, wants: Sequence[str]) -> Mention | None:
    """Return whom or what a pronoun means; None where it is not clear.

    ``wants`` are the groups that the slot takes: "we" is the project in view where a person cannot stand.
    """
    folded = word.strip().casefold()
    if folded in FIRST:
        return focus.speaker
    if folded in PLURAL:
        return focus.thing if focus.thing is not None and "thing" in wants else focus.speaker
    if folded in THIRD:
        return focus.person
    if folded in THING:
        return focus.thing if focus.thing is not None or "person" not in wants else focus.person
    return None


def resolve_dropped(
    focus: Focus, wants: Sequence[str], near: Sequence[Mention], groups: dict[str, str]
) -> Mention | None:
    """Return the subject of a clause that names none: the nearest fitting mention before it, or the focus."""
    fitting = [mention for mention in near if groups.get(mention.kind, "thing") in wants or "any" in wants]
    if fitting:
        return fitting[-1]
    if "person" in wants and "thing" not in wants and "any" not in wants:
        return focus.speaker
    return focus.thing or (focus.person if "any" in wants else None)


def phrase_mention(text: str, start: int, end: int, focus: Focus) -> Mention | None:
    """Return a thing named by a phrase ("my spare key", "我家的路由器"), or None where nothing is left of it."""
    raw = _LEAD.sub("", text[start:end].strip(_EDGES))
    owned = bool(_MINE.match(raw) or _MINE_ZH.match(raw))
    name = clean_words(_ARTICLE.sub("", _MINE_ZH.sub("", _MINE.sub("", raw))))
    if not name or len(name) > 40:
        return None
    if owned:
        chinese = any("\u4e00" <= letter <= "\u9fff" for letter in name)
        name = f"{focus.speaker.name}的{name}" if chinese else f"{focus.speaker.name}'s {name}"
    return Mention(start=start, end=end, text=text[start:end], name=name, kind="thing", source=Source.PHRASE)


def clean_words(words: str) -> str:
    """Return the words of a value without the particles and marks at their edges."""
    trimmed = words.strip(_EDGES)
    while True:
        shorter = _TAIL.sub("", trimmed).strip(_EDGES)
        if shorter == trimmed or not shorter:
            return trimmed
        trimmed = shorter
