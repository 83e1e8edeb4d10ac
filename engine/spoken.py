"""What makes a raw turn an answer besides its own words: how it stands among the others, what stands beside it.

A conversation is a graph of its own: a turn has a speaker, a session, a date, and turns before and after it.
All features are compared within one list of candidates; ``benchmarks.fit recall`` weighs them.
"""

import math
import re
import tomllib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from mnemic.engine.question import Question
from mnemic.extraction.terms import terms
from mnemic.extraction.text import fold
from mnemic.extraction.wordlist import whole_words
from mnemic.graph.model import Turn

Column = NDArray[np.float64]
"""One figure of every turn, in the order of the candidates."""
Features = dict[str, float]

_SLOW = 10.0
_DAY = 86400.0
_LONG, _SHORT = 40.0, 6
_SOON = 10.0
_NUMBER = re.compile(r"\d")


def add_turn_features(question: Question, turns: Sequence[Turn], features: Sequence[Features]) -> None:
    """Add to the features of each turn how it stands among all ``turns`` and what stands around it.

    Known already are ``words`` and ``coverage`` and, with vectors, ``summary detail answer``
    and ``answer in context``.
    """
    if not turns:
        return
    known = {name: _column(features, name) for name in _RANKED}
    words = _around(turns, known["words"])
    whole = _high(_high(known["words"]) + _high(known["summary"]) + _high(known["detail"]))
    whole = _high(whole + 0.5 * _high(known["answer in context"]) + 0.4 * _high(known["answer"]))
    standing = {f"rank by {name}": _ranks(column) for name, column in known.items()}
    standing |= {"rank by all": _ranks(whole), "all": whole, "rank by words around": _ranks(words)}
    standing |= {"words around": _high(words)}
    standing |= {f"{name} above others": _high(known[name]) for name in ("answer", "answer in context")}
    standing |= _sessions(turns, known["words"])
    for name, column in standing.items():
        for row, value in zip(features, column, strict=True):
            row[name] = float(value)
    _add_neighbours(turns, features, standing["answer above others"])
    _add_words(question, turns, features)
    _add_dates(question, turns, features)


_RANKED = ("words", "summary", "detail", "answer", "answer in context")


def _column(features: Sequence[Features], name: str) -> Column:
    return np.array([row.get(name, 0.0) for row in features], np.float64)


def _high(values: Column) -> Column:
    """Return how many standard deviations each lies above the mean."""
    return np.asarray((values - values.mean()) / (values.std() + 1e-6), np.float64)


def _ranks(values: Column) -> Column:
    """Return slowly falling reciprocal ranks: 1 for the best, a half for the eleventh; equals share theirs.

    Where all are equal there is nothing to rank.
    """
    if not np.ptp(values):
        return np.zeros(len(values))
    places = len(values) - np.searchsorted(np.sort(values), values, "right")
    return np.asarray(_SLOW / (_SLOW + places), np.float64)


def _beside(turns: Sequence[Turn]) -> list[tuple[int | None, int | None]]:
    """Return for each turn the places of the one before and the one after it in its session, where they are here."""
    places = {(turn.owner, turn.session, turn.position): n for n, turn in enumerate(turns)}
    return [
        (
            places.get((turn.owner, turn.session, turn.position - 1)),
            places.get((turn.owner, turn.session, turn.position + 1)),
        )
        for turn in turns
    ]


def _around(turns: Sequence[Turn], words: Column) -> Column:
    """Return the score by words of each turn with half of its better neighbour's."""
    best = [max((words[n] for n in pair if n is not None), default=0.0) for pair in _beside(turns)]
    return words + 0.5 * np.array(best)


def _sessions(turns: Sequence[Turn], words: Column) -> dict[str, Column]:
    """Return the best score by words of each turn's session, and the mean of its best five."""
    scores: defaultdict[str, list[float]] = defaultdict(list)
    for turn, score in zip(turns, words, strict=True):
        scores[turn.session].append(float(score))
    best = {session: sorted(values)[-5:] for session, values in scores.items()}
    return {
        "session": np.array([best[turn.session][-1] for turn in turns]),
        "session mean": np.array([sum(best[t.session]) / len(best[t.session]) for t in turns]),
    }


def _add_neighbours(turns: Sequence[Turn], features: Sequence[Features], high: Column) -> None:
    for row, pair in zip(features, _beside(turns), strict=True):
        for side, place in zip(("before", "after"), pair, strict=True):
            if place is not None:
                row[f"{side}: answer above others"] = float(high[place])
                row[f"{side}: coverage"] = features[place].get("coverage", 0.0)
                row[f"{side}: asks"] = features[place].get("asks", 0.0)


def _add_words(question: Question, turns: Sequence[Turn], features: Sequence[Features]) -> None:
    """Add who speaks, of whom, how long, and whether a time or number stands where one is asked for."""
    asked = fold(question.text)
    speakers = {turn.speaker for turn in turns}
    named = {speaker for speaker in speakers if _is_named(speaker, asked)}
    when, count = (_asked(name).search(asked) is not None for name in ("when", "count"))
    for turn, row in zip(turns, features, strict=True):
        first = min(4, _words("first").count(turn)) / 2.0
        number = _NUMBER.search(turn.text) is not None
        row["first person"] = first
        row["number"] = float(number)
        row["long"] = min(1.0, len(turn.terms) / _LONG)
        row["short"] = float(len(turn.terms) < _SHORT)
        if turn.speaker in named:
            row |= {"named": 1.0, "named × first person": first, "alone named": float(len(named) == 1)}
        elif named:
            row["another named"] = 1.0
        if when:
            row["when × moment"] = float(_words("moment").count(turn) > 0)
            row["when × number"] = float(number)
        if count:
            row["count × number"] = float(number or _words("number").count(turn) > 0)


def _is_named(speaker: str, asked: str) -> bool:
    """Tell whether a folded question names a speaker."""
    name = fold(speaker)
    return re.search(rf"(?<![a-z]){re.escape(name)}(?![a-z])", asked) is not None


def _add_dates(question: Question, turns: Sequence[Turn], features: Sequence[Features]) -> None:
    """Add how far from the time that is asked about a turn was said; what comes before weighs half as much again."""
    if question.since is None or question.until is None:
        return
    for turn, row in zip(turns, features, strict=True):
        early = (question.since - turn.at).total_seconds() / _DAY
        late = (turn.at - question.until).total_seconds() / _DAY
        row["days off"] = min(4.5, math.log1p(max(0.0, 1.5 * early, late))) / 2.0
        row["soon after"] = float(0 < late < _SOON)


@dataclass(frozen=True, slots=True)
class _Words:
    """A class of words of turns: Latin ones as index terms, others as they stand in a text."""

    latin: frozenset[str]
    other: tuple[str, ...]

    def count(self, turn: Turn) -> int:
        """Return how often words of the class stand in a turn."""
        latin = self.latin
        return sum([term in latin for term in turn.terms]) + sum(
            [turn.text.count(word) for word in self.other]
        )


@cache
def _words(name: str) -> _Words:
    tongues = _shipped()[name]
    return _Words(frozenset(term for word in tongues["en"] for term in terms(word)), tuple(tongues["zh"]))


@cache
def _asked(name: str) -> re.Pattern[str]:
    """Return the pattern of a class of words of questions."""
    return re.compile(whole_words([*_shipped()[name]["en"], *_shipped()[name]["zh"]]))


@cache
def _shipped() -> Mapping[str, Mapping[str, list[str]]]:
    text = files("mnemic.dictionaries").joinpath("turns.toml").read_text(encoding="utf-8")
    raw = tomllib.loads(text)
    return {name: body for name, body in raw.items() if isinstance(body, dict)}
