"""How a sentence is meant: a cascade of cue classes, from what asks and supposes to what is plainly so."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from mnemic.extraction.model import Modality
from mnemic.extraction.width import level
from mnemic.extraction.wordlist import any_of, whole_words

_QUESTION_MARK = re.compile(r"[?？]\s*[\W_]*$")
_LONGEST_QUESTION = 60
"""What begins like a question and has no mark is one up to this many characters."""
_UNPLANNED = frozenset({"task", "rule", "past", "negation", "end", "done"})
"""Cues beside which a word of planning leaves open what is planned."""

Words = Mapping[str, tuple[str, ...]]


def sentence_modality(text: str, cues: Words) -> Modality:
    """Return how the whole sentence is meant, before its single statements are looked at.

    A suggestion put as a question is a proposal; a supposition outranks hearsay; what is left is asserted.
    """
    asks = is_question(text, cues)
    if "proposal" in cues and _proposes(cues, asks):
        return Modality.PROPOSED
    if asks:
        return Modality.ASKED
    if _weighs(cues, "hypothetical") and not _supposes_aside(text, cues["hypothetical"]):
        return Modality.HYPOTHETICAL
    if "joke" in cues and ({"hypothetical", "plan"} & cues.keys() or jokes(text, cues).itself):
        return Modality.HYPOTHETICAL
    if _weighs(cues, "reported"):
        return Modality.REPORTED
    return Modality.ASSERTED


def statement_modality(
    base: Modality, cues: Words, denials: Words, *, ends: bool, replaced: bool, dated: bool, soon: bool
) -> Modality:
    """Return how one statement is meant, given its sentence's modality.

    ``cues`` are those of its clause, ``denials`` those before the end of its words; neither counts what
    stands in its slots, nor the words that make its wording. ``ends``: its pattern says that it holds no
    longer. ``replaced``: it names the value that gives way. ``dated``: its object is itself a date, so that
    a date makes no plan of it. ``soon``: some date of the clause lies ahead of the speaker's clock.
    """
    if base is not Modality.ASSERTED:
        return base
    if ends:
        return Modality.NEGATED if _never(denials) else Modality.ENDED
    if not replaced and "end" in cues and "unchanged" not in cues and not _cancelled(denials):
        return Modality.ENDED
    if not replaced and "negation" in denials and _is_odd(denials["negation"]):
        return Modality.NEGATED
    if not dated and "underway" in denials and "done" not in cues:
        return Modality.PLANNED
    if not dated and (soon or ("plan" in denials and "now" not in cues)) and "past" not in denials:
        return Modality.PLANNED
    return Modality.ASSERTED


def unstated_modality(base: Modality, cues: Words, opening: Words) -> Modality:
    """Return how a sentence is meant of which no pattern made a statement: what it plans is not so yet.

    ``opening`` are the cues of its first clause; a moment to come alone ("tomorrow") makes no plan, and what
    is to be done is a task.
    """
    plans = base is Modality.ASSERTED and intends(opening)
    return Modality.PLANNED if plans and _UNPLANNED.isdisjoint(cues) else base


def intends(cues: Words) -> bool:
    """Tell whether a word of planning was heard that does more than name a moment to come."""
    return not _signs().moments.issuperset(cues.get("plan", ()))


def is_question(text: str, cues: Words) -> bool:
    """Tell whether a sentence asks: by its mark, by its first word, or by a Chinese question word."""
    signs = _signs()
    if _QUESTION_MARK.search(text) or signs.whether.search(text):
        return True
    if "question" not in cues:
        return False
    return bool(signs.last.search(text)) or (len(text) < _LONGEST_QUESTION and bool(signs.first.match(text)))


class Joke(NamedTuple):
    """What a sentence calls a joke: ``itself``, or what was said ``before`` it."""

    itself: bool
    before: bool


def jokes(text: str, cues: Words) -> Joke:
    """Return what a sentence calls a joke, by a word for it; laughter alone calls nothing so.

    Where the word comes first, the joke is over: what follows is meant, unless it laughs.
    """
    signs = _signs()
    named = [word for word in cues.get("joke", ()) if word not in signs.laughs]
    if not named or "earnest" in cues:
        return Joke(itself=False, before=False)
    first = re.match(rf"\W*(?:(?:{signs.before_joke})\W*)*(?:{any_of(named)})", level(text)) is not None
    return Joke(itself=not first or not signs.laughs.isdisjoint(cues["joke"]), before=first)


def is_off_record(text: str) -> bool:
    """Tell whether a line is code, a command or a log line: kept as a turn, never read for facts."""
    return bool(_signs().off_record.match(text))


def _weighs(cues: Words, name: str) -> bool:
    """Tell whether a class was heard, and not only in one light word."""
    words = cues.get(name, ())
    return len(words) > 1 or not _signs().light.issuperset(words)


def _supposes_aside(text: str, words: tuple[str, ...]) -> bool:
    """Tell whether all words that suppose stand in an aside ("the key is under the mat, in case you wonder")."""
    rest, count = _signs().aside.subn(" ", level(text))
    return bool(count) and not any("…" in word for word in words) and not re.search(whole_words(words), rest)


def _proposes(cues: Words, asks: bool) -> bool:
    """Tell whether a sentence in which a proposal was heard is one."""
    proposals = cues["proposal"]
    if asks and not _signs().asked.isdisjoint(proposals):
        return True
    plain = not _signs().vague.issuperset(proposals) or (asks and "change" in cues)
    return plain and (asks or "decision" not in cues)


def _never(denials: Words) -> bool:
    return not _signs().never.isdisjoint(denials.get("negation", ()))


def _cancelled(denials: Words) -> bool:
    """Tell whether one denial takes back another: "没有一个不用的" denies nothing."""
    return bool(denials.get("negation")) and not _is_odd(denials["negation"])


def _is_odd(words: tuple[str, ...]) -> bool:
    """Tell whether denials leave something denied: two of them cancel each other out."""
    return len(words) % 2 == 1


@dataclass(frozen=True, slots=True)
class _Signs:
    """The contents of ``modality.toml``: what tells a question or a line of code, and the weight of words."""

    whether: re.Pattern[str]
    first: re.Pattern[str]
    last: re.Pattern[str]
    light: frozenset[str]
    vague: frozenset[str]
    asked: frozenset[str]
    never: frozenset[str]
    moments: frozenset[str]
    aside: re.Pattern[str]
    laughs: frozenset[str]
    before_joke: str
    off_record: re.Pattern[str]


@cache
def _signs() -> _Signs:
    raw = tomllib.loads(files("mnemic.dictionaries").joinpath("modality.toml").read_text(encoding="utf-8"))
    question, weight, code = raw["question"], raw["weight"], raw["off_record"]
    either = rf"[\u4e00-\u9fff](?<![{question['either_not_behind']}])[{question['either']}][\W_]*$"
    before, first = any_of(question["before"]), any_of(question["first"])
    command = rf"(?:{any_of(code['commands'])})\s+(?!(?:{any_of(code['spoken_of'])})\b)[\w-]"
    return _Signs(
        whether=re.compile(rf"{either}|{any_of(question['anywhere'])}"),
        first=re.compile(rf"^\W*(?:{before})?\W*(?:{first})(?:'s|'re)?\b", re.IGNORECASE),
        last=re.compile(rf"(?:{any_of(question['last'])})\s*[\W_]*$"),
        light=frozenset(weight["light"]),
        vague=frozenset(weight["vague"]),
        asked=frozenset(weight["asked"]),
        never=frozenset(weight["never"]),
        moments=frozenset(weight["moments"]),
        aside=re.compile("|".join(raw["aside"]["patterns"]), re.IGNORECASE),
        laughs=frozenset(raw["joke"]["laughs"]),
        before_joke=any_of(raw["joke"]["before"]),
        off_record=re.compile(rf"^\s*(?:{'|'.join((*code['beginnings'], command))})"),
    )
