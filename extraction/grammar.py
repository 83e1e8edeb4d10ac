"""All that reading needs, in one place."""

from collections.abc import Mapping
from dataclasses import dataclass

import ahocorasick

from mnemic.extraction.cues import Cues
from mnemic.extraction.model import Mention
from mnemic.extraction.patterns import PatternBook
from mnemic.extraction.predicates import Inventory
from mnemic.extraction.senses import Senses
from mnemic.extraction.text import fold


@dataclass(frozen=True, slots=True)
class Grammar:
    """All that reading a sentence needs: the predicates, their patterns, the cues, the technologies.

    ``known`` has the kinds of all technologies that ship.
    """

    inventory: Inventory
    patterns: PatternBook
    cues: Cues
    senses: Senses
    technical: frozenset[str]
    known: Mapping[str, str]
    skip: ahocorasick.Automaton

    def groups(self, mention: Mention) -> str:
        """Return the group of a mention's kind; where a user's word for it is loose, of the kind that ships."""
        kind = mention.kind
        if kind in self.inventory.loose:
            kind = self.known.get(fold(mention.name), kind)
        return self.inventory.group(kind, kind in self.technical)

    def fits(self, mention: Mention, groups: frozenset[str]) -> bool:
        """Tell whether a mention belongs to one of ``groups``; platforms and languages are technologies too."""
        group = self.groups(mention)
        return group in groups or (group in ("platform", "language") and "tech" in groups)

    def is_thing(self, mention: Mention) -> bool:
        """Tell whether "it" may mean a mention."""
        return self.groups(mention) not in ("person", "place", "room")
