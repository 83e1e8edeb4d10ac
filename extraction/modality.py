"""How a sentence is meant: a cascade of cue classes, from what asks and supposes to what is plainly so."""

import re
from collections.abc import Mapping, Sequence

from mnemic.extraction.model import Modality, Value

_QUESTION_MARK = re.compile(r"[?？]\s*[\W_]*$")
_QUESTION_TAIL = re.compile(r"(吗|么|呢|来着|没有|不)\s*[\W_]*$")
_ASKING_START = re.compile(
    r"^\W*(?:hey|hi|so|ok|and|but|quick one|random q|hang on|btw|wait)?\W*(?:who|what|when|where|which|why|how|does|do|did|is|are|was|were|has|have|can|could|would|will|any|anyone)(?:'s|'re)?\b",
    re.IGNORECASE,
)
_OFF_RECORD = re.compile(
    r"^\s*(?:[$>#%]\s|\d{4}-\d\d-\d\d[T ]\d\d:\d\d|(?:GET|POST|PUT|DELETE|PATCH)\s+/|Traceback|at \w+[.(]|\{|\[\w+\]|SELECT\s|INSERT\s|UPDATE\s|git\s+\w|kubectl\s|docker\s|npm\s|pip\s|sudo\s|curl\s|for \(|def \w+\(|import \w+|#include|```)"
)

Words = Mapping[str, tuple[str, ...]]


def sentence_modality(text: str, cues: Words) -> Modality:
    """Return how the whole sentence is meant, before its single statements are looked at.

    A suggestion put as a question is a proposal; a supposition outranks hearsay; what is left is asserted.
    """
    asks = is_question(text, cues)
    if "proposal" in cues and (asks or "decision" not in cues) and not _denied(cues, "proposal"):
        return Modality.PROPOSED
    if asks:
        return Modality.ASKED
    if "hypothetical" in cues and not _only(cues["hypothetical"], _WEAK):
        return Modality.HYPOTHETICAL
    if "joke" in cues and {"hypothetical", "plan"} & cues.keys():
        return Modality.HYPOTHETICAL
    if "reported" in cues and not _only(cues["reported"], _WEAK):
        return Modality.REPORTED
    return Modality.ASSERTED


def statement_modality(
    base: Modality,
    cues: Words,
    *,
    ends: bool,
    replaced: bool,
    dated: bool,
    values: Sequence[Value],
    soon: bool,
) -> Modality:
    """Return how one statement is meant, given its sentence's modality and the cues of its own clause.

    ``ends``: its pattern says that it holds no longer. ``replaced``: it names the value that gives way.
    ``dated``: its object is itself a date, so that a date makes no plan of it. ``soon``: some date of
    the clause lies ahead of the speaker's clock.
    """
    if base is not Modality.ASSERTED:
        return base
    if ends:
        return Modality.NEGATED if _never(cues) else Modality.ENDED
    if not replaced and "end" in cues and "change" not in cues and not dated:
        return Modality.ENDED
    if not replaced and "negation" in cues and "unchanged" not in cues and _plain_negation(cues):
        return Modality.NEGATED
    if not dated and (soon or ("plan" in cues and "now" not in cues)) and "past" not in cues:
        return Modality.PLANNED
    return Modality.ASSERTED


def is_question(text: str, cues: Words) -> bool:
    """Tell whether a sentence asks: by its mark, by its first word, or by a Chinese question word."""
    if _QUESTION_MARK.search(text):
        return True
    if "question" not in cues:
        return False
    return bool(_QUESTION_TAIL.search(text)) or (len(text) < 60 and bool(_ASKING_START.match(text)))


def is_off_record(text: str) -> bool:
    """Tell whether a line is code, a command or a log line: kept as a turn, never read for facts."""
    return bool(_OFF_RECORD.match(text))


_WEAK = frozenset(
    {
        "should",
        "might",
        "would",
        "应该",
        "好像",
        "i think",
        "could be",
        "per",
        "guess",
        "seems",
        "可能",
        "估计",
        "据",
        "heard",
        "probably",
        "supposed to be",
    }
)


def _only(words: Sequence[str], weak: frozenset[str]) -> bool:
    return len(words) == 1 and words[0] in weak and words[0] in ("should", "应该", "据")


def _denied(cues: Words, name: str) -> bool:
    """Tell whether the class was heard only in a word that means little without a question."""
    return all(
        word
        in (
            "推荐",
            "考虑",
            "试试",
            "讨论",
            "对比",
            "评估",
            "最好",
            "怎么样",
            "consider",
            "pitch",
            "要么",
            "can we",
            "lets",
        )
        for word in cues[name]
    )


def _never(cues: Words) -> bool:
    return any(word in ("never", "从没", "从未", "并非", "不是") for word in cues.get("negation", ()))


def _plain_negation(cues: Words) -> bool:
    """Tell whether the negation is about the statement, not part of a rule or a second "不是不"."""
    words = cues["negation"]
    return len(words) % 2 == 1 or not {"not", "n't", "不", "不是"} & set(words)
