"""Arithmetic and looks by which a secret is told from an ordinary number or word.

A check gets the characters that a rule would mask and returns the part of them that is the secret, as a
span, or None where there is none.
"""

import math
import re
from calendar import monthrange
from collections import Counter

Span = tuple[int, int]

_CN_WEIGHTS = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
_CN_FIGURES = "10X98765432"
_GROUP = re.compile(r"[0-9]+")
_CARD_GROUPS = ((4, 6, 5), (4, 6, 4))
_LEAST_ENTROPY = 3.7  # bits a character; English words joined together have about 3.4


def is_luhn(digits: str) -> bool:
    """Tell whether ``digits`` pass the check of ISO/IEC 7812-1, annex B (Luhn).

    >>> is_luhn("4539578763621486"), is_luhn("4539578763621487")
    (True, False)
    """
    doubled = (2 * int(digit) for digit in digits[-2::-2])
    return (sum(map(int, digits[-1::-2])) + sum(d - 9 if d > 9 else d for d in doubled)) % 10 == 0


def is_cn_id(number: str) -> bool:
    """Tell whether 18 characters are a Chinese identity number (GB 11643: a date and a check figure)."""
    if not re.fullmatch("[0-9]{17}[0-9X]", number):
        return False
    total = sum(weight * int(digit) for weight, digit in zip(_CN_WEIGHTS, number[:17], strict=True))
    return _CN_FIGURES[total % 11] == number[17] and _is_date(number[6:14])


def is_iban(account: str) -> bool:
    """Tell whether ``account``, without blanks, is an IBAN (ISO 13616: modulo 97 leaves 1).

    >>> is_iban("DE89370400440532013000")
    True
    """
    if not re.fullmatch("[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}", account):
        return False
    return int("".join(str(int(sign, 36)) for sign in account[4:] + account[:4])) % 97 == 1


def card(text: str) -> Span | None:
    """Return where in groups of digits a card number stands that adds up and has a card maker's beginning."""
    groups = list(_GROUP.finditer(text))
    for length in range(len(groups), 0, -1):
        for first in range(len(groups) - length + 1):
            window = groups[first : first + length]
            digits = "".join(group[0] for group in window)
            if (
                _is_card_shaped([len(group[0]) for group in window])
                and _is_issued(digits)
                and is_luhn(digits)
            ):
                return window[0].start(), window[-1].end()
    return None


def card_shape(text: str) -> Span | None:
    """Return the whole of ``text`` where its digits stand in groups as on a card (dates do not)."""
    return _whole(text, _is_card_shaped([len(group) for group in _GROUP.findall(text)]))


def cn_id(text: str) -> Span | None:
    """Return the whole of ``text`` where it is a Chinese identity number, whatever separates its figures."""
    return _whole(text, is_cn_id(_bare(text)))


def cn_shape(text: str) -> Span | None:
    """Return the whole of ``text`` where it may be one with a slip of the pen: solid, or with its date."""
    number = _bare(text)
    return _whole(text, (number == text and len(number) in (15, 18)) or _is_date(number[6:14]))


def iban(text: str) -> Span | None:
    """Return the longest beginning of ``text`` that is an IBAN and ends with one of its groups."""
    for group in reversed(list(re.finditer(r"[A-Za-z0-9]+", text))):
        if is_iban(_bare(text[: group.end()])):
            return 0, group.end()
    return None


def identity(text: str) -> Span | None:
    """Return the whole of ``text`` where it may be a document's number, not a date, a phone or a word."""
    number = _bare(text)
    digits = sum(sign.isdigit() for sign in number)
    if number[:1].isalpha() or not number.isdigit():
        return _whole(text, digits >= 5 or (len(number) >= 8 and digits >= 3))
    groups = [len(group) for group in _GROUP.findall(text)]
    phone = number.startswith("0") or re.fullmatch("1[3-9][0-9]{9}", number)
    dated = groups[:2] == [4, 2] or _is_date(number)
    return _whole(text, digits >= 6 and not phone and not dated)


def figured(text: str) -> Span | None:
    """Return the whole of ``text`` where letters and figures mix as in a key, not as in a name."""
    digits = sum(sign.isdigit() for sign in text)
    turns = len(re.findall("[a-z][A-Z]|[A-Z][a-z]", text))
    letters = any(sign.isalpha() for sign in text)
    return _whole(text, (letters and (digits >= 2 or (digits and turns))) or turns >= 6)


def entropy(text: str) -> Span | None:
    """Return the whole of ``text`` where it looks drawn by lot: all kinds of characters, evenly mixed.

    Only hexadecimal figures are no secret by themselves: most such words are checksums and commits.
    """
    kinds = (re.search(kind, text) for kind in ("[a-z]", "[A-Z]", "[0-9]{1,6}.*[0-9]"))
    words = re.search("[a-z]{7,}|[A-Z]{7,}|[0-9]{9,}", text)
    return _whole(text, all(kinds) and not words and shannon(text) >= _LEAST_ENTROPY)


def numbered(text: str) -> Span | None:
    """Return the whole of ``text`` where it holds a figure."""
    return _whole(text, any(sign.isdigit() for sign in text))


def shannon(text: str) -> float:
    """Return the entropy of the characters of ``text``, in bits a character.

    >>> shannon("abab")
    1.0
    """
    return -sum(n / len(text) * math.log2(n / len(text)) for n in Counter(text).values())


CHECKS = {
    "card": card,
    "card_shape": card_shape,
    "cn_id": cn_id,
    "cn_shape": cn_shape,
    "entropy": entropy,
    "figured": figured,
    "iban": iban,
    "identity": identity,
    "numbered": numbered,
}


def _whole(text: str, passes: object) -> Span | None:
    return (0, len(text)) if passes else None


def _bare(text: str) -> str:
    """Return letters and figures alone, in capitals."""
    return re.sub("[^A-Za-z0-9]", "", text).upper()


def _is_date(figures: str) -> bool:
    """Tell whether eight figures are a day from 1900 to 2099."""
    if not re.fullmatch("(?:19|20)[0-9]{6}", figures):
        return False
    year, month, day = int(figures[:4]), int(figures[4:6]), int(figures[6:])
    return 1 <= month <= 12 and 1 <= day <= monthrange(year, month)[1]


def _is_card_shaped(groups: list[int]) -> bool:
    """Tell whether groups of these lengths are written as card numbers are: alike, or as one maker does."""
    alike = len(set(groups[:-1])) <= 1 and (len(groups) == 1 or groups[-1] <= groups[0])
    return 12 <= sum(groups) <= 19 and (alike or tuple(groups) in _CARD_GROUPS)


def _is_issued(digits: str) -> bool:
    """Tell whether a number begins as those of the large card makers do, and has their length."""
    if re.match("3[47]", digits):
        return len(digits) == 15
    if re.match("3[0689]", digits):
        return len(digits) == 14
    return 16 <= len(digits) <= 19 and re.match("[2456]", digits) is not None
