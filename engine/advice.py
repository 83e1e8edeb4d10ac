"""What an optional language model is asked while something is remembered, and what of its answers is believed.

It is never asked inside a transaction: a store waits for no model. What a message states and its summary are asked
before the write; a doubt that the write left is put to the model after it, and settled in a step of its own. Where
it gives no usable answer the rules stand, and the receipt says so.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from mnemic.engine.core import Core
from mnemic.engine.importance import judge_importance
from mnemic.engine.results import Asked
from mnemic.errors import ModelError
from mnemic.extraction.llm.base import EXTRACT, JUDGE, SUMMARISE, Extracted, LanguageModel
from mnemic.extraction.llm.grounding import grounded, with_statements
from mnemic.extraction.llm.veil import Veil
from mnemic.extraction.model import Analysis, Line, Mention, Modality, Source, Statement, Unit
from mnemic.extraction.terms import terms
from mnemic.extraction.width import columns
from mnemic.graph.ids import told_id

_LONG = 160
"""A memory without a statement is summarised from this width on (a CJK character counts 2)."""

_SHORT = 4_000
"""Longer texts are not sent."""

_OWN_WORDS = 0.6
"""The share of a summary's words that must be those of the text."""

A = TypeVar("A")


class Adviser:
    """Asks the model on behalf of one call, within its bounds, and notes in ``asked`` what came of it."""

    def __init__(self, core: Core, owners: frozenset[str], people: Mapping[str, str]) -> None:
        self._core, self._owners, self._people = core, owners, people
        self._left = core.settings.model_calls
        self._until = time.monotonic() + core.settings.model_seconds
        self.asked: list[Asked] = []

    def asks(self, stage: str) -> bool:
        """Tell whether there is a model to be asked this."""
        return self._core.model is not None and stage in self._core.model.stages

    def reading(self, analysis: Analysis, line: Line, turn: str, speaker: Mention) -> Analysis:
        """Return an analysis with what the model finds stated in units of which the rules found nothing."""
        if not self.asks(EXTRACT) or line.role != "user":
            return analysis
        mute = [u for u in analysis.units if not u.statements and self._kept(u, analysis, line)]
        if not mute:
            return analysis
        said = self._ask(
            EXTRACT, turn, [analysis.text],
            lambda model, texts, within: model.extract(texts[0], within=within).statements,
            lambda veil, rows: tuple(_lifted(veil, each) for each in rows),
            _named_in(analysis),
        )  # fmt: skip
        if said is None:
            return analysis
        found: dict[int, tuple[Statement, ...]] = {}
        shown = []
        for each in said:
            stated = ((unit.start, grounded(unit, speaker, each)) for unit in mute)
            place, statement = next(((at, s) for at, s in stated if s is not None), (0, None))
            shown.append(
                f"{each.subject} {each.predicate} {each.object}{'' if statement else ' (not believed)'}"
            )
            if statement is not None:
                found[place] = (*found.get(place, ()), statement)
        self._note("; ".join(shown), used=bool(found))
        units = tuple(
            with_statements(u, found[u.start]) if u.start in found and not u.statements else u
            for u in analysis.units
        )
        return replace(analysis, units=units)

    def summaries(self, analysis: Analysis, line: Line, turn: str) -> dict[str, str]:
        """Return summaries of long units that state nothing, by their texts."""
        if not self.asks(SUMMARISE) or line.role != "user":
            return {}
        found = {}
        for unit in analysis.units:
            long = not unit.statements and columns(unit.text) >= _LONG
            if long and self._kept(unit, analysis, line):
                summary = self._ask(
                    SUMMARISE, turn, [unit.text],
                    lambda model, texts, within: model.summarise(texts[0], within=within).summary,
                    lambda veil, text: veil.lift(text),
                    _named_in(analysis),
                )  # fmt: skip
                if summary is not None and self._note(summary, used=_in_its_words(summary, unit.text)):
                    found[unit.text] = " ".join(summary.split())
        return found

    def opinion(self, older: str, newer: str, turn: str, people: Mapping[str, str]) -> str:
        """Return whether the newer text overrules the older one: ``yes``, ``no``, or ``unsure``."""
        said = self._ask(
            JUDGE, turn, [older, newer],
            lambda model, texts, within: model.judge(texts[0], texts[1], within=within).overrules,
            lambda veil, word: word,
            people,
        )  # fmt: skip
        if said is not None:
            self._note(str(said), used=said != "unsure")
        return str(said or "unsure")

    def _kept(self, unit: Unit, analysis: Analysis, line: Line) -> bool:
        if unit.modality is Modality.ASKED or analysis.request is not None:
            return False
        keep_from = self._core.settings.keep_from
        return judge_importance(unit, line, analysis.introduced, keep_from)[0] >= keep_from

    def _ask(
        self,
        stage: str,
        turn: str,
        texts: Sequence[str],
        ask: Callable[[LanguageModel, Sequence[str], float], A],
        lift: Callable[[Veil, A], A],
        people: Mapping[str, str] | None = None,
    ) -> A | None:
        """Ask with a veil over the texts; None, with a note of why, where there is no answer to use."""
        model, begun = self._core.model, time.monotonic()
        within, refusal = self._until - begun, ""
        if model is None:
            return None
        if self._left <= 0 or within <= 0:
            refusal = "not asked: this call has had its share"
        elif sum(map(len, texts)) > _SHORT:
            refusal = f"not asked: longer than {_SHORT:,} characters"
        answer = None
        if not refusal:
            self._left -= 1
            veil = Veil(self._core.known_analyser(self._owners), texts, {**self._people, **(people or {})})
            try:
                answer = lift(veil, ask(model, veil.texts, within))
            except ModelError as error:
                refusal = str(error)
            except Exception as error:  # noqa: BLE001 - whatever a caller's own model does, the turn is kept
                refusal = f"the model failed ({type(error).__name__})"
        took = round(time.monotonic() - begun, 3)
        self.asked.append(
            Asked(stage=stage, model=model.name, turn=told_id(turn), seconds=took, note=refusal)
        )
        return answer

    def _note(self, said: str, *, used: bool) -> bool:
        """Note what the last answer said, and whether it was believed."""
        self.asked[-1] = self.asked[-1].model_copy(update={"said": said, "used": used})
        return used


def _lifted(veil: Veil, said: Extracted) -> Extracted:
    words = {"subject": veil.lift(said.subject), "object": veil.lift(said.object)}
    return said.model_copy(update=words)


def _named_in(analysis: Analysis) -> dict[str, str]:
    """Return what a message names that no shipped dictionary knows, in all its forms: it does not leave."""
    mentions = [mention for unit in analysis.units for mention in unit.mentions]
    for unit in analysis.units:
        mentions += [part for s in unit.statements for part in (s.subject, s.object) if part is not None]
    mentions += [each.mention for each in analysis.introduced]
    own = [
        m for m in mentions if m.kind == "person" or (m.source is not Source.SHIPPED and m.kind != "thing")
    ]
    forms = [(form, m.kind) for m in own for form in (m.text, m.name) if form.strip()]
    return {**dict(forms), **{i.alias: i.mention.kind for i in analysis.introduced if i.alias}}


def _in_its_words(summary: str, text: str) -> bool:
    """Tell whether a summary says in words of the text what stands there, in short."""
    own, words = set(terms(text)), terms(summary)
    shorter = columns(summary) < columns(text) and summary.isprintable()
    return shorter and bool(words) and sum(term in own for term in words) >= _OWN_WORDS * len(words)
