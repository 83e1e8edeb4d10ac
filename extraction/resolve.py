"""What "I", "it", "she" and a dropped subject stand for, within a session where it is clear."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from mnemic.extraction.model import Mention, Source, Statement
from mnemic.extraction.predicates import Inventory

FIRST = frozenset({"i", "me", "my", "mine", "myself", "我", "本人", "我家", "我们家", "咱", "俺", "我自己"})
PLURAL = frozenset({"we", "us", "our", "ours", "我们", "咱们"})
THIRD = frozenset({"he", "she", "him", "her", "his", "hers", "他", "她", "人家"})
THING = frozenset(
    {"it", "this", "that", "it's", "its", "它", "这个", "那个", "they", "them", "their", "他们", "她们"}
)

SECOND = frozenset({"you", "your", "yours", "你", "您", "你们"})

KIN_LETTERS = "妈爸哥姐弟妹爷奶娃猫狗"

_MINE = re.compile(r"^(?:(?:my|our)\s+|(?:我们|咱们|我|咱|俺)(?:家)?里?的?(?=\S))", re.IGNORECASE)
_YOURS = re.compile(r"^(?:your\s+|(?:你们|你|您)(?:家)?里?的?(?=\S))", re.IGNORECASE)
_THEIRS = re.compile(r"^(?:(?:his|her)\s+|(?:他|她)(?:家)?里?的?(?=\S))", re.IGNORECASE)
_NAMED_KIN = re.compile(r"(?:\w+\s+)?(?:\w+\s+)?([\w-]+)\s+([A-Z]\w+)")
_ARTICLE = re.compile(r"^(?:the|a|an|this|that|all|no)\s+", re.IGNORECASE)
_TAIL = re.compile(
    r"(?:\s+(?:now|btw|too|again|today|then|anymore|any more|also|still|just|finally))+$|(?:了|吧|啊|呀|哈|啦|呢|的|哦|嘛)+$",
    re.IGNORECASE,
)
_EDGES = " \t\n\r\u00a0\u3000\"'“”‘’「」《》()（）:：-–—.。!！~～…"


@dataclass(frozen=True, slots=True, kw_only=True)
class Focus:
    """What a session has in view: who speaks and who is spoken to, the thing and the person spoken of last.

    ``asked`` are the readings of what the other asked, the likeliest first, each a statement whose open
    subject or object is ""; ``told`` is what was stated just before.
    """

    speaker: Mention
    thing: Mention | None = None
    person: Mention | None = None
    addressee: Mention | None = None
    asked: tuple[Statement, ...] = ()
    told: tuple[Statement, ...] = ()

    def seeing(self, mentions: Iterable[Mention], is_thing: Callable[[Mention], bool]) -> "Focus":
        """Return the focus after ``mentions`` were heard; ``is_thing`` tells those that "it" may mean.

        "It" is rather a thing of the users' own world than one that the whole world knows.
        """
        focus = self
        for mention in sorted(mentions, key=lambda m: m.source is not Source.SHIPPED):
            if mention.kind == "person" and mention.name != self.speaker.name:
                focus = replace(focus, person=mention)
            elif is_thing(mention):
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
    if folded in SECOND:
        return focus.addressee
    if folded in THIRD:
        return focus.person
    if folded in THING:
        return focus.thing if focus.thing is not None or "person" not in wants else focus.person
    return None


def resolve_dropped(
    focus: Focus, wants: Sequence[str], near: Sequence[Mention], groups: Mapping[str, str]
) -> Mention | None:
    """Return the subject of a clause that names none: the nearest fitting mention before it, or the focus."""
    thing = focus.thing
    of_things = "person" not in wants or "thing" in wants or "any" in wants
    if thing is not None and of_things and ("any" in wants or groups.get(thing.name, "thing") in wants):
        return thing
    fitting = [mention for mention in near if groups.get(mention.name, "thing") in wants or "any" in wants]
    if fitting:
        return fitting[-1]
    if "person" in wants and "thing" not in wants and "any" not in wants:
        return next((asked.subject for asked in focus.asked if _is_somebody(asked.subject)), focus.speaker)
    return focus.thing or (focus.person if "any" in wants else None)


def _is_somebody(subject: Mention) -> bool:
    return subject.kind == "person" and bool(subject.name)


def is_pronoun(words: str) -> bool:
    """Tell whether the words are a pronoun, clear or not."""
    return words.strip().casefold() in FIRST | PLURAL | THIRD | THING | SECOND


def phrase_mention(words: str, start: int, end: int, focus: Focus, inventory: Inventory) -> Mention | None:
    """Return who or what the ``words`` at ``[start, end)`` name ("my spare key", "我弟"), None if nothing.

    What belongs to somebody bears their name: "Ada's spare key". One who is kin is a person, and kin with
    a name bears that ("my cousin Milo").
    """
    raw = words.strip(_EDGES)
    named = _NAMED_KIN.fullmatch(raw)
    if named is not None and _is_kin(named[1], inventory):
        return Mention(start=start, end=end, text=words, name=named[2], kind="person", source=Source.PHRASE)
    owner, name = _owner(raw, focus)
    name = clean_words(_ARTICLE.sub("", name))
    if not name or len(name) > 40 or is_pronoun(name) or _is_scrap(name):
        return None
    chinese = any("\u4e00" <= letter <= "\u9fff" for letter in name)
    kin = _is_kin(name, inventory)
    if chinese and kin and len(name) == 1:
        name *= 2
    if owner is None and kin and raw.casefold() == name.casefold():
        owner = focus.speaker
    if owner is not None:
        name = f"{owner.name}的{name}" if chinese else f"{owner.name}'s {name}"
    kind = "person" if kin else "thing"
    return Mention(start=start, end=end, text=words, name=name, kind=kind, source=Source.PHRASE)


def _is_scrap(name: str) -> bool:
    """Tell whether a single Chinese character is all that is left: it names nothing."""
    return len(name) == 1 and name not in KIN_LETTERS and "\u4e00" <= name <= "\u9fff"


def _is_kin(name: str, inventory: Inventory) -> bool:
    folded = name.casefold()
    return folded in inventory.words["zh"]["kin"] or folded in inventory.words["en"]["kin"]


def _owner(raw: str, focus: Focus) -> tuple[Mention | None, str]:
    """Return whose thing a phrase names, where a possessive pronoun tells, and the rest of it."""
    for pattern, owner in (
        (_MINE, focus.speaker),
        (_YOURS, focus.addressee),
        (_THEIRS, focus.person),
    ):
        found = pattern.match(raw)
        if found is not None:
            return owner, raw[found.end() :]
    return None, raw


def clean_words(words: str) -> str:
    """Return the words of a value without the particles and marks at their edges."""
    trimmed = words.strip(_EDGES)
    while True:
        shorter = _TAIL.sub("", trimmed).strip(_EDGES)
        if shorter == trimmed or not shorter:
            return trimmed
        trimmed = shorter
