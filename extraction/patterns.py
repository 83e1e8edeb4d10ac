"""Patterns of predicates, compiled from the small notation of ``predicates.toml`` to regular expressions.

The notation is explained at the head of that file. A pattern is tried only on frames that hold one of
its anchors (words that must occur), found for all patterns at once by Aho-Corasick.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import ahocorasick

from mnemic.extraction.frame import ENTITY_MARKS, GROUPS, MARKS, Frame
from mnemic.extraction.predicates import ANY, Inventory, Predicate, shipped_inventory

_TOKEN = re.compile(
    r"\{(?P<slot>[^}]*)\}|\[(?P<optional>[^\]]*)\]|\((?P<choice>[^)]*)\)|(?P<blank>\s+)|(?P<word>[^\s{}\[\]()]+)"
)
_STOP = r"[^,，。;；:：!！?？\n()（）]"
_LETTERS = {"en": re.compile("[a-zA-Z]"), "zh": re.compile("[\u4e00-\u9fff]")}
_PLAIN = rf"[^,，。;；:：!！?？\n()（）{MARKS['tech']}{MARKS['platform']}{MARKS['language']}]"
_PRONOUNS = {
    "en": r"\b(?:i|you|he|she|we|they|it|me|us|him|her|them|my|his|their|our|everyone|this|that)\b",
    "zh": r"(?:我们家|我家|我们|咱们|他们|她们|我|咱|他|她|它|这个|那个|本人)",
}
_PHRASES = {
    "en": rf"(?:(?:\b(?:the|our|my|his|her|their|your|this|that|all|no)\s+|[{ENTITY_MARKS}](?:'s)?\s+)(?:[\w#&'-]+\s+){{0,2}}?[\w#&'-]+|(?:^|(?<=[,;:]\s)|(?<=\band\s))(?!(?:i|we|he|she|it|they|you|that|this|there|what|who|so|and|but|if|ok)\b)[\w#&'-]+(?:\s+[\w#&'-]+){{0,2}}?)",
    "zh": rf"(?:[{ENTITY_MARKS}]\s*的?\s*[^\s,，。;；:：!！?？的{ENTITY_MARKS}]{{1,8}}?|(?:我们?|咱们?|他|她)?(?:家)?的?[^\s,，。;；:：!！?？了{ENTITY_MARKS}]{{1,8}}?)",
}
_TEXT = {"en": rf"{_STOP}{{1,80}}", "zh": rf"{_STOP}{{1,40}}"}
_NAME = {
    "en": rf"(?:[\"'“「《]?[{ENTITY_MARKS}][\"'”」》]?|[\"“'「《][^\"”'」》]{{1,30}}[\"”'」》]|(?-i:#?[A-Z][\w.&-]*(?:\s+[A-Z][\w.&-]*){{0,2}}))",
    "zh": rf"(?:[\"「《“]?[{ENTITY_MARKS}][\"」》”]?|[\"「《“][^\"」》”]{{1,20}}[\"」》”]|[^\s,，。;；:：!！?？了的{ENTITY_MARKS}]{{1,8}})",
}
_GAP = {"en": r"(?:[\w'-]+\s+){0,3}?[\w'-]+", "zh": r"[^\s,，。;；]{0,8}?"}


@dataclass(frozen=True, slots=True)
class Pattern:
    """A wording of a predicate: ``rank`` orders it among others (typed slots and long literals first).

    ``ends``: it says that the object holds no longer.
    """

    predicate: Predicate
    expression: str
    anchors: tuple[str, ...]
    ends: bool
    rank: int
    source: str
    tongue: str

    @property
    def regex(self) -> re.Pattern[str]:
        """Return the compiled expression; most patterns never meet their anchor, so it is made on demand."""
        return _compiled(self.expression)


class PatternBook:
    """All patterns of an inventory, matched on frames."""

    def __init__(self, inventory: Inventory) -> None:
        self.patterns = tuple(
            _compile(predicate, tongue, source, inventory)
            for predicate in inventory.predicates.values()
            for tongue, sources in predicate.patterns.items()
            for source in sources
        )
        wanted: dict[str, list[int]] = {}
        for index, pattern in enumerate(self.patterns):
            for anchor in pattern.anchors:
                wanted.setdefault(anchor, []).append(index)
        self._always = frozenset(wanted.pop("", ()))
        self._anchors = ahocorasick.Automaton()
        for anchor, indexes in wanted.items():
            self._anchors.add_word(anchor, tuple(indexes))
        self._anchors.make_automaton()

    def match(self, frame: Frame) -> Iterator[tuple[Pattern, re.Match[str]]]:
        """Yield every match on the frame, patterns of the highest rank first."""
        folded = frame.text.lower()
        if len(folded) != len(frame.text):
            folded = frame.text
        indexes = self._always.union(*(found for _, found in self._anchors.iter(folded)))
        tongues = {tongue for tongue, letter in _LETTERS.items() if letter.search(frame.text)}
        chosen = [index for index in indexes if self.patterns[index].tongue in tongues]
        for index in sorted(chosen, key=lambda i: (-self.patterns[i].rank, i)):
            for match in self.patterns[index].regex.finditer(frame.text):
                yield self.patterns[index], match


@cache
def _compiled(expression: str) -> re.Pattern[str]:
    return re.compile(expression, re.IGNORECASE)


@cache
def shipped_patterns() -> PatternBook:
    """Return the patterns of the shipped predicates."""
    return PatternBook(shipped_inventory())


def _compile(predicate: Predicate, tongue: str, source: str, inventory: Inventory) -> Pattern:
    pieces: list[str] = []
    groups: list[tuple[str, ...]] = []
    typed = 0
    glue = False
    blank = r"\s*" if tongue == "zh" else r"(?:\s+|(?='))"
    for token in _TOKEN.finditer(source):
        if token["blank"]:
            glue = bool(pieces)
            continue
        joint = blank if glue else ""
        glue = False
        if token["optional"] is not None:
            body = "|".join(_inner(part, tongue, predicate, inventory) for part in _split(token["optional"]))
            pieces.append(f"(?:{joint}(?:{body}))?")
        elif token["slot"] is not None:
            body, weight = _slot(token["slot"], tongue, predicate, inventory)
            typed += weight
            opens = (
                tongue == "zh"
                and not pieces
                and token["slot"].startswith("s")
                and "pron" not in token["slot"]
            )
            pieces.append(f"(?:{body}{blank})?" if opens else joint + body)
        elif token["choice"] is not None:
            parts = _split(token["choice"])
            pieces.append(
                f"{joint}(?:{'|'.join(_inner(part, tongue, predicate, inventory) for part in parts)})"
            )
            groups.append(tuple(parts))
        else:
            pieces.append(joint + _edge(re.escape(token["word"]), token["word"], tongue))
            groups.append((token["word"],))
    literal = [[_anchor(part) for part in group] for group in groups]
    usable = [group for group in literal if all(group)]
    anchors = tuple(max(usable, key=lambda group: min(len(part) for part in group))) if usable else ("",)
    rank = 6 * typed + sum(min(len(part) for part in group) for group in literal if all(group))
    return Pattern(predicate, "".join(pieces), anchors, "o!" in source, rank, source, tongue)


def _anchor(part: str) -> str:
    return (
        max(re.split(r"\{[^}]*\}|\s+|'", part.lower()), key=len).strip()
        if "{" in part or "'" in part or " " in part
        else part.lower()
    )


def _split(body: str) -> list[str]:
    """Split alternatives at "|" outside of slots."""
    return [part.strip() for part in re.split(r"\|(?![^{]*\})", body)]


def _inner(part: str, tongue: str, predicate: Predicate, inventory: Inventory) -> str:
    """Compile one alternative: words and slots."""
    blank = r"\s*" if tongue == "zh" else r"\s+"
    out: list[str] = []
    for chunk in re.split(r"(\{[^}]*\})|\s+", part):
        if not chunk:
            continue
        out.append(
            _slot(chunk[1:-1], tongue, predicate, inventory)[0]
            if chunk[0] == "{"
            else _edge(re.escape(chunk), chunk, tongue)
        )
    return blank.join(out)


def _edge(escaped: str, word: str, tongue: str) -> str:
    """Give a Latin word its boundaries, so that "is" does not match inside "this"."""
    left = r"(?<![a-z0-9])" if word[0].isascii() and word[0].isalnum() else ""
    right = r"(?![a-z0-9])" if word[-1].isascii() and word[-1].isalnum() else ""
    return left + escaped + right


def _slot(spec: str, tongue: str, predicate: Predicate, inventory: Inventory) -> tuple[str, int]:
    """Return the expression of a slot and its weight in the rank (1 where it asks for a group)."""
    if spec == "_":
        return _GAP[tongue], 0
    name, _, wanted = spec.partition(":")
    name = name.rstrip("!")
    types = wanted.split("|") if wanted else _default(name, predicate)
    body = "|".join(_typed(kind, tongue, inventory) for kind in types)
    weight = int(all(kind in MARKS for kind in types))
    return f"(?P<{name}>{body})", weight


def _default(name: str, predicate: Predicate) -> list[str]:
    if name == "s":
        groups = [group for group in predicate.subject if group != ANY]
        loose = ["entity"] if ANY in predicate.subject else []
        return [
            *groups,
            *loose,
            "pron",
            *(["phrase"] if ANY in predicate.subject or "thing" in predicate.subject else []),
        ]
    if name == "t":
        return ["date"]
    return ["text"]


def _typed(kind: str, tongue: str, inventory: Inventory) -> str:
    if kind == "tech":
        return f"[{MARKS['tech']}{MARKS['platform']}{MARKS['language']}]"
    if kind in MARKS:
        return MARKS[kind]
    if kind in ("entity", ANY):
        return f"[{ENTITY_MARKS}]"
    if kind in inventory.slots:
        words = "|".join(_edge(re.escape(word), word, tongue) for word in inventory.slots[kind][tongue])
        inner = rf"{_STOP}{{0,40}}?" if tongue == "en" else rf"{_STOP}{{0,20}}?"
        return (
            f"(?:{inner}(?:{words}){_STOP}{{0,30}})" if kind in ("role", "spot", "animal") else f"(?:{words})"
        )
    return {"pron": _PRONOUNS, "phrase": _PHRASES, "np": _PHRASES, "text": _TEXT, "name": _NAME}[kind][tongue]


assert set(GROUPS) <= set(MARKS)
