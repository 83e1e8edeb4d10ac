"""What may stand in the slots of a pattern: the expression of each type, by language."""

import re
from collections.abc import Iterable, Mapping, Sequence

import ahocorasick

from mnemic.extraction.frame import ENTITY_MARKS, MARKS, SKIP_CLOSE, SKIP_OPEN, is_whole
from mnemic.extraction.notation import EDGE, Slot, Tongue
from mnemic.extraction.predicates import ANY, Inventory, Predicate

STOP = r"[^,，。;；:：!！?？\n()（）]"
_TEXT = {"en": rf"{STOP}{{1,90}}", "zh": rf"{STOP}{{1,50}}"}
_SKIPS = SKIP_OPEN + SKIP_CLOSE
_ANY_MARK = "".join(MARKS.values())
_GAP = {
    "en": rf"(?:[\w'{_SKIPS}{_ANY_MARK}-]+\s+){{0,3}}?[\w'{_SKIPS}{_ANY_MARK}-]+",
    "zh": r"[^\s,，。;；]{0,10}?",
}
_NAME = {
    "en": rf"(?:[\"“「《]?[{ENTITY_MARKS}][\"”」》]?|[\"“「《][^\"”」》]{{1,30}}[\"”」》]|(?-i:#[\w-]+|[A-Z][\w.&-]*(?:\s+[A-Z][\w.&-]*){{0,2}}))",
    "zh": rf"(?:[\"「《“]?[{ENTITY_MARKS}][\"」》”]?|[\"「《“][^\"」》”]{{1,20}}[\"」》”]|[A-Za-z][\w-]*(?: [A-Z][\w-]*)?|[^\s,，。;；:：!！?？了的{ENTITY_MARKS}]{{1,8}})",
}
_ENGLISH_PERSON = r"(?-i:(?<![\w'])(?:(?:Dr|Mr|Mrs|Ms|Prof)\.?\s)?[A-Z][a-z]+(?:\s[A-Z][a-z]+)?(?![a-z]))"
_HAN_SPOT = rf"[^,，。;；:：!！?？\n()（）{MARKS['tech']}{MARKS['platform']}{MARKS['language']}]{{0,20}}"
_EN_SPOT_TAIL = (
    rf"(?:\s+[{MARKS['number']}{MARKS['id']}])?"
    rf"(?:\s+(?:of|in|on|at|by|near|behind|under|next to|from|outside|left|right)\b{STOP}{{0,30}})?"
)
_FUNCTION = r"(?:the|a|an|with|your|my|his|her|our|their|like|as|in|on|at|for|to|of|not|by|from|than)\s"
"""Words that do not belong to a title."""
_THING = (
    rf"\s+(?:(?:off|out|back|up|in|for|on|to)\s+)?"
    rf"(?:(?:the|my|our|your|his|her|their|this|that|those|these|all|both|every|an?|\d+|[A-Z]\w+)\b|[{ENTITY_MARKS}{MARKS['number']}])"
)
"""What begins the object of a deed."""
_UNDERGONE = "".join(
    rf"(?<!\b{word}{SKIP_CLOSE}\s)" for word in ("is", "are", "was", "were", "be", "been", "being")
)
"""What nobody does of whom it is said: who "is called Ingrid" has called nobody."""
_AROUND = {
    "role": {
        "en": (
            rf"(?:(?!{_FUNCTION})[\w'/&+.-]+\s+){{0,3}}?",
            r"(?:(?:\s+(?:of|for)|(?<=\sof))\s+[^,;.:!?\n]{1,30})?",
        ),
        "zh": ("[^,，。;；:：!！?？\\s是在向不了的]{0,10}?", ""),
    },
    "spot": {"en": (rf"(?:[\w'&.{ENTITY_MARKS}-]+\s+){{0,4}}?", _EN_SPOT_TAIL), "zh": (_HAN_SPOT, "")},
    "animal": {"en": (r"(?:[\w'-]+\s+){0,3}?", ""), "zh": ("[\u4e00-\u9fff]{0,6}?", "")},
    "skill": {"en": ("", rf"{STOP}{{0,20}}"), "zh": (rf"{STOP}{{0,4}}?", rf"{STOP}{{0,10}}")},
    "kinship": {
        "en": (
            rf"(?:[\w'{MARKS['number']}-]+\s+){{0,2}}?",
            r"(?:\s+(?:called|named)?\s*(?-i:[A-Z]\w+))?",
        ),
        "zh": (f"[\u4e00-\u9fff{MARKS['number']}]{{0,3}}?", ""),
    },
    "work": {
        "en": (rf"(?:[\w'{ENTITY_MARKS}-]+\s+){{1,3}}?", ""),
        "zh": (rf"[\w{ENTITY_MARKS}]{{1,8}}?", ""),
    },
    "opus": {
        "en": (r"(?:[\w'-]+\s+){0,4}?", rf"(?:\s+(?:about|on|of|for){STOP}{{0,30}})?"),
        "zh": (rf"{STOP}{{0,8}}?", ""),
    },
    "tongue": {"en": ("", ""), "zh": (rf"[\u4e00-\u9fff{MARKS['place']}]?", "")},
    "firm": {"en": (r"(?:[\w'-]+\s+){0,3}?", ""), "zh": (rf"{STOP}{{0,8}}?", "")},
    "host": {"en": (r"(?:[\w'-]+\s+){0,3}?", ""), "zh": (r"[\w的 ]{0,8}?", "")},
    "owned": {"en": (r"(?:[\w'-]+\s+){0,3}?", rf"{STOP}{{0,20}}"), "zh": (rf"{STOP}{{0,6}}?", "")},
    "cost": {
        "en": (r"(?:[\w'-]+\s+){0,3}?", r"(?:\s+(?:of|for)\s+(?:the|our|my)\s+[\w'-]+)?"),
        "zh": (r"[\w的]{0,8}?", ""),
    },
    "signoff": {"en": (rf"{STOP}{{0,30}}?", rf"{STOP}{{0,30}}"), "zh": (rf"{STOP}{{0,10}}?", "")},
    "todo": {"en": ("", rf"{STOP}{{1,70}}"), "zh": ("", rf"{STOP}{{1,20}}")},
    "forbidden": {"en": ("", rf"(?:\s+{STOP}{{1,60}}|\s*$)"), "zh": ("", rf"{STOP}{{1,30}}")},
    "befell": {"en": ("", rf"{STOP}{{0,50}}"), "zh": (rf"{STOP}{{0,8}}?", rf"{STOP}{{0,16}}")},
    "did": {"en": (_UNDERGONE, rf"(?:{_THING}{STOP}{{0,60}}|\s*$)"), "zh": (rf"{STOP}{{1,20}}?", "")},
    "occasion": {
        "en": (
            r"(?<![\w'-])(?:(?!(?:the|a|an|no|this|that)\b)[\w'-]+\s+){0,3}?",
            r"(?:\s+with\s+(?:the\s+)?[\w'-]+)?",
        ),
        "zh": (r"[^,，。;；:：!！?？\n\s是在到的了我你他她有去做开约]{0,6}?", ""),
    },
    "metric": {
        "en": (r"(?<![\w'-])(?:[\w'-]+\s+){0,2}?", r"(?:\s+(?:of|for|in|on)\s+(?:the\s+)?[\w'-]+)?"),
        "zh": (r"[\u4e00-\u9fff]{0,6}?", ""),
    },
    "event": {
        "en": (r"(?:[\w'-]+\s+){0,2}?", rf"{STOP}{{0,30}}"),
        "zh": (rf"{STOP}{{0,12}}?", rf"{STOP}{{0,16}}"),
    },
}
"""What may stand before and behind the word of a list, for lists whose slot is wider than the word."""


class SlotBook:
    """Makes the expressions of slots, with the words of an inventory; ``kinds`` are all that a slot may be of."""

    def __init__(self, inventory: Inventory, tongues: Mapping[str, Tongue]) -> None:
        self._inventory = inventory
        self._tongues = tongues
        words = inventory.words["en"]
        self._links = frozenset((*words["link"], *words["linked"]))
        self._determiners = frozenset((*words["determiner"], *words["linked"]))
        self._stop = frozenset(words["stop"]) - self._links
        self._pronouns = frozenset(words["pronoun"])
        self._listed_words = _listed_words(inventory)
        self._ungoverned = _not_behind(inventory.words["zh"]["governing"])
        self._simple: Mapping[str, Mapping[str, str]] = {
            "text": _TEXT,
            "name": _NAME,
            "lunar": {
                "en": "(?!)",
                "zh": "(?:农历|阴历)[正一二三四五六七八九十冬腊初廿]{1,2}月[初一二三四五六七八九十廿]{1,3}",
            },
            "fullname": {"en": "(?!)", "zh": _chinese_name(inventory)},
            "name2": {"en": _NAME["en"], "zh": "[\u4e00-\u9fff]{2,3}?"},
            "noone": {
                "en": "(?!)",
                "zh": rf"{STOP}{{0,12}}?(?:{_either(inventory.words['zh']['everybody'])}){STOP}{{1,20}}",
            },
            "road": {
                "en": "(?!)",
                "zh": rf"{STOP}{{1,12}}?(?:路|街|巷|弄|道|胡同|广场|大厦|小区|村|镇)(?:\s*[{MARKS['number']}{MARKS['id']}]?\s*号?)?",
            },
            "ba": {"en": "(?!)", "zh": rf"把{STOP}{{2,30}}"},
            "trade": {"en": "(?!)", "zh": rf"(?:{_either(inventory.words['zh']['trade'])}){STOP}{{1,10}}"},
            "each": {"en": "(?!)", "zh": rf"谁{STOP}{{1,12}}?谁{STOP}{{1,20}}"},
            "plain": dict.fromkeys(("en", "zh"), rf"[^,，。;；:：!！?？\n()（）{_ANY_MARK}]{{1,40}}"),
            "tag": dict.fromkeys(("en", "zh"), rf"#[\w{ENTITY_MARKS}-]+"),
            "your": {"en": r"(?<![\w'])your?(?!\w)", "zh": "你们|你|您"},
            "mine": {"en": r"\b(?:mine|yours|hers|ours|his(?!\s+\w))\b", "zh": "我的|他的|她的"},
            "it": {"en": r"(?<![\w'])(?:it|this|that|they)(?!\w)", "zh": "它|这个|那个"},
            "he": {"en": r"(?<![\w'])(?:i|we|he|she|you|they)(?!\w)", "zh": "我们|我|咱|他|她"},
            "pron": {tongue: _pronoun(inventory, tongue) for tongue in ("en", "zh")},
            "kin": {"en": _english_kin(inventory), "zh": _chinese_kin(inventory)},
            "who": {"en": _ENGLISH_PERSON, "zh": _chinese_person(inventory)},
            "phrase": {
                "en": _english_phrase(inventory, _english_start(inventory)),
                "zh": _chinese_phrase(inventory, _chinese_start(inventory)),
            },
            "inner": {
                "en": _english_phrase(inventory, r"(?<![\w'])"),
                "zh": _chinese_phrase(inventory, ""),
            },
        }
        self.kinds = frozenset({*MARKS, ANY, "entity", *inventory.slots, *self._simple})

    def expression(
        self, slot: Slot, tongue: str, predicate: Predicate, *, opens: bool = False, closes: bool = False
    ) -> str:
        """Return the expression of a slot of a pattern of ``predicate``.

        ``opens`` and ``closes``: the pattern begins or ends with it. A phrase that closes is as long as it can be.
        """
        if not slot.name:
            return self.unnamed(slot, tongue)
        kinds = self.types(slot, predicate)
        body = "|".join(self._typed(kind, tongue, opens=opens) for kind in kinds)
        body = body.replace("{0,4}?", "{0,4}").replace("{1,16}?", "{1,16}") if closes else body
        return f"(?P<{slot.name}>{body})"

    def types(self, slot: Slot, predicate: Predicate) -> Sequence[str]:
        """Return what may stand in a slot."""
        kinds = slot.types or _default(slot.name, predicate)
        return sorted(kinds, key=lambda kind: kind != "kin")  # "my sister" before "my"

    def is_known(self, kind: str) -> bool:
        """Tell whether a kind of slot is a mark, a list or a tag, so that a frame shows whether it has any."""
        return kind in MARKS or kind in self._inventory.slots or kind == "tag"

    def may_be_phrase(self, words: str, pronouns: bool) -> bool:
        """Tell whether words may name something: a verb or a function word among them makes a clause of them.

        ``pronouns``: a pronoun alone may stand there, too.
        """
        found = [word.lower() for word in _LATIN_WORD.findall(words)]
        if pronouns and len(found) == len(words.split()) == 1 and found[0] in self._pronouns:
            return True
        if found and found[0] in self._determiners:
            del found[0]
            if not found and words.isascii():
                return False
        if found and (
            (found[0] in self._links and words.lower().startswith(found[0]))
            or (found[-1] in self._links and words.lower().endswith(found[-1]))
        ):
            return False
        return not self._stop.intersection(found)

    def lists_in(self, words: str) -> set[str]:
        """Return the names of the lists of which a word occurs in lower-case ``words``; "tag" where "#" does."""
        found = [
            names
            for last, (word, names) in self._listed_words.iter(words)
            if is_whole(words, last + 1 - len(word), last + 1)
        ]
        return set(("tag",) if "#" in words else ()).union(*found)

    def unnamed(self, slot: Slot, tongue: str) -> str:
        """Return the expression of a slot whose filling does not matter; without types a gap of a few words."""
        body = "|".join(self._typed(kind, tongue, opens=False) for kind in slot.types)
        return f"(?:{body})" if body else _GAP[tongue]

    def _typed(self, kind: str, tongue: str, *, opens: bool) -> str:
        if kind in MARKS:
            return (self._ungoverned if opens else "") + MARKS[kind]
        if kind in ("entity", ANY):
            return (self._ungoverned if opens else "") + f"[{ENTITY_MARKS}]"
        if kind == "phrase" and not opens:
            kind = "inner"
        if kind.removeprefix("=") in self._inventory.slots:
            return self._listed(kind, tongue)
        return self._simple[kind][tongue]

    def _listed(self, kind: str, tongue: str) -> str:
        """Return the expression of a list of words, of which one must occur in the slot."""
        listed = sorted(self._inventory.slots[kind.removeprefix("=")][tongue], key=len, reverse=True)
        words = self._tongues[tongue].any_word(listed)
        before, behind = _AROUND.get(kind, {}).get(tongue, ("", ""))
        return f"(?:{before}(?:{words}){behind})"


def _listed_words(inventory: Inventory) -> ahocorasick.Automaton:
    """Return what finds the words of all lists, with the names of the lists that have each."""
    names: dict[str, set[str]] = {}
    for name, tongues in inventory.slots.items():
        for word in (word for words in tongues.values() for word in words):
            names.setdefault(word.lower(), set()).add(name)
    automaton = ahocorasick.Automaton()
    for word, found in names.items():
        automaton.add_word(word, (word, frozenset(found)))
    automaton.make_automaton()
    return automaton


def _default(name: str, predicate: Predicate) -> list[str]:
    if name == "s":
        groups = [group for group in predicate.subject if group != ANY]
        people = ["kin", "who"] if "person" in groups else []
        loose = ["entity"] if ANY in predicate.subject else []
        phrase = ["phrase"] if {ANY, "thing"} & set(predicate.subject) else []
        return [*groups, *loose, "pron", *people, *phrase]
    return ["date"] if name == "t" else ["text"]


def _pronoun(inventory: Inventory, tongue: str) -> str:
    words = _either(inventory.words[tongue]["pronoun"])
    if tongue == "en":
        return rf"(?<![\w'])(?:{words})(?!\w)"
    return rf"{_not_behind(inventory.words['zh']['taking'])}(?:{words})"


def _english_kin(inventory: Inventory) -> str:
    kin = _either(inventory.words["en"]["kin"])
    return rf"(?:(?:\b(?:my|our|his|her|their|your)|{MARKS['person']}'s)\s+|(?:^|(?<=\s)))(?:\w+\s+)?(?:{kin})(?![\w])(?:\s+(?:{MARKS['person']}|(?-i:[A-Z]\w+)))?"


def _chinese_kin(inventory: Inventory) -> str:
    kin = _either(inventory.words["zh"]["kin"])
    return (
        rf"(?:(?:我们|咱们|我|咱|俺|他|她|你)家?的?|{MARKS['person']}家?的?|^)(?:{kin})(?:{MARKS['person']})?"
    )


def _chinese_person(inventory: Inventory) -> str:
    return rf"(?:[小老阿][\u4e00-\u9fff]|[\u4e00-\u9fff](?:{_either(inventory.words['zh']['address'])}))"


def _chinese_name(inventory: Inventory) -> str:
    """Return the pattern of a family name with one or two characters, up to where a name may end."""
    words = inventory.words["zh"]
    end = _either((*words["own"], *words["onward"]))
    name = rf"(?:{_either(words['surname'])})[\u4e00-\u9fff]{{1,2}}?{_not_behind(words['unname'])}"
    return rf"{name}(?=$|[^\u4e00-\u9fff]|{end})"


_BALANCED = f"(?![^{_SKIPS}]*{SKIP_CLOSE})"
"""A phrase does not end within a skipped word."""
_LATIN_WORD = re.compile(r"(?<!')[A-Za-z][A-Za-z']*")
_COUNTED = "".join(MARKS[kind] for kind in ("number", "money", "version", "id"))


def _english_start(inventory: Inventory) -> str:
    """Return how a phrase begins within a clause: with a determiner or a name, behind no preposition."""
    words = inventory.words["en"]
    ungoverned = "".join(rf"(?<!\b{re.escape(word)}\s)" for word in words["governing"])
    return (
        rf"(?:(?<![\w']){ungoverned}(?:{_either(words['determiner'])})\s+|^{EDGE}"
        rf"|(?<![\w'])(?=[{ENTITY_MARKS}]))"
    )


def _english_phrase(inventory: Inventory, start: str) -> str:
    words = inventory.words["en"]
    link = rf"(?:(?:{_either(words['link'])})\s+)?(?:(?:{_either(words['linked'])})\s+)?"
    letters = rf"\w{ENTITY_MARKS}{_COUNTED}"
    word = rf"[{letters}#][{letters}#&+/'{_SKIPS}-]*?"
    dated = rf"(?:{MARKS['date']}\s+)?"  # "the weekly sync", "the Monday meeting"
    return rf"(?:{start}{dated}{word}(?:\s+{link}{word}){{0,4}}?(?!\w))"


def _chinese_start(inventory: Inventory) -> str:
    """Return how a phrase begins within a clause: at its edge, or with a name behind no preposition."""
    ungoverned = _not_behind(inventory.words["zh"]["governing"])
    return rf"(?:^{EDGE}(?:这个|那个|跟|和)?|{ungoverned}(?=[{ENTITY_MARKS}]))"


def _chinese_phrase(inventory: Inventory, start: str) -> str:
    words = inventory.words["zh"]
    stop = "".join(words["stop"])
    whole = _either(words["whole"])
    letter = rf"(?:{whole}|[^,，。;；:：!！?？\n()（）{MARKS['date']}{stop}])"
    owner = f"(?:{_either(words['holder'])})?"
    ending = [word for word in words["whole"] if word.endswith(tuple(words["handing"]))]
    closed = "".join(f"(?<={re.escape(word)})|" for word in ending)  # "空调" hands nothing over
    end = rf"(?<!\s)(?:{closed}{_not_behind(words['handing'])})"
    return rf"(?:{start}{owner}(?![\s{SKIP_OPEN}始]){letter}{{1,16}}?{end}{_BALANCED})"


def _not_behind(words: Iterable[str]) -> str:
    return "".join(rf"(?<!{re.escape(word)})" for word in words)


def _either(words: Iterable[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
