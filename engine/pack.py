"""Packing: items into a text that is ready to put before a model, within a budget of tokens."""

from collections.abc import Callable, Sequence
from datetime import tzinfo

from mnemic.engine.notes import day
from mnemic.engine.question import Question
from mnemic.engine.results import Item
from mnemic.extraction.text import fold
from mnemic.graph.model import Kind, Layer

_HEADS = {"zh": "已知：", "en": "Known so far:"}
_NOTES = {"zh": "注意：", "en": "Note: "}


def estimate_tokens(text: str) -> int:
    """Return about how many tokens a text has: one for each CJK character, one for four others."""
    wide = sum(letter > "\u2e80" for letter in text)
    return wide + (len(text) - wide + 3) // 4


def pack(
    question: Question,
    items: Sequence[Item],
    notes: Sequence[str],
    budget: int | None,
    count: Callable[[str], int] = estimate_tokens,
) -> tuple[str, Sequence[Item]]:
    """Return items as lines and which they are: the best that ``budget`` tokens have room for.

    Preferences, which hold for long, stand first; of the rest the latest stands next to the question that
    follows. Each line names when and by whom it was said: a turn's day where it was told, a memory's where
    the one who asks is. Empty where nothing fits.
    """
    tongue = question.tongue
    room = _Room(budget, count)
    if not items or not room.takes(_HEADS[tongue]):
        return "", ()
    chosen = [item for item in items if room.takes(_line(item, question.zone))]
    if not chosen:
        return "", ()
    remarks = [remark for note in notes if room.takes(remark := f"[{_NOTES[tongue]}{note}]")]
    ordered = sorted(chosen, key=lambda i: (i.kind != Kind.PREFERENCE, i.since, i.id))
    lines = [_line(item, question.zone) for item in ordered]
    return "\n".join([_HEADS[tongue], *lines, *remarks]), chosen


class _Room:
    """The lines taken so far, and whether one more still fits the budget (None: everything fits)."""

    def __init__(self, budget: int | None, count: Callable[[str], int]) -> None:
        self._budget, self._count = budget, count
        self._text = ""

    def takes(self, line: str) -> bool:
        """Take ``line`` in, if there is room for it."""
        text = f"{self._text}\n{line}" if self._text else line
        if self._budget is not None and self._count(text) > self._budget:
            return False
        self._text = text
        return True


def _line(item: Item, zone: tzinfo | None) -> str:
    text = " ".join(item.text.split())
    when = day(item.since, None if item.layer == Layer.TURN else zone)
    until = f" – {day(item.until, zone)}" if item.until is not None else ""
    meant = f", {item.said.modality}" if item.said is not None and item.said.modality != "asserted" else ""
    mark = f", {item.mark}" if item.mark else ""
    return f"- {text}{_spoken_of(item)} [{item.speaker}, {when}{until}{meant}{mark}]"


def _spoken_of(item: Item) -> str:
    """Return whom a line is about and what it says of them, where its words leave that open ("it's Thursday")."""
    said = item.said
    if said is None or said.subject == item.speaker or fold(said.subject) in fold(item.text):
        return ""
    return f" ({said.subject}: {said.value})"
