"""Builders for what recurs: "every Monday", "每月15号", "Tuesdays", "每三天", "weekly"."""

from mnemic.extraction.times.lengths import Built, Tokens, length, numbers, one
from mnemic.extraction.times.part import Part

_WORKWEEK = (0, 1, 2, 3, 4)
_WEEKEND = (5, 6)


def rhythm(tokens: Tokens) -> Built:
    """Read a unit or a number of them: "every day", "每三天", "every other week", "mornings"."""
    if tokens[-1].letter in 'P"':
        return Part(every="day", part=tokens[-1].name)
    ((unit, amount),) = length([token for token in tokens if token.letter not in "J1"]).amounts[:1]
    if unit == "workday":
        return Part(every="week", each=_WORKWEEK)
    times = max(1, round(amount)) * one(tokens, "J").integer
    return Part(every=unit if times == 1 else f"{unit}/{times}")


def adverb(tokens: Tokens) -> Built:
    """Read "daily", "once a week", "天天", "weekdays"."""
    name = tokens[-1].name
    each = {"weekday": _WORKWEEK, "weekend": _WEEKEND}.get(name)
    return Part(every=name) if each is None else Part(every="week", each=each)


def weekdays(tokens: Tokens) -> Built:
    """Read weekdays that come round: "every Monday", "Tuesdays and Fridays", "每周一三五", "每周一到周五"."""
    named = [token.integer for token in tokens if token.letter in "WwV"]
    if any(token.letter in "t=-" for token in tokens):
        named = [day % 7 for day in range(named[0], named[-1] + (1 if named[-1] >= named[0] else 8))]
    for token in tokens:
        if token.letter in "Nf":
            digits = f"{token.integer}{token.name}"
            named += [int(digit) - 1 for digit in digits if digit in "1234567"]
    times = next((token.integer for token in tokens if token.letter == "J"), 1)
    part = tokens[-1].name if tokens[-1].letter == '"' else None
    return Part(every="week" if times == 1 else f"week/{times}", each=tuple(sorted(set(named))), part=part)


def weekend(tokens: Tokens) -> Built:
    """Read "every weekend", "每周末"."""
    return Part(every="week", each=_WEEKEND)


def day_of_month(tokens: Tokens) -> Built:
    """Read "每月15号", "every 15th"."""
    number = numbers(tokens)[0]
    return Part(every="month", day=number) if 1 <= number <= 31 else None


def day_of_year(tokens: Tokens) -> Built:
    """Read "每年5月1日", "every April 15", "each 4/15"."""
    ready = next((token.part for token in tokens if token.letter == "E"), None)
    if ready is not None:
        return ready._replace(every="year")
    name = next((token for token in tokens if token.letter in "Ma"), None)
    month, *rest = ([name.integer] if name else []) + numbers(tokens)
    if not 1 <= month <= 12 or not all(1 <= day <= 31 for day in rest):
        return None
    return Part(every="year", month=month, day=rest[0] if rest else None)


def festival(tokens: Tokens) -> Built:
    """Read "every Christmas", "每年春节"."""
    return Part(every="year", festival=one(tokens, "S").name)
