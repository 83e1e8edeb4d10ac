"""Builders for the time of day: "half past three", "下午三点一刻", "at 7", "9 to 11am"."""

from mnemic.extraction.times.lengths import Built, Tokens, numbers, one
from mnemic.extraction.times.part import Part

USUALLY_PM = range(1, 7)
"""Hours that are of the afternoon where nothing says otherwise: people meet at 3, they do not get up then."""


def clock(tokens: Tokens) -> Part | None:
    """Read one time of day from a ready clock token or from an hour, its minutes and its half of the day."""
    half = next((token.integer for token in tokens if token.letter == "r"), None)
    ready = next((token for token in tokens if token.letter in "Ce"), None)
    if ready is not None:
        return ready.part or _named(ready.name)
    found = [token for token in tokens if token.letter in "Nnv"]
    hour, minute = found[0].number, float(found[1].integer) if len(found) > 1 else 0.0
    if hour >= 100:
        hour, minute = divmod(hour, 100)
    elif found[0].letter == "v":
        hour, minute = divmod(round(hour * 100), 100)
    if any(token.letter == "b" for token in tokens):
        minute = 30
    elif any(token.letter == "k" for token in tokens):
        minute = 15 * (minute or 1)
    return _time(int(hour), int(minute), half)


def _named(name: str) -> Part:
    hour, minute = name.split(":")
    return Part(hour=int(hour), minute=int(minute) or None, meridiem=12 if hour == "12" else 0)


def _time(hour: int, minute: int, half: int | None) -> Part | None:
    if hour > 24 or minute > 59:
        return None
    return Part(hour=hour, minute=minute or None, meridiem=half)


def past(tokens: Tokens) -> Built:
    """Read "half past three", "quarter past eight", "20 minutes past 5pm"."""
    return _moved(tokens, ">", 1)


def to(tokens: Tokens) -> Built:
    """Read "a quarter to seven", "ten minutes to noon"."""
    return _moved(tokens, "=", -1)


def _moved(tokens: Tokens, hinge: str, sign: int) -> Built:
    at = next(index for index, token in enumerate(tokens) if token.letter == hinge)
    base = clock(tokens[at + 1 :])
    if base is None or base.hour is None:
        return None
    before = tokens[:at]
    named = {"b": 30, "k": 15}
    minutes = next(
        (named[token.letter] for token in before if token.letter in named), (numbers(before) or [0])[0]
    )
    if any(token.name == "quarter" and token.letter == "U" for token in before):
        minutes *= 15
    hour = base.hour
    if base.meridiem is not None:
        hour = hour % 12 + base.meridiem if hour < 13 else hour
    elif hour in USUALLY_PM:
        hour += 12
    total = (hour * 60 + (base.minute or 0) + sign * minutes) % 1440
    return Part(hour=total // 60, minute=total % 60 or None, meridiem=12 if total // 60 == 12 else 0)


def clock_range(tokens: Tokens) -> Built:
    """Read "3-4pm", "9 to 11:30", "四到六点": two times of day, of which the first may be a bare number."""
    at = next(index for index, token in enumerate(tokens) if token.letter in "t&=-")
    first, second = clock(tokens[:at]), clock(tokens[at + 1 :])
    if first is None or second is None:
        return None
    return first, second


def clock_part(tokens: Tokens) -> Built:
    """Read "8 in the morning", "5 to 6 in the afternoon"."""
    part = one(tokens, "P").name
    hours = numbers(tokens)
    if not all(hour <= 24 for hour in hours):
        return None
    first, *rest = [Part(hour=hour, part=part) for hour in hours]
    return (first, rest[0]) if rest else first


def day_clock(tokens: Tokens) -> Built:
    """Read "this morning", "next evening", "last night": a day near now and a part of it."""
    return Part(days=one(tokens, "R>").integer, part=one(tokens, "P").name)
