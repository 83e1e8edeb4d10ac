"""How a sentence is meant: a cascade of cue classes, from what asks and supposes to what is plainly so."""

import re
from collections.abc import Mapping, Sequence

from mnemic.extraction.model import Modality

_QUESTION_MARK = re.compile(r"[?？]\s*[\W_]*$")
_QUESTION_TAIL = re.compile(r"(吗|么|呢|来着|没有|不|没)\s*[\W_]*$")
_WHETHER = re.compile(
    r"[\u4e00-\u9fff](?<![都也还就并从又可我你他她它了])[不没][\W_]*$|有没有人|有人知道|谁知道|请问|该不该|要不要|是不是|能不能|会不会"
)
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
    if "proposal" in cues and _proposes(cues, asks):
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
    if not dated and (soon or ("plan" in denials and "now" not in cues)) and "past" not in denials:
        return Modality.PLANNED
    return Modality.ASSERTED


def is_question(text: str, cues: Words) -> bool:
    """Tell whether a sentence asks: by its mark, by its first word, or by a Chinese question word."""
    if _QUESTION_MARK.search(text) or _WHETHER.search(text):
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


def _proposes(cues: Words, asks: bool) -> bool:
    """Tell whether a sentence in which a proposal was heard is one."""
    asked = asks and bool({"can we", "could we", "can you", "lets"} & set(cues["proposal"]))
    return asked or ((asks or "decision" not in cues) and not _denied(cues, "proposal"))


def _denied(cues: Words, name: str) -> bool:
    """Tell whether the class was heard only in a word that means little without a question."""
    return all(
        word
        in (
            "推荐",
            "考虑",
            "试试",
            "讨论",
            "商量",
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


def _never(denials: Words) -> bool:
    return any(word in ("never", "从没", "从未", "并非", "不是") for word in denials.get("negation", ()))


def _cancelled(denials: Words) -> bool:
    """Tell whether one denial takes back another: "没有一个不用的" denies nothing."""
    return bool(denials.get("negation")) and not _is_odd(denials["negation"])


def _is_odd(words: Sequence[str]) -> bool:
    """Tell whether denials leave something denied: two of them cancel each other out."""
    return len(words) % 2 == 1
