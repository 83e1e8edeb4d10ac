"""Is a sentence worth remembering? Visible features, its words among them, what its vector means, and a small logistic scorer.

What introduces somebody or something, what is planned, what somebody's body or belief allows, and what the
user asks outright to remember, is kept in any case.
"""

import math
from collections.abc import Sequence

from mnemic.engine.meaning import PART, Meaning
from mnemic.engine.scorer import shipped_scorer
from mnemic.extraction.frames import frame
from mnemic.extraction.model import Introduction, Line, Modality, Source, Unit
from mnemic.extraction.requests import asks_to_keep
from mnemic.extraction.terms import terms
from mnemic.extraction.width import columns

_HEARD = [
    "change",
    "end",
    "correction",
    "now",
    "plan",
    "proposal",
    "hypothetical",
    "joke",
    "reported",
    "negation",
    "also",
    "past",
    "decision",
    "preference",
    "rule",
    "task",
    "done",
    "undone",
    "remember",
    "chat",
    "unchanged",
    "forget",
    "first",
    "third",
]
_SAID = (Modality.ASSERTED, Modality.ENDED, Modality.NEGATED)


def importance_features(unit: Unit, line: Line) -> dict[str, float]:
    """Return the features that are present, by name; each lies between 0 and 1."""
    features: dict[str, float] = {f"cue:{name}": 1.0 for name in _HEARD if name in unit.cues}
    features["length"] = min(1.0, columns(unit.text) / 120.0)
    features["short"] = float(columns(unit.text) < 12)
    for statement in unit.statements:
        features["said" if statement.modality in _SAID else "supposed"] = 1.0
        features[f"predicate:{statement.predicate}"] = 1.0
    for mention in unit.mentions:
        features["names own" if mention.source is Source.TENANT else f"names {mention.source.value}"] = 1.0
    for value in unit.values:
        features[f"value:{'date' if value.since is not None else 'number'}"] = 1.0
    for term in terms(unit.text):
        features[f"word:{term}"] = 1.0
    features[f"meant:{unit.modality.value}"] = 1.0
    features["emoji only"] = float(not any(letter.isalnum() for letter in unit.text))
    features["exclaims"] = float(unit.text.rstrip().endswith(("!", "！", "~", "～")))
    features["assistant"] = float(line.role != "user")
    return {name: value for name, value in features.items() if value}


def judge_importance(
    unit: Unit,
    line: Line,
    introduced: Sequence[Introduction],
    keep_from: float,
    meaning: Meaning | None = None,
) -> tuple[float, dict[str, float]]:
    """Return the importance of a unit, from 0 to 1, and what each feature added to its log odds.

    A unit that is kept in any case has at least the importance ``keep_from``; ``introduced`` are the
    introductions of its message, ``meaning`` is what its vector says.
    """
    scorer = shipped_scorer(meaning.scorer if meaning is not None else "importance")
    features = importance_features(unit, line)
    if meaning is not None:
        features[PART] = meaning.part
    importance, parts = round(scorer.probability(features), 4), scorer.contributions(features)
    reason = _in_any_case(unit, introduced)
    if reason and importance < keep_from:
        parts = {reason: round(_log_odds(keep_from) - _log_odds(importance), 3), **parts}
        importance = keep_from
    return importance, parts


def _in_any_case(unit: Unit, introduced: Sequence[Introduction]) -> str:
    """Return the name of the feature for which a unit is kept whatever else it says; nothing where none is."""
    if unit.modality is not Modality.ASKED and asks_to_keep(unit.text):
        return "asked to remember"
    names = (new.mention for new in introduced if new.mention.kind != "thing")
    if unit.modality is Modality.ASSERTED and any(unit.start <= name.start < unit.end for name in names):
        return "introduces a name"
    if unit.modality is Modality.PLANNED and "chat" not in unit.cues:
        return "plans"
    said = frame(unit.text) if unit.modality is Modality.ASSERTED and "chat" not in unit.cues else None
    if said is not None and (said.named or said.sort == "classed"):
        return "says what is so of a thing"
    somebody = "first" in unit.cues or any(mention.kind == "person" for mention in unit.mentions)
    if unit.modality in (Modality.ASSERTED, Modality.NEGATED) and "trait" in unit.cues and somebody:
        return "tells a trait"
    return ""


def _log_odds(probability: float) -> float:
    inside = min(0.9999, max(0.0001, probability))
    return math.log(inside / (1.0 - inside))
