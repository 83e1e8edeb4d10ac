"""Secrets are blanked before anything is stored: passwords, keys, codes, card and identity numbers.

What a secret looks like is data (``dictionaries/sensitive.toml``). The text is searched in plain width and
without invisible characters, so that neither full-width digits nor a zero-width blank hides one, and the
search is repeated on its own result until nothing more is found: masking a masked text changes nothing.
"""

import re
import tomllib
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from mnemic.extraction.looks import Check, Looks
from mnemic.extraction.model import Masked
from mnemic.extraction.width import narrow
from mnemic.extraction.wordlist import any_of, whole_words

_CHINESE = re.compile("[㐀-鿿]")
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]"
)
_SIGNS = {**dict.fromkeys(map(ord, "‐‑‒–—―−"), "-"), ord("’"): "'"}
_COVER = "\ue000"  # stands for a mask while searching; no pattern matches it
_CLOSING = ".,;:?)]}*"  # what ends the sentence around a secret rather than the secret
_TOKEN = re.compile("[A-Za-z0-9!#$%&*+@^~=_/-]{4,}")  # of what a secret that is said again consists
_LEAST_KNOWN = 5  # characters that a secret must have to be known again without its word
_INTRODUCTION = 32  # characters before a number in which a word may say that it is an ordinary one


def mask(text: str, context: str = "") -> tuple[str, tuple[Masked, ...]]:
    """Return ``text`` with its secrets replaced, and what was replaced: spans of ``text`` as it was given.

    A secret becomes ``[masked: password]``, in a Chinese text ``[已隐去: 密码]``. ``context`` are the
    messages before, one a line: a number after "my passport …" is known by it, and a secret told there is
    masked here too. Text without secrets comes back as it is.
    """
    return shipped_secrets().mask(text, context)


def mask_value(name: str, value: str) -> tuple[str, tuple[Masked, ...]]:
    """Return the ``value`` of a field with its secrets replaced; what the field is called may give one away.

    >>> mask_value("wifi_password", "sunflower")[0]
    '[masked: password]'
    """
    led = f"{name}: "
    whole, found = mask(led + value)
    if found and whole.startswith(led):
        return whole[len(led) :], found
    return mask(value)


def secret_kind(identifier: str) -> str:
    """Return the kind of the secret that an id or a name holds, empty where it holds none.

    Ids may look drawn by lot and have a card number's figures; only what is a secret without doubt counts.
    """
    return shipped_secrets().kind_in(identifier)


class Rule(NamedTuple):
    """One shape of a secret and the conditions on what stands around it."""

    kind: str
    ids: bool
    pattern: re.Pattern[str]
    needs: re.Pattern[str] | None
    reach: int
    earlier: str
    unless: re.Pattern[str] | None
    check: Check


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
        self._looks = Looks(looks)
        self._forms: Mapping[str, str] = data["mask"]
        self._labels: Mapping[str, str] = data["labels"]
        labels = (*self._labels, *self._labels.values())
        self._masks = re.compile(
            any_of(form.format(label) for form in self._forms.values() for label in labels)
        )
        self._parts: Mapping[str, str] = {
            **data["parts"],
            **{name.upper(): whole_words(all_) for name, all_ in words.items()},
            **{name: any_of(looks[name]) for name in ("not_password", "not_followed", "not_phrase")},
        }
        self._rules = tuple(self._rule(raw, words) for raw in data["rules"])

    def mask(self, text: str, context: str = "") -> tuple[str, tuple[Masked, ...]]:
        """Mask as the function :func:`mask` does."""
        before, _ = self._legible(context)
        told = self._told(self._legible(text)[0], before)
        found: list[Found] = []
        shown, kept = text, [(0, 0)]
        while new := self._find(shown, before, told):
            found += (
                Found(_original(kept, hit.start), _original(kept, hit.end - 1) + 1, hit.kind) for hit in new
            )
            found.sort()
            shown, kept = self._show(text, found)
        return shown, tuple(Masked(kind=hit.kind, start=hit.start, end=hit.end) for hit in found)

    def kind_in(self, identifier: str) -> str:
        """Find a secret as the function :func:`secret_kind` does."""
        plain, _ = self._legible(identifier)
        sure = (rule for rule in self._rules if rule.ids)
        hits = (_judged(rule, match, plain, "") for rule in sure for match in rule.pattern.finditer(plain))
        return next((hit.kind for hit in hits if hit), "")

    def _show(self, text: str, found: Sequence[Found]) -> tuple[str, list[tuple[int, int]]]:
        """Return the masked text, and where each kept stretch begins, in it and in ``text``."""
        chinese = _CHINESE.search(text) is not None
        form = self._forms["zh" if chinese else "en"]
        shown, kept, done = "", [(0, 0)], 0
        for hit in found:
            shown += text[done : hit.start] + form.format(self._labels[hit.kind] if chinese else hit.kind)
            done = hit.end
            kept.append((len(shown), done))
        return shown + text[done:], kept

    def _legible(self, text: str) -> tuple[str, Sequence[int]]:
        """Return the text without disguise and with its masks covered, and where each character stood."""
        covered = self._masks.sub(lambda match: _COVER * len(match[0]), text)
        plain = covered if covered.isascii() else narrow(covered).translate(_SIGNS)
        if not _INVISIBLE.search(plain):
            return plain, range(len(plain))
        origin = [at for at, sign in enumerate(plain) if not _INVISIBLE.match(sign)]
        return "".join(plain[at] for at in origin), origin

    def _find(self, text: str, context: str, told: Mapping[str, str]) -> list[Found]:
        """Return the secrets in ``text``, in order, none touching another."""
        plain, origin = self._legible(text)
        hits = self._by_rules(plain, context)
        known = {**told, **{plain[hit.start : hit.end]: hit.kind for hit in hits}}
        hits += (hit for value, kind in known.items() for hit in _again(plain, value, kind))
        return [Found(origin[hit.start], origin[hit.end - 1] + 1, hit.kind) for hit in _joined(hits)]

    def _told(self, plain: str, before: str) -> dict[str, str]:
        """Return the secrets that earlier messages told, and their kinds, where ``plain`` may repeat one."""
        if not any(token in before and not token.isalpha() for token in _TOKEN.findall(plain)):
            return {}
        return {before[hit.start : hit.end]: hit.kind for hit in self._by_rules(before, "")}

    def _by_rules(self, plain: str, context: str) -> list[Found]:
        """Return what the rules find; a word inside what an earlier rule found introduces nothing."""
        hits: list[Found] = []
        taken = bytearray(len(plain))
        for rule in self._rules:
            for match in rule.pattern.finditer(plain):
                hit = _judged(rule, match, plain, context)
                if hit and not any(taken[match.start() : hit.start]):
                    hits.append(hit)
                    taken[hit.start : hit.end] = b"\1" * (hit.end - hit.start)
        return hits

    def _rule(self, raw: Mapping[str, Any], words: Mapping[str, Sequence[str]]) -> Rule:
        needed, ordinary = (
            [word for name in raw.get(key, ()) for word in words[name]] for key in ("needs", "unless")
        )
        before = rf"{whole_words(ordinary)}\s*(?i:no\.?|number|id|号码?)?\s*(?:is|was|是|为|[:：#(（])*\s*\Z"
        return Rule(
            kind=raw["kind"],
            ids=raw.get("ids", False),
            pattern=re.compile(re.sub("<<(\\w+)>>", lambda part: self._parts[part[1]], raw["pattern"])),
            needs=re.compile(whole_words(needed)) if needed else None,
            reach=raw.get("reach", 40),
            earlier=raw.get("earlier", ""),
            unless=re.compile(before) if ordinary else None,
            check=self._looks.check(raw.get("check", "")),
        )


def _judged(rule: Rule, match: re.Match[str], plain: str, context: str) -> Found | None:
    """Return the secret in a match of ``rule``, if its looks and its surroundings are as they must be."""
    start, end = match.span(match.lastgroup or 0)
    end = start + len(plain[start:end].rstrip(_CLOSING))
    part = rule.check(plain[start:end], plain[end:])
    if part is None or _COVER in plain[start:end]:
        return None
    if rule.unless and rule.unless.search(plain[max(0, start - _INTRODUCTION) : start]):
        return None
    if rule.needs and not rule.needs.search(_around(rule, plain, start, end, context)):
        return None
    return Found(start + part[0], start + part[1], rule.kind)


def _around(rule: Rule, plain: str, start: int, end: int, context: str) -> str:
    """Return the text in which a needed word may stand."""
    near = plain[max(0, start - rule.reach) : start] + _COVER + plain[end : end + rule.reach]
    lines = context.strip().splitlines() if rule.earlier else []
    return "\n".join([*(lines if rule.earlier == "any" else lines[-1:]), near])


def _again(plain: str, value: str, kind: str) -> Iterator[Found]:
    """Yield every place of a known secret; not of a word alone, which may also mean what it says."""
    if len(value) >= _LEAST_KNOWN and not value.isalpha():
        for match in re.finditer(rf"(?<![A-Za-z0-9]){re.escape(value)}(?![A-Za-z0-9])", plain):
            yield Found(*match.span(), kind)


def _joined(hits: Iterable[Found]) -> list[Found]:
    """Return hits in order, those that overlap made one."""
    joined: list[Found] = []
    for hit in sorted(hits, key=lambda hit: hit.start):
        if joined and hit.start < joined[-1].end:
            joined[-1] = joined[-1]._replace(end=max(joined[-1].end, hit.end))
        else:
            joined.append(hit)
    return joined


def _original(kept: Sequence[tuple[int, int]], at: int) -> int:
    """Return where a kept character of a masked text stood in the original."""
    shown, original = kept[bisect_right(kept, at, key=lambda stretch: stretch[0]) - 1]
    return original + at - shown
