"""The figures of a suite: what is counted over the outcomes of one group of questions."""

from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean, median

from benchmarks.suites.case import Outcome

Figures = Mapping[str, float]
"""Figures by name; shares lie between 0 and 1, ``ms`` is the median of milliseconds a question."""

_DEPTHS = (5, 10, 20)


def ranked(outcomes: Sequence[Outcome]) -> Figures:
    """Return how much of the evidence comes early.

    ``rec@k``: the share of a question's evidence among the first k turns, on average; ``all@10``: questions
    whose evidence is there wholly; ``mrr``: one divided by the place of the first evidence; ``session@10``:
    questions of which some evidence lies in the first ten sessions that the turns come from.
    """
    asked = [outcome for outcome in outcomes if outcome.query.gold]
    if not asked:
        return {"questions": 0}
    return {
        **{f"rec@{k}": fmean(_recalled(outcome, k) for outcome in asked) for k in _DEPTHS},
        "all@10": fmean(_recalled(outcome, 10) == 1.0 for outcome in asked),
        "mrr": fmean(_reciprocal(outcome) for outcome in asked),
        "session@10": fmean(_finds_session(outcome, 10) for outcome in asked),
        **_counted(asked),
    }


def newest(outcomes: Sequence[Outcome]) -> Figures:
    """Return how often the newest value stands above every stale one, and how often a stale one comes early.

    ``newest first``: the evidence is among the first ten and no stale turn is above it. Both are counts.
    """
    asked = [outcome for outcome in outcomes if outcome.query.stale]
    return {
        "changed": len(asked),
        "newest first": sum(_newest_first(outcome) for outcome in asked),
        "stale@5": sum(_holds_stale(outcome, 5) for outcome in asked),
    }


def changing(outcomes: Sequence[Outcome]) -> Figures:
    """Return the ranked figures and, where values change, those of the newest one."""
    return {**ranked(outcomes), **newest(outcomes)}


def guarded(outcomes: Sequence[Outcome]) -> Figures:
    """Return the ranked figures, and of how many questions a turn that must not come is among the first five."""
    return {**ranked(outcomes), "forbidden@5": sum(_holds_stale(one, 5) for one in outcomes)}


def silent(outcomes: Sequence[Outcome]) -> Figures:
    """Return how well what nothing answers is told from what has an answer.

    ``auroc``: how often a question with an answer scores above one without; ``silent``: questions without an
    answer that get nothing; ``answered``: questions with one that get something.
    """
    known = [outcome for outcome in outcomes if outcome.query.gold]
    unknown = [outcome for outcome in outcomes if not outcome.query.gold]
    if not known or not unknown:
        return {"questions": 0}
    return {
        "auroc": _auroc([one.ranking.score for one in known], [one.ranking.score for one in unknown]),
        "silent": fmean(not one.ranking.turns for one in unknown),
        "answered": fmean(bool(one.ranking.turns) for one in known),
        **_counted(outcomes),
    }


def _counted(outcomes: Sequence[Outcome]) -> Figures:
    if not outcomes:
        return {"questions": 0}
    return {
        "questions": len(outcomes),
        "ms": median(1000.0 * outcome.ranking.seconds for outcome in outcomes),
    }


def _recalled(outcome: Outcome, depth: int) -> float:
    gold = outcome.query.gold
    return len(gold.intersection(outcome.ranking.turns[:depth])) / len(gold)


def _reciprocal(outcome: Outcome) -> float:
    places = (n for n, turn in enumerate(outcome.ranking.turns, 1) if turn in outcome.query.gold)
    return 1.0 / next(places, float("inf"))


def _finds_session(outcome: Outcome, depth: int) -> bool:
    wanted = {outcome.session[turn] for turn in outcome.query.gold if turn in outcome.session}
    sessions = dict.fromkeys(outcome.session[turn] for turn in outcome.ranking.turns)
    return not wanted.isdisjoint(list(sessions)[:depth])


def _newest_first(outcome: Outcome) -> bool:
    told = (turn in outcome.query.gold for turn in _of_interest(outcome))
    return next(told, False)


def _of_interest(outcome: Outcome) -> Iterator[str]:
    """Yield the turns among the first ten that hold the newest value or a stale one."""
    query = outcome.query
    return (turn for turn in outcome.ranking.turns[:10] if turn in query.gold or turn in query.stale)


def _holds_stale(outcome: Outcome, depth: int) -> bool:
    return not outcome.query.stale.isdisjoint(outcome.ranking.turns[:depth])


def _auroc(above: Sequence[float], below: Sequence[float]) -> float:
    """Return the area under the ROC curve: the share of pairs that are in order, ties counted half."""
    pairs = [(a > b) + 0.5 * (a == b) for a in above for b in below]
    return fmean(pairs)
