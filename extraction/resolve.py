"""What "I", "it", "she" and a dropped subject stand for, within a session where it is clear."""

import re
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files

from mnemic.extraction.introduce import class_words
from mnemic.extraction.model import Mention, Source, Statement
from mnemic.extraction.predicates import Inventory, shipped_inventory
from mnemic.extraction.wordlist import any_of

_NAMED_KIN = re.compile(r"(?:\w+\s+)?(?:\w+\s+)?([\w-]+)\s+([A-Z]\w+)")
_JOINT = ("project", "service", "product", "team")
"""Kinds of what people have a hand in together."""
_EDGES = r"[\s\"'“”‘’「」《》()（）:：\-–—.。!！~～…]+"
_AROUND = re.compile(rf"\A{_EDGES}|{_EDGES}\Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class Focus:
    """What a session has in view: who speaks and who is spoken to, the thing and the person spoken of last.

    ``asked`` are the readings of what the other asked, the likeliest first, each a statement whose open
    subject or object is ""; ``told`` is what was stated before, the latest first.
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

    def hearing(self, mentions: Sequence[Mention], is_thing: Callable[[Mention], bool]) -> "Focus":
        """Return the focus after a whole sentence with ``mentions``: of two people in it "she" is neither."""
        people = {m.name for m in mentions if m.kind == "person" and m.name != self.speaker.name}
        focus = self.seeing(mentions, is_thing)
        return focus if len(people) < 2 else replace(focus, person=None)


def resolve_pronoun(word: str, focus: Focus, wants: Sequence[str]) -> Mention | None:
    """Return whom or what a pronoun means; None where it is not clear.

    ``wants`` are the groups that the slot takes: "we" is the project in view where a person cannot stand.
    """
    means = _words().pronouns.get(word.strip().casefold())
    if means == "speaker":
        return focus.speaker
    if means in ("speakers", "nobody"):
        return focus.thing if "thing" in wants and _is_ours(focus.thing) else focus.speaker
    if means == "addressee":
        return focus.addressee
    if means == "person":
        return focus.person
    if means == "thing":
        return focus.thing if focus.thing is not None or "person" not in wants else focus.person
    return None


def _is_ours(thing: Mention | None) -> bool:
    """Tell whether "we" may speak for a thing: one of the users' own world, or called a project or the like."""
    if thing is None or thing.source is Source.SHIPPED:
        return False
    called = tuple(word for kind in _JOINT for word in class_words(kind))
    named = thing.name[:1].isupper() and not re.search("'s |的", thing.name)  # "Quill cutover"
    return thing.source is not Source.PHRASE or named or thing.name.casefold().endswith(called)


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
    return words.strip().casefold() in _words().pronouns


@cache
def nobodies() -> frozenset[str]:
    """Return the words that deny something of everybody."""
    return frozenset(word for word, meant in _words().pronouns.items() if meant == "nobody")


def is_nobody(words: str) -> bool:
    """Tell whether the words deny something of everybody: a subject that may be, no object."""
    return words.strip().casefold() in nobodies()


def is_nobodys_name(word: str) -> bool:
    """Tell whether a word with a capital at the beginning of a sentence is nobody's name ("Hm")."""
    return word.casefold() in _unnamed()


@cache
def _unnamed() -> frozenset[str]:
    return frozenset(word.casefold() for word in shipped_inventory().words["en"]["nobody"])


def phrase_mention(words: str, start: int, end: int, focus: Focus, inventory: Inventory) -> Mention | None:
    """Return who or what the ``words`` at ``[start, end)`` name ("my spare key", "我弟"), None if nothing.

    What belongs to somebody bears their name: "Ada's spare key". One who is kin is a person, and kin with
    a name bears that ("my cousin Milo"). "With" somebody (和陈博) names that person.
    """
    raw = _AROUND.sub("", words)
    named = _NAMED_KIN.fullmatch(raw)
    if named is not None and _is_kin(named[1], inventory):
        return Mention(start=start, end=end, text=words, name=named[2], kind="person", source=Source.PHRASE)
    beside = _beside().fullmatch(raw)
    if beside is not None:
        return Mention(start=start, end=end, text=words, name=beside[1], kind="person", source=Source.PHRASE)
    owner, name = _owner(raw, focus)
    name = clean_words(_words().before.sub("", name.removeprefix("的")))
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


@cache
def _beside() -> re.Pattern[str]:
    """Return what matches a Chinese full name behind "with"."""
    return re.compile(
        rf"[和跟与同]((?:{any_of(shipped_inventory().words['zh']['surname'])})[\u4e00-\u9fff]{{1,2}}(?<![的了在是]))"
    )


def _is_scrap(name: str) -> bool:
    """Tell whether a single Chinese character is all that is left: it names nothing."""
    return len(name) == 1 and name not in _words().kin and "\u4e00" <= name <= "\u9fff"


def _is_kin(name: str, inventory: Inventory) -> bool:
    folded = name.casefold()
    return folded in inventory.words["zh"]["kin"] or folded in inventory.words["en"]["kin"]


def _owner(raw: str, focus: Focus) -> tuple[Mention | None, str]:
    """Return whose thing a phrase names, where a possessive pronoun tells, and the rest of it."""
    owners = {"speaker": focus.speaker, "addressee": focus.addressee, "person": focus.person}
    for name, pattern in _words().possessives.items():
        found = pattern.match(raw)
        if found is not None:
            return owners[name], raw[found.end() :]
    return None, raw


def clean_words(words: str) -> str:
    """Return the words of a value without the particles and marks at their edges."""
    trimmed = _AROUND.sub("", words)
    while True:
        shorter = _AROUND.sub("", _words().behind.sub("", trimmed))
        if shorter == trimmed or not shorter:
            return trimmed
        trimmed = shorter


@dataclass(frozen=True, slots=True)
class _Words:
    """The contents of ``pronouns.toml``: what each pronoun means, whose a thing is, what is cut away."""

    pronouns: Mapping[str, str]
    possessives: Mapping[str, re.Pattern[str]]
    before: re.Pattern[str]
    behind: re.Pattern[str]
    kin: str


@cache
def _words() -> _Words:
    raw = tomllib.loads(files("mnemic.dictionaries").joinpath("pronouns.toml").read_text(encoding="utf-8"))
    behind = raw["behind"]
    tails = rf"(?:\s+(?:{any_of(behind['en'])}))+$|(?:{any_of(behind['zh'])})+$"
    return _Words(
        pronouns={word: meant for meant, words in raw["pronouns"].items() for word in words},
        possessives={owner: _possessive(words) for owner, words in raw["possessives"].items()},
        before=re.compile(rf"^(?:{any_of(raw['before']['words'])})\s+", re.IGNORECASE),
        behind=re.compile(tails, re.IGNORECASE),
        kin=raw["kin"]["letters"],
    )


def _possessive(words: Mapping[str, Sequence[str]]) -> re.Pattern[str]:
    english, chinese = any_of(words["en"]), any_of(words["zh"])
    return re.compile(rf"^(?:(?:{english})\s+|(?:{chinese})(?:家)?里?的?(?=\S))", re.IGNORECASE)
