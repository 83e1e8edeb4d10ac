"""The rules by which values are found, made from ``dictionaries/values.toml``."""

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from mnemic.extraction.numerals import Numerals, written
from mnemic.extraction.wordlist import any_of

Normal = Callable[[re.Match[str]], str | None]

_ARABIC = r"(?:[0-9]{1,3}(?:,[0-9]{3}){1,5}(?:\.[0-9]{1,6})?|[0-9]{1,15}(?:\.[0-9]{1,9})?)"
_ALONE = r"(?<![A-Za-z0-9_.#@$])(?<![0-9][:/,-])(?<![A-Za-z]-)(?<!第)(?<!第 )"
_ENDS = r"(?![A-Za-z0-9_]|[.,:/][0-9]|-[A-Za-z0-9])"


class Rule(NamedTuple):
    """What one pattern finds: ``normal`` makes a match's comparable form, or None where it is no value."""

    kind: str
    pattern: re.Pattern[str]
    normal: Normal
    group: str | int = 0


@cache
def shipped_values() -> "Vocabulary":
    """Return the rules of the shipped file."""
    raw = files("mnemic.dictionaries").joinpath("values.toml").read_text(encoding="utf-8")
    return Vocabulary(tomllib.loads(raw))


class Vocabulary:
    """``rules`` in order of preference; ``everyone``: names behind an @ that are nobody's."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self._data = data
        self._numerals = Numerals(data["digits"], data["scales"], {**data["words"], **data["half"]})
        self._units = _meanings({**data["measures"], **data["counters"]})
        self._codes = _meanings({code: [*c["before"], *c["after"]] for code, c in data["currencies"].items()})
        self._number = self._arabic()
        self._amount = (
            rf"(?P<low>{self._number}|{self._chinese()})(?:[-–~](?P<high>{_ARABIC}))?"
            rf"(?P<vague>{any_of(data['vague'])})?"
        )
        self._minus = rf"(?P<minus>(?:{any_of(data['negative'])}) ?|(?<![\w)])[-−])?"
        self.everyone = frozenset(data["everyone"])
        self.list_mark = re.compile(data["list_mark"], re.MULTILINE)
        self.rules = (
            *self._money_rules(),
            *self._percent_rules(),
            *self._quantity_rules(),
            *self._shape_rules(),
            *self._bare_rules(),
        )

    # Patterns of numbers

    def _arabic(self) -> str:
        """Return the pattern of Arabic figures with scales: "1,020", "3.5 万", "3万5", "40k"."""
        scale, latin = self._signs("scales", latin=False), self._signs("scales", latin=True)
        rest = rf"(?:[0-9]{{1,4}}[{scale}]{{1,2}}){{0,2}}(?:[0-9](?![0-9.]))?"
        return rf"{_ALONE}{_ARABIC}(?: ?[{scale}]{{1,3}}{rest}|[{latin}](?![A-Za-z0-9]))?"

    def _chinese(self) -> str:
        """Return the pattern of a Chinese numeral in front of a unit."""
        digit, scale = self._signs("digits", latin=False), self._signs("scales", latin=False)
        point = rf"(?:点[{digit}]{{1,6}}[{scale}]{{0,2}})?"
        return rf"{self._free()}(?<![{digit}{scale}])[{digit}十][{digit}{scale}]{{0,15}}+{point}"

    def _chinese_alone(self) -> str:
        """Return the pattern of a Chinese numeral that is plainly one: a digit with a scale."""
        digit, scale = self._signs("digits", latin=False), self._signs("scales", latin=False)
        return rf"{self._free()}(?<![{digit}{scale}])[{digit}]{{1,2}}[{scale}][{digit}{scale}]{{0,15}}+"

    def _signs(self, table: str, *, latin: bool) -> str:
        return "".join(sign for sign in self._data[table] if sign.isascii() == latin)

    def _free(self) -> str:
        """Return what keeps a numeral from being part of a word or an ordinal."""
        return "".join(rf"(?<!{re.escape(word)})" for word in self._data["not_after"])

    # Rules

    def _money_rules(self) -> Iterator[Rule]:
        currencies = self._data["currencies"].values()
        before = any_of(word for money in currencies for word in money["before"])
        after = self._unit_words(word for money in currencies for word in money["after"])
        scale = rf"(?: ?(?P<scale>{any_of(self._data['money_scales'])})(?![A-Za-z]))?"
        plain = self._number.removeprefix(_ALONE)
        tail = rf"(?:(?<=[块元刀])(?P<tail>[0-9一二三四五六七八九半](?![{self._data['no_tail']}])))?"
        yield Rule(
            "money",
            re.compile(
                rf"(?<![A-Za-z])(?P<word>{before}) ?(?P<low>{plain})(?:[-–~](?P<high>{plain}))?{scale}"
            ),
            self._money,
        )
        yield Rule("money", re.compile(rf"{self._amount}{scale}(?P<word>{after}){tail}"), self._money)

    def _percent_rules(self) -> Iterator[Rule]:
        words = self._data["percent"]
        patterns = (
            rf"{self._minus}{self._amount} ?(?:{any_of(words['signs'])})",
            rf"(?:{any_of(words['before'])}) ?(?P<low>{self._number}|{self._chinese()})",
            rf"(?P<low>{self._chinese()})(?P<tenths>{self._unit_words(words['tenths'])})",
        )
        for pattern in patterns:
            yield Rule("percent", re.compile(pattern), self._percent)

    def _quantity_rules(self) -> Iterator[Rule]:
        unit = rf"(?P<unit>{self._unit_words(self._units)})"
        latin_words = any_of(word for word in self._units if word.isascii() and len(word) > 1)
        measure = rf"(?P<unit>{self._unit_words(_meanings(self._data['measures']))})"
        word = any_of(self._data["words"])
        english = rf"(?:half an?|(?:{word})(?:[ -](?:{word})){{0,3}}(?: and a half)?)[ -]"
        numeral = rf"(?:{self._number}|{self._chinese()})"
        yield Rule(
            "quantity",
            re.compile(rf"{self._minus}{self._amount}(?P<middle>个?半)?{unit}(?P<tail>半(?![夜天路点]))?"),
            self._quantity,
        )
        yield Rule("quantity", re.compile(rf"{self._free()}(?P<low>半)(?:个)?{measure}"), self._quantity)
        yield Rule(
            "quantity",
            re.compile(rf"(?<![A-Za-z-])(?i:(?P<low>{english})(?P<unit>{latin_words})(?![A-Za-z]))"),
            self._quantity,
        )
        share = rf"{_ALONE}(?P<part>[0-9]{{1,9}})(?: (?:out )?of | ?/ ?)(?P<whole>[0-9]{{1,9}}){_ENDS}"
        yield Rule("quantity", re.compile(share), self._share)
        yield Rule("quantity", re.compile(rf"(?P<whole>{numeral})分之(?P<part>{numeral})"), self._share)

    def _shape_rules(self) -> Iterator[Rule]:
        for shape in self._data["shapes"]:
            yield Rule(shape["kind"], re.compile(shape["pattern"]), _FORMS[shape["form"]])
        words = self._data["version"]
        dotted = r"(?P<value>[0-9]{1,4}\.[0-9]{1,4})(?![0-9.%])"
        yield Rule("version", re.compile(rf"(?i:{any_of(words['before'])}) ?{dotted}"), _value, "value")
        yield Rule(
            "version", re.compile(rf"{_ALONE}{dotted} ?(?i:{any_of(words['after'])})"), _value, "value"
        )

    def _bare_rules(self) -> Iterator[Rule]:
        vague = any_of(self._data["vague"])
        yield Rule("quantity", re.compile(rf"{self._minus}(?P<low>{self._number}){_ENDS}"), self._quantity)
        yield Rule(
            "quantity", re.compile(rf"(?P<low>{self._chinese_alone()})(?P<vague>{vague})?"), self._quantity
        )

    # Comparable forms

    def _bounds(self, match: re.Match[str], factor: Decimal | int = 1, extra: Decimal | int = 0) -> str:
        """Return the number of a match as written: "3", "10-15", "30+"."""
        parts = match.groupdict()
        low, high = self._numerals.span(match["low"])
        if parts.get("high"):
            high = self._numerals.read(match["high"])
        sign = "-" if parts.get("minus") else ""
        least, most = (written(bound * factor + extra) for bound in (low, high))
        return f"{sign}{least}" + (f"-{most}" if most != least else "") + ("+" if parts.get("vague") else "")

    def _money(self, match: re.Match[str]) -> str | None:
        parts = match.groupdict()
        if match[0] in self._data["never"]:
            return None
        factor = self._data["money_scales"].get(parts["scale"], 1)
        tail = parts.get("tail")
        extra = Decimal(0) if not tail else Decimal("0.5") if tail == "半" else self._numerals.read(tail) / 10
        return f"{self._codes[_key(match['word'])]} {self._bounds(match, factor, extra)}"

    def _percent(self, match: re.Match[str]) -> str:
        return self._bounds(match, 10 if match.groupdict().get("tenths") else 1) + "%"

    def _quantity(self, match: re.Match[str]) -> str | None:
        parts = match.groupdict()
        word = parts.get("unit")
        if word is None:
            return self._bare(match)
        unit = self._units[_key(word)]
        half = Decimal("0.5") if parts.get("middle") or parts.get("tail") else Decimal(0)
        lone = unit in self._data["counters"] and match["low"].strip().lower() in ("一", "one") and not half
        if lone or match[0].replace(" ", "") in self._data["never"]:
            return None
        return f"{self._bounds(match, extra=half)} {unit}"

    def _bare(self, match: re.Match[str]) -> str:
        """Return a number that may be a label: a zero at either end stays ("0142", "3.10")."""
        if re.fullmatch("0[0-9]+|[0-9]+[.][0-9]*0", match["low"]):
            return ("-" if match["minus"] else "") + match["low"]
        return self._bounds(match)

    def _share(self, match: re.Match[str]) -> str:
        part, whole = self._numerals.read(match["part"]), self._numerals.read(match["whole"])
        return f"{written(part)}/{written(whole)}"

    # Patterns of words

    def _unit_words(self, words: Iterable[str]) -> str:
        """Return the pattern of any of these words, with the blank before it and what may not follow."""
        return "|".join(self._unit_word(word) for word in sorted(set(words), key=lambda w: (-len(w), w)))

    def _unit_word(self, word: str) -> str:
        if word.isascii() and word.isalpha() and len(word) == 1:
            return rf"{word}(?![A-Za-z0-9])"
        if word.isascii() and word[0].isalpha():
            return rf"[ -]?(?i:{re.escape(word)})(?![A-Za-z])"
        refused = self._data["not_before"].get(word)
        return rf" ?(?i:{re.escape(word)})" + (rf"(?!{any_of(refused)})" if refused else "")


def _key(word: str) -> str:
    """Return the form by which a unit word is looked up: one letter keeps its case ("M" is not "m")."""
    bare = word.strip(" -")
    return bare if len(bare) == 1 else bare.lower()


def _meanings(words: Mapping[str, Sequence[str]]) -> dict[str, str]:
    return {_key(word): name for name, ways in words.items() for word in ways}


def _value(match: re.Match[str]) -> str:
    return match["value"]


def _url(match: re.Match[str]) -> str:
    """Return a URL with the case of its host folded and without the slash at its end."""
    head, slashes, rest = match[0].rpartition("://")
    host, slash, path = rest.partition("/")
    return f"{head.lower()}{slashes}{host.lower()}{slash}{path}".rstrip("/")


def _digits(match: re.Match[str]) -> str:
    return ("+" if match[0].startswith("+") else "") + re.sub("[^0-9]", "", match[0])


_FORMS: Mapping[str, Normal] = {
    "lower": lambda match: match[0].lower(),
    "upper": lambda match: match[0].upper(),
    "bare": lambda match: match[0].lstrip("vV.").lower(),
    "digits": _digits,
    "url": _url,
}
