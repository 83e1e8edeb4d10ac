"""Packing: items into a text that is ready to put before a model, within a budget of tokens."""

from collections.abc import Callable, Sequence

from mnemic.engine.question import Question
from mnemic.engine.results import Item

_HEADS = {"zh": "已知（按时间先后）：", "en": "Known so far, oldest first:"}
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
) -> str:
    """Return the items as lines, the best kept within ``budget`` tokens, oldest first; empty without items.

    The latest stands next to the question that follows. Each line names when and by whom it was said.
    """
    if not items:
        return ""
    tongue = "zh" if any("\u4e00" <= letter <= "\u9fff" for letter in question.text) else "en"
    head = _HEADS[tongue]
    left = (budget if budget is not None else 10**9) - count(head)
    chosen: list[Item] = []
    for item in items:
        cost = count(_line(item))
        if cost <= left:
            chosen.append(item)
            left -= cost
    if not chosen:
        return ""
    lines = [head, *(_line(item) for item in sorted(chosen, key=lambda i: (i.since, i.id)))]
    lines += [note for note in (f"[{_NOTES[tongue]}{note}]" for note in notes) if count(note) <= left]
    return "\n".join(lines)


def _line(item: Item) -> str:
    text = " ".join(item.text.split())
    when = f"{item.since:%Y-%m-%d}"
    until = f" – {item.until:%Y-%m-%d}" if item.until is not None else ""
    meant = f", {item.said.modality}" if item.said is not None and item.said.modality != "asserted" else ""
    return f"- {text} [{item.speaker}, {when}{until}{meant}]"
