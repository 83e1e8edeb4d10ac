"""Secrets are blanked before anything is stored: passwords, keys, codes, card and identity numbers.

What a secret looks like is data (``dictionaries/sensitive.toml``). The text is searched in plain width and
without invisible characters, so that neither full-width digits nor a zero-width blank hides one, and the
search is repeated on its own result until nothing more is found: masking a masked text changes nothing.
"""

import re
import tomllib
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from mnemic.extraction.checks import CHECKS, Span
from mnemic.extraction.model import Masked
from mnemic.extraction.width import narrow

_CHINESE = re.compile("[㐀-鿿]")
_INVISIBLE = re.compile("[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]")
_PLAIN = {ord(sign): "-" for sign in "‐‑‒–—―−﹣"} | dict.fromkeys((160, *range(8192, 8203), 8239, 8287, 12288), " ")
_COVER = "\ue000"  # stands for a mask while searching; no pattern matches it
_CLOSING = ".,;:?)]}"  # what ends the sentence around a secret rather than the secret
_LEAST_KNOWN = 5  # characters that a secret must have to be recognised again elsewhere without its word


def mask(text: str, context: str = "") -> tuple[str, tuple[Masked, ...]]:
    """Return ``text`` with its secrets replaced, and what was replaced: spans of ``text`` as it was given.

    A secret becomes ``[masked: password]``, in a Chinese text ``[已隐去: 密码]``. ``context`` are the
    messages before, one a line: a number after "my passport …" is known by it, and a secret told there is
    masked here too. Text without secrets comes back as it is.
    """
    return shipped_secrets().mask(text, context)


class Rule(NamedTuple):
    """One shape of a secret and the conditions on what stands around it."""

    kind: str
    pattern: re.Pattern[str]
    needs: re.Pattern[str] | None
    reach: int
    earlier: str
    unless: re.Pattern[str] | None
    check: Callable[[str, str], Span | None]


class Found(NamedTuple):
    """A secret of class ``kind`` at ``[start, end)``."""

    start: int
    end: int
    kind: str


@cache
def shipped_secrets() -> "Secrets":
    """Return the masker of the shipped file."""
    raw = files("mnemic.dictionaries").joinpath("sensitive.toml").read_text(encoding="utf-8")
    return Secrets(tomllib.loads(raw))


class Secrets:
    """A masker made from the tables of ``sensitive.toml``."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        words: Mapping[str, Sequence[str]] = data["words"]
        looks: Mapping[str, Sequence[str]] = data["looks"]
        self._masks: Mapping[str, str] = data["mask"]
        self._labels: Mapping[str, str] = data["labels"]
        masks = [form.format(label) for form in self._masks.values() for label in self._all_labels()]
        self._mask = re.compile(_any(masks))
        self._harmless = re.compile("|".join(f"(?:{pattern})" for pattern in looks["harmless"]))
        self._no_values = frozenset(looks["not_values"])
        self._no_ending = re.compile(f".*(?:{_any(looks['not_endings'])})", re.IGNORECASE)
        self._no_follower = re.compile(rf"\s*(?:{_any(looks['not_followed'])})")
        self._grammar = re.compile(_words(looks["grammar"]))
        self._parts = {
            **data["parts"],
            **{name.upper(): _words(all_) for name, all_ in words.items()},
            "not_password": _any(looks["not_password"]),
            "not_followed": _any(looks["not_followed"]),
        }
        self._rules = tuple(self._rule(raw, words) for raw in data["rules"])

    def mask(self, text: str, context: str = "") -> tuple[str, tuple[Masked, ...]]:
        """Mask as the function :func:`mask` does."""
        language = "zh" if _CHINESE.search(text) else "en"
        told = self._values(context) if context else frozenset()
        found: list[Found] = []
        shown, pieces = text, [(0, 0)]
        while new := self._find(shown, context, told):
            back = [Found(_origin(pieces, hit.start), _origin(pieces, hit.end - 1) + 1, hit.kind) for hit in new]
            found = sorted(found + back)
            shown, pieces = self._show(text, found, language)
        return shown, tuple(Masked(kind=hit.kind, start=hit.start, end=hit.end) for hit in found)

    def _all_labels(self) -> Iterator[str]:
        yield from self._labels
        yield from self._labels.values()

    def _show(self, text: str, found: Sequence[Found], language: str) -> tuple[str, list[tuple[int, int]]]:
        """Return the masked text, and where each stretch that was kept begins, in it and in ``text``."""
        out, pieces, done = "", [(0, 0)], 0
        for hit in found:
            label = self._labels[hit.kind] if language == "zh" else hit.kind
            out += text[done : hit.start] + self._masks[language].format(label)
            pieces.append((len(out), hit.end))
            done = hit.end
        return out + text[done:], pieces

    # Finding

    def _find(self, text: str, context: str, told: Iterable[str]) -> list[Found]:
        """Return the secrets in ``text``, in order, none touching another; masks are looked through."""
        covered = self._mask.sub(lambda match: _COVER * len(match[0]), text)
        plain, origin = _undisguise(covered)
        hits = self._by_rules(plain, context)
        values = {plain[hit.start : hit.end] for hit in hits}.union(told)
        hits += _again(plain, values, hits)
        return [Found(origin[hit.start], origin[hit.end - 1] + 1, hit.kind) for hit in _apart(hits)]

    def _values(self, context: str) -> frozenset[str]:
        """Return the secrets that the earlier messages told."""
        plain, _ = _undisguise(self._mask.sub(lambda match: _COVER * len(match[0]), context))
        return frozenset(plain[hit.start : hit.end] for hit in self._by_rules(plain, ""))

    def _by_rules(self, plain: str, context: str) -> list[Found]:
        """Return what the rules find; a word inside what an earlier rule found introduces nothing."""
        hits: list[Found] = []
        taken = bytearray(len(plain))
        for rule in self._rules:
            for match in rule.pattern.finditer(plain):
                hit = self._judge(rule, match, plain, context)
                if hit and not any(taken[match.start() : hit.start]):
                    hits.append(hit)
                    taken[hit.start : hit.end] = b"\1" * (hit.end - hit.start)
        return hits

    def _judge(self, rule: Rule, match: re.Match[str], plain: str, context: str) -> Found | None:
        """Return the secret in a match of ``rule``, if its looks and its surroundings are as they must be."""
        start, end = match.span(match.lastgroup or 0)
        end = start + len(plain[start:end].rstrip(_CLOSING))
        part = rule.check(plain[start:end], plain[end:])
        if part is None or _COVER in plain[start:end] or _is_ordinary(rule, plain, start):
            return None
        if not _has_needed(rule, plain, start, end, context):
            return None
        return Found(start + part[0], start + part[1], rule.kind)

    def _rule(self, raw: Mapping[str, Any], words: Mapping[str, Sequence[str]]) -> Rule:
        listed = {key: [word for name in raw.get(key, ()) for word in words[name]] for key in ("needs", "unless")}
        before = rf"{_words(listed['unless'])}\s*(?i:no\.?|number|id|号码?)?\s*(?:is|was|是|为|[:：#(（])*\s*\Z"
        return Rule(
            kind=raw["kind"],
            pattern=re.compile(re.sub("<<(\\w+)>>", self._part, raw["pattern"])),
            needs=re.compile(_words(listed["needs"])) if listed["needs"] else None,
            reach=raw.get("reach", 40),
            earlier=raw.get("earlier", ""),
            unless=re.compile(before) if listed["unless"] else None,
            check=self._check(raw.get("check", "")),
        )

    def _part(self, match: re.Match[str]) -> str:
        return self._parts[match[1]]

    # Checks that are a matter of words

    def _check(self, name: str) -> Callable[[str, str], Span | None]:
        looks: dict[str, Callable[[str, str], bool]] = {
            "": lambda secret, tail: bool(secret),
            "filled": self._is_filled,
            "given": self._is_given,
            "odd": self._is_odd,
            "mixed": self._is_mixed,
            "phrase": lambda secret, tail: not self._grammar.search(secret),
        }
        if name in looks:
            return lambda secret, tail: (0, len(secret)) if looks[name](secret, tail) else None
        arithmetic = CHECKS[name]
        return lambda secret, tail: None if self._harmless.fullmatch(secret) else arithmetic(secret)

    def _is_filled(self, secret: str, tail: str) -> bool:
        """Tell a value from a placeholder or a word about passwords."""
        return len(secret) >= 3 and not self._harmless.fullmatch(secret) and secret.lower() not in self._no_values

    def _is_odd(self, secret: str, tail: str) -> bool:
        """Tell what no word, version, date or length looks like: letters with figures or signs."""
        signs = re.search("[!#$%^&*@~+=?|]", secret)
        digits = re.search("[0-9]", secret)
        plain_number = secret.isdigit() and (len(secret) < 4 or self._no_follower.match(tail))
        return len(secret) >= 4 and bool(signs or digits) and not plain_number and self._is_filled(secret, tail)

    def _is_mixed(self, secret: str, tail: str) -> bool:
        """Tell what a message of one word must look like to be taken for the password asked for."""
        return re.search("[A-Za-z]", secret) is not None and self._is_odd(secret, tail)

    def _is_given(self, secret: str, tail: str) -> bool:
        """Tell whether it may be what the password *is*: odd, or a lone word at the end of its clause."""
        if self._is_odd(secret, tail):
            return True
        word = re.fullmatch("[A-Za-z][A-Za-z_-]{3,}", secret)
        ends = re.match("""[\\s"'”’」』`]*(?:$|[.,;:!?)\\n，。；！？、）]|[^\\x00-\\x7f\\ue000])""", tail)
        adjective = self._no_ending.fullmatch(secret) or self._no_follower.match(tail)
        chinese = re.fullmatch("[零〇一二三四五六七八九幺]{4,}", secret)
        return bool(chinese or (word and ends and not adjective)) and self._is_filled(secret, tail)


def _has_needed(rule: Rule, plain: str, start: int, end: int, context: str) -> bool:
    if rule.needs is None:
        return True
    if rule.earlier != "last" or not rule.pattern.pattern.startswith("\\A"):
        near = plain[max(0, start - rule.reach) : start] + _COVER + plain[end : end + rule.reach]
        if rule.needs.search(near):
            return True
    lines = context.strip().splitlines()
    before = {"any": context, "last": lines[-1] if lines else ""}.get(rule.earlier, "")
    return rule.needs.search(before) is not None


def _is_ordinary(rule: Rule, plain: str, start: int) -> bool:
    return rule.unless is not None and rule.unless.search(plain[max(0, start - 32) : start]) is not None


def _again(plain: str, values: Iterable[str], hits: Sequence[Found]) -> Iterator[Found]:
    """Yield the other places where a secret stands that was found or told."""
    kinds = {plain[hit.start : hit.end]: hit.kind for hit in hits}
    for value in sorted(values, key=lambda value: (-len(value), value)):
        if len(value) >= _LEAST_KNOWN:
            for match in re.finditer(rf"(?<![A-Za-z0-9]){re.escape(value)}(?![A-Za-z0-9])", plain):
                yield Found(*match.span(), kinds.get(value, "password"))


def _apart(hits: Iterable[Found]) -> list[Found]:
    """Join hits that overlap; the first rule names them."""
    joined: list[Found] = []
    for hit in sorted(hits, key=lambda hit: hit.start):
        if joined and hit.start < joined[-1].end:
            joined[-1] = joined[-1]._replace(end=max(joined[-1].end, hit.end))
        else:
            joined.append(hit)
    return joined


def _origin(pieces: Sequence[tuple[int, int]], at: int) -> int:
    """Return where the character ``at`` of a masked text stood in the original."""
    shown, original = pieces[bisect_right(pieces, (at, len(pieces) and 1 << 60)) - 1]
    return original + at - shown


def _undisguise(text: str) -> tuple[str, Sequence[int]]:
    """Return the text as it reads, in plain width, and where each character of it stood."""
    plain = narrow(text).translate(_PLAIN) if not text.isascii() else text
    if not _INVISIBLE.search(plain):
        return plain, range(len(plain))
    origin = [at for at, sign in enumerate(plain) if not _INVISIBLE.match(sign)]
    return "".join(plain[at] for at in origin), origin


def _any(words: Iterable[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(set(words), key=lambda word: (-len(word), word)))


def _words(words: Sequence[str]) -> str:
    """Return a pattern of any of ``words`` in any case; Latin ones as whole words only."""
    latin, other = [word for word in words if word.isascii()], [word for word in words if not word.isascii()]
    whole = rf"(?<![A-Za-z])(?:{_any(latin)})(?![A-Za-z])" if latin else ""
    return f"(?i:{'|'.join(filter(None, (whole, _any(other))))})"
