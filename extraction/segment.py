"""Sentences and clauses of a message, with spans in the message as it was given."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from mnemic.extraction.wordlist import any_of

if TYPE_CHECKING:
    from spacy.language import Language

Span = tuple[int, int]

_ENDS = ["!", ".", "?", "。", "！", "？", "｡", "…", "\n", "‼", "⁉", "؟"]
_GOES_ON = re.compile("[{0}][{0}\\s]*[^{0}\\s]".format("".join(_ENDS)))
"""An end of a sentence with something behind it: without one, a line is one sentence."""
_LONE = re.compile("[\ud800-\udfff]")
"""Half of a character that takes two in UTF-16: no text that spaCy can store."""
_SIGNS = "\U0001f389-\U0001f38a\U0001f440-\U0001f44f\U0001f600-\U0001f64f\U0001f680-\U0001f6ff\U0001f910-\U0001f92f\U0001f970-\U0001f97a"
"""Faces and hands and the like, which close a clause; a heart may stand for a word in it."""
_NUMERIC_COMMA = re.compile(r"\d,\d")


@cache
def _splitter() -> "Language":
    """Return a blank spaCy pipeline that ends sentences at the marks of both languages; no trained model."""
    import spacy  # here, because it takes most of a second and nothing but reading a text needs it
    from spacy.util import compile_infix_regex

    nlp = spacy.blank("xx")
    infixes = [*(nlp.Defaults.infixes or ()), r"[。！？｡‼⁉]", r"(?<=[^\d\s])[!?](?=\S)"]
    nlp.tokenizer.infix_finditer = compile_infix_regex(infixes).finditer  # type: ignore[union-attr]
    nlp.add_pipe("sentencizer", config={"punct_chars": _ENDS})
    nlp.max_length = 20_000_000
    return nlp


def sentences(text: str, whole: Sequence[Span] = ()) -> list[Span]:
    """Return the spans of the sentences of ``text``, without the white space around them.

    None ends inside one of the spans ``whole`` (a URL, a date), nor behind an abbreviation such as "Mrs.".
    """
    found: list[Span] = []
    for start, end in (span for line in _lines(text) for span in _within(text, line)):
        if found and _runs_on(text, found[-1], start, whole):
            found[-1] = (found[-1][0], end)
        else:
            found.append((start, end))
    return found


def clauses(text: str, start: int, end: int) -> list[Span]:
    """Return the spans of the clauses of the sentence ``text[start:end]``: what commas and dashes part."""
    found: list[Span] = []
    position = start
    for cut in _cuts().finditer(text, start, end):
        if _NUMERIC_COMMA.fullmatch(text, max(start, cut.start() - 1), min(end, cut.end() + 1)):
            continue
        found.append((position, cut.start()))
        position = cut.end()
    found.append((position, end))
    return [trimmed for trimmed in (_trim(text, *span) for span in found) if trimmed[0] < trimmed[1]]


def _runs_on(text: str, before: Span, start: int, whole: Sequence[Span]) -> bool:
    """Tell whether the sentence that begins at ``start`` really goes on with the one before."""
    if any(left < start and before[1] <= right and left < before[1] < right for left, right in whole):
        return True
    if "\n" in text[before[1] : start]:
        return False
    last = text[before[0] : before[1]].rsplit(None, 1)[-1].casefold()
    return last in shipped_abbreviations()


@cache
def shipped_abbreviations() -> frozenset[str]:
    """Return the abbreviations whose full stop ends no sentence, from ``dictionaries/cues.toml``."""
    return frozenset(_shipped()["abbreviations"])


@cache
def clause_verbs() -> tuple[str, ...]:
    """Return the verbs that begin a clause behind "and" whose subject is that of the clause before."""
    return tuple(_shipped()["clause_verbs"])


@cache
def _cuts() -> re.Pattern[str]:
    """Return what parts clauses: commas, dashes, line ends, "but", and an "and" before a clause of its own."""
    starts = any_of((*_shipped()["clause_starts"], *clause_verbs())).replace("'", "['’]")
    return re.compile(
        rf"[,，;；]\s*|\s+[-–—]+\s+|——|\s+but\s+|\n+|\s+and\s+(?=(?:{starts})\b)|\s*[{_SIGNS}]+\s+(?=\w)",
        re.IGNORECASE,
    )


def _shipped() -> Mapping[str, Any]:
    return tomllib.loads(files("mnemic.dictionaries").joinpath("cues.toml").read_text(encoding="utf-8"))


def _lines(text: str) -> list[Span]:
    return [match.span() for match in re.finditer(r"[^\n]+", text)]


def _within(text: str, line: Span) -> list[Span]:
    """Return the sentences of one line."""
    if not _GOES_ON.search(text, *line):
        return [span for span in [_trim(text, *line)] if span[0] < span[1]]
    offset = line[0]
    document = _splitter()(_LONE.sub("\ufffd", text[line[0] : line[1]]))
    spans = [_trim(text, offset + sent.start_char, offset + sent.end_char) for sent in document.sents]
    return [span for span in spans if span[0] < span[1]]


def _trim(text: str, start: int, end: int) -> Span:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end
