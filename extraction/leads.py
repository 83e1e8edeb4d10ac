"""What may stand before the point of a clause: "apparently", "can we", "听客户说". It colours, it states nothing.

The words are data: ``[leads]`` of ``dictionaries/predicates.toml``, in the notation of the patterns.
"""

import re
from collections.abc import Iterator
from functools import cache

from mnemic.extraction.frame import Frame
from mnemic.extraction.notation import EDGE, Tongue, parse, slots
from mnemic.extraction.predicates import shipped_inventory
from mnemic.extraction.resolve import nobodies
from mnemic.extraction.slots import SlotBook
from mnemic.extraction.wordlist import any_of

_INVERTED = re.compile(rf"^{EDGE}(?:is|are|was|were)\s+", re.IGNORECASE)
_WORD_END = re.compile(r"(?<=\S)(?=\s|$)")
_LONGEST_SUBJECT = 4
"""How many words the subject of a question may have, where it stands behind its verb."""


def core(frame: Frame) -> Frame:
    """Return the frame without the leads before its point; never an empty one."""
    while True:
        found = _leads().match(frame.text)
        if found is None or not 0 < found.end() < len(frame.text):
            return frame
        frame = frame.behind(found.end())


def uninverted(frame: Frame) -> Iterator[Frame]:
    """Yield the readings of "is Marlin written in Go" as "Marlin is written in Go", shortest subject first."""
    verb = _INVERTED.match(frame.text)
    if verb is None:
        return
    ends = [end.start() for end in _WORD_END.finditer(frame.text, verb.end())]
    for end in ends[:_LONGEST_SUBJECT]:
        yield frame.moved(verb.end(), end)


@cache
def _leads() -> re.Pattern[str]:
    inventory = shipped_inventory()
    # Chinese ones first: "{date}起" is more than "{date}"
    tongues = {"zh": Tongue(r"\s*", r"\s*"), "en": Tongue(r"\s+", r"\s+")}
    book = SlotBook(inventory, tongues)
    bodies = [re.escape(word) for word in inventory.skip["zh"] if len(word) > 1]
    for language, tongue in tongues.items():
        for lead in sorted(inventory.leads[language], key=len, reverse=True):
            items = parse(lead, inventory.words[language])
            fill = {slot: book.unnamed(slot, language) for slot in slots(items)}
            bodies.append(tongue.sequence(items, fill))
    nobody = any_of(nobodies())  # "no one" begins with no "no"
    return re.compile(
        rf"^{EDGE}(?!(?:{nobody})\b)(?:{'|'.join(bodies)})(?:\s+that(?=\s))?[,，:：\s]*", re.IGNORECASE
    )
