"""Which open task a sentence closes by telling the deed, or that it need not be done, in words of its own."""

import re
from dataclasses import dataclass
from functools import cache

from mnemic.engine.conflict import Manner, Verdict
from mnemic.extraction.model import Modality, Unit
from mnemic.extraction.predicates import shipped_inventory
from mnemic.extraction.terms import stop_terms, terms
from mnemic.extraction.text import CJK
from mnemic.extraction.times import undated
from mnemic.extraction.wordlist import whole_words
from mnemic.graph.model import Kind, Memory
from mnemic.graph.store import Probe, Store
from mnemic.graph.view import View

_COVERED = 0.6
"""The share of a task's weighty words that the deed must hold."""

_MOST = 20
"""So many open tasks, those that share the weightiest words, are held against a deed."""

_DEEDS = frozenset({"done", "happened", "owns"})
_AHEAD = frozenset({"undone", "plan", "task", "question", "hypothetical"})
"""Cues of what is not done yet."""
_TOLD = frozenset({Modality.ASSERTED, Modality.ENDED, Modality.NEGATED})
_SEVERAL = re.compile(r"\w\s+and\s+\w|\w[、和]\w")
"""What lists several things, all of which a deed must hold."""
_SINGLE = re.compile(f"[{CJK}]")


def closed_task(store: Store, view: View, unit: Unit, text: str) -> Verdict | None:
    """Return the open task that the words ``text`` of ``unit`` close, the one that they cover best."""
    cue = _closing_cue(unit)
    if cue is None:
        return None
    deed = _Words.of(text)
    probe = Probe(terms=tuple(sorted(deed.terms)), kinds=frozenset({Kind.TASK.value}), limit=_MOST)
    tasks = [each.row for each in store.gather(view, probe).candidates if isinstance(each.row, Memory)]
    shares = [
        (deed.share(_Words.of(undated(task.value or task.text, task.at))), task.at, task)
        for task in tasks
        if task.modality == "asserted"
    ]
    share, _, task = max(shares, key=lambda row: row[:2], default=(0.0, None, None))
    return Verdict(task, Manner.DONE, cue) if task is not None and share >= _COVERED else None


def _closing_cue(unit: Unit) -> str | None:
    """Return the words that tell of a deed or of an end; None where it is denied, planned or asked."""
    cues = unit.cues
    if unit.modality not in _TOLD or not _AHEAD.isdisjoint(cues):
        return None
    if "negation" in cues and "end" not in cues:
        return None
    for name in ("done", "end"):
        if name in cues:
            return cues[name][0]
    return "" if any(s.predicate in _DEEDS and s.modality in _TOLD for s in unit.statements) else None


@dataclass(frozen=True, slots=True)
class _Words:
    """What the words of a task or a deed say: their terms, those of them that are weighty, and whether they list several."""

    terms: frozenset[str]
    weighty: frozenset[str]
    several: bool

    @classmethod
    def of(cls, text: str) -> "_Words":
        """Read a text; Chinese is weighed letter by letter, because a deed turns the order of a task round.

        An irregular form stands for its verb ("bought").
        """
        text = _irregular().sub(lambda form: shipped_inventory().irregular[form[0].lower()], text)
        latin = terms(_SINGLE.sub(" ", text))
        weighty = frozenset((*latin, *_SINGLE.findall(text))) - stop_terms()
        return cls(frozenset(terms(text)) - stop_terms(), weighty, _SEVERAL.search(text) is not None)

    def share(self, asked: "_Words") -> float:
        """Return how much of what a task asks is in this deed; nothing where they share no term."""
        if not asked.weighty or asked.terms.isdisjoint(self.terms):
            return 0.0
        share = len(asked.weighty & self.weighty) / len(asked.weighty)
        return share if share == 1 or not asked.several else 0.0


@cache
def _irregular() -> re.Pattern[str]:
    return re.compile(whole_words(tuple(shipped_inventory().irregular)))
