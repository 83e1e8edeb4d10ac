"""Numbers in words: Chinese numerals and runs of English number words."""

from collections.abc import Sequence

_DIGITS = {char: value for value, char in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_SCALES = {"十": 10, "百": 100, "千": 1000, "万": 10000}
_TENS = {"廿": 20, "卅": 30}
NUMERALS = "".join([*_DIGITS, *_SCALES, *_TENS])


def chinese_number(numeral: str) -> int:
    """Return the value of a run of numerals: by place ("二十三") or digit by digit ("二零二六")."""
    if not any(char in _SCALES or char in _TENS for char in numeral):
        return int("".join(str(_DIGITS[char]) for char in numeral))
    total, digit = 0, 0
    for char in numeral:
        if char in _TENS:
            total += _TENS[char]
        elif char in _SCALES:
            scale = _SCALES[char]
            total = (total + digit) * scale if scale == 10000 else total + (digit or 1) * scale
            digit = 0
        else:
            digit = _DIGITS[char]
    return total + digit


def english_numbers(words: Sequence[int]) -> list[tuple[int, int]]:
    """Group the values of neighbouring number words; return each number with how many words it took.

    "twenty one" is one number, "seven thirty" is two; "nineteen ninety nine" and "two thousand
    eighteen" are years.
    """
    found: list[tuple[int, int]] = []
    at = 0
    while at < len(words):
        value, taken = _cardinal(words, at)
        tail, more = _cardinal(words, at + taken)
        if 13 <= value <= 20 and 10 <= tail <= 99 and not (tail % 10 == 0 and tail < 60 and value < 18):
            value, taken = value * 100 + tail, taken + more
        found.append((value, taken))
        at += taken
    return found


def _cardinal(words: Sequence[int], at: int) -> tuple[int, int]:
    """Return the cardinal that starts at word ``at`` and its length in words."""
    total = current = 0
    room, taken = 10000, 0
    for word in words[at:]:
        if word in (100, 1000):
            if word >= room or (taken and not current):
                break
            total, current, room = total + (current or 1) * word, 0, word
        elif current % 10 == 0 and current >= 20 and 0 < word < 10:
            current += word
        elif current == 0 and word < room:
            current = word
        else:
            break
        taken += 1
    return total + current, max(taken, 1)
