"""Where the words in a slot begin and end: without blanks, dates and reasons, with the number that belongs to them."""

import re
import tomllib
from functools import cache
from importlib.resources import files

from mnemic.extraction.frame import MARKS, SKIP_CLOSE, SKIP_OPEN, Frame
from mnemic.extraction.model import Value
from mnemic.extraction.predicates import shipped_inventory
from mnemic.extraction.wordlist import any_of

_BLANK = f" \t\n\"'“”‘’「」《》{SKIP_OPEN}{SKIP_CLOSE}"
_DATES = re.compile(
    rf"(?:\s+(?:on|in|at|by|since|from|as of|until|this|every|for)(?:\s+the)?)?\s*{MARKS['date']}(?:\s*(?:起|开始|前|后|了))?\s*$"
)
_LABEL = re.compile(r"#?[A-Za-z]{0,3}-?\d[\w./-]*(?:\s?[号楼层室座栋])?")
"""A number that tells one thing of its kind from the next, not a measure: no unit stands with it."""
_HAN = r"[\u4e00-\u9fff]"
_COUNTED_THING = re.compile(
    rf"\s*(?:{_HAN}|{SKIP_OPEN}[^{SKIP_CLOSE}]*{SKIP_CLOSE}(?={_HAN}|{SKIP_OPEN})){{1,8}}(?!\w)"
)
"""The thing behind its number: 2 号柜子."""


def trimmed(frame: Frame, start: int, end: int) -> tuple[int, int]:
    """Return the frame span without blanks, quotes and the marks of skipped words at its edges."""
    while start < end and frame.text[start] in _BLANK:
        start += 1
    while end > start and frame.text[end - 1] in _BLANK:
        end -= 1
    return start, end


def undated(text: str, start: int, end: int) -> int:
    """Return where the words ``[start, end)`` end without the dates behind them."""
    found = _DATES.search(text, start, end)
    return found.start() if found is not None and found.start() > start else end


def _digits(frame: Frame, end: int) -> int:
    """Return where a number that is written in parts ends ("555 0134"); its first part ends at ``end``."""
    while frame.text[end : end + 1] in (" ", "-") and end + 1 < len(frame.held):
        further = frame.held[end + 1]
        if not isinstance(further, Value) or not further.text.isdecimal():
            break
        end += 2
    return end


def labelled(frame: Frame, end: int) -> int:
    """Return where words that end at ``end`` end with the number or code directly behind them ("floor 2")."""
    found = _label().match(frame.text, end)
    if found is None:
        return end
    held = frame.held[found.end() - 1]
    is_label = held is None or (isinstance(held, Value) and _LABEL.fullmatch(held.text))
    return found.end() if is_label else end


def counted(frame: Frame, end: int) -> int:
    """Return where a value that ends at ``end`` ends with the thing that it counts, or with its further parts."""
    held = frame.held[end - 1]
    thing = isinstance(held, Value) and held.text.endswith("号") and _COUNTED_THING.match(frame.text, end)
    return thing.end() if thing else _digits(frame, end)


def bare(words: str) -> str:
    """Return a value without what tells why, or when it is otherwise, and without what belongs to a date or a name."""
    return _dangling().sub("", _reason().sub("", words)).strip()


@cache
def _reason() -> re.Pattern[str]:
    listed = shipped_inventory().words
    english, chinese = any_of(listed["en"]["reason"]), any_of((*listed["zh"]["reason"], "，"))
    return re.compile(rf"\s+(?:{english})\b.*|(?:{chinese}).*", re.IGNORECASE | re.DOTALL)


@cache
def _dangling() -> re.Pattern[str]:
    return re.compile(rf"(?:\s+(?:{any_of(shipped_inventory().words['en']['dangling'])}))+$", re.IGNORECASE)


def is_vague(text: str, start: int, end: int) -> bool:
    """Tell whether the words ``[start, end)`` begin with what says nothing of its own."""
    return _vague().match(text, start, end) is not None


@cache
def _vague() -> re.Pattern[str]:
    """Return what a taste or a thing owned does not begin with."""
    listed = shipped_inventory().words
    return re.compile(
        rf"(?:{any_of(listed['en']['vague'])})(?![\w'])|{any_of(listed['zh']['vague'])}", re.IGNORECASE
    )


@cache
def _label() -> re.Pattern[str]:
    """Return what matches a number or code behind words, with the blank before it."""
    data = tomllib.loads(files("mnemic.dictionaries").joinpath("values.toml").read_text(encoding="utf-8"))
    code = r"(?-i:[A-Z]{0,3}-?\d+[A-Za-z]?|[B-HJ-Z])"
    marks = "".join(MARKS[kind] for kind in ("number", "id", "version"))
    return re.compile(
        rf"\s+(?:(?:no\.?|number)\s+|#)?(?:[{marks}]|{code}|{any_of(data['words'])})(?![\w'-])", re.IGNORECASE
    )
