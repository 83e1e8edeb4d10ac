"""One message through all stages: masking, mentions, values, sentences, statements, units."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import tzinfo
from functools import lru_cache
from itertools import takewhile

from mnemic.extraction.answers import questions
from mnemic.extraction.attributes import attribute
from mnemic.extraction.company import company
from mnemic.extraction.context import everyday
from mnemic.extraction.cues import by_class, shipped_cues
from mnemic.extraction.grammar import Grammar
from mnemic.extraction.introduce import introductions
from mnemic.extraction.invisible import placed_in
from mnemic.extraction.lexicon import Entry, Lexicon
from mnemic.extraction.modality import is_off_record, is_question, jokes
from mnemic.extraction.model import (
    Analysis,
    Introduction,
    Line,
    Masked,
    Mention,
    Modality,
    Source,
    Statement,
    Unit,
    Value,
)
from mnemic.extraction.names import known_technologies, technical_kinds
from mnemic.extraction.outline import Outline
from mnemic.extraction.passage import Passage
from mnemic.extraction.patterns import shipped_patterns, skipper
from mnemic.extraction.predicates import shipped_inventory
from mnemic.extraction.recognise import find_people, find_values
from mnemic.extraction.requests import find_request
from mnemic.extraction.resolve import Focus
from mnemic.extraction.secrets import mask
from mnemic.extraction.segment import sentences
from mnemic.extraction.senses import shipped_senses
from mnemic.extraction.spans import apart, beginning_in, is_free
from mnemic.extraction.statements import Sentence, made_by, read_sentence
from mnemic.extraction.text import visible
from mnemic.extraction.times import find_times
from mnemic.extraction.width import columns

UNIT_WIDTH = 240
"""Sentences without statements of their own join one unit up to this width (a CJK character counts 2)."""


_JOKE_WIDTH = 30
"""How wide a sentence may be that says only that something was a joke."""
_ANSWERS_WITHIN = 2
"""In how many sentences of a message its answer may stand."""
_LEANING = frozenset({"change", "correction", "negation", "proposal", "it", "third", "joke"})
"""Cues of a message that may lean on what was told before it."""
_LINES = 128
"""So many lines that were seen last are kept as they were seen."""
_WITHIN = 3
"""How many lines before an answer or a correction what it is about may stand; a question, by the last who spoke."""


@dataclass(frozen=True, slots=True)
class _Seen:
    """The spans found in a line, without overlaps, by position, and the outlines of its sentences.

    ``named`` are the mentions without those of the speaker.
    """

    mentions: tuple[Mention, ...]
    values: tuple[Value, ...]
    introduced: tuple[Introduction, ...]
    named: tuple[Mention, ...]
    outlines: tuple[Outline, ...]


class Analyser:
    """Reads messages with one lexicon. Stateless: what came before is passed in."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        self._known_speaker = lru_cache(maxsize=1024)(self._speaker)  # the same few speak again and again
        self._seen = lru_cache(maxsize=_LINES)(self._look)  # a line stands before the next ones, too
        self._grammar = shipped_grammar()

    def learning(self, introduced: Sequence[Introduction]) -> "Analyser":
        """Return an analyser that knows the introduced names as well."""
        entries = [Entry(i.mention.name, i.mention.kind, (i.alias,) if i.alias else ()) for i in introduced]
        return Analyser(Lexicon(entries, base=self._lexicon))

    def analyse(self, line: Line, before: Sequence[Line] = ()) -> Analysis:
        """Return all that is understood of ``line``; ``before`` are the session's last lines, oldest first.

        Never raises on any text. A line of code or of a log has its mentions but states nothing.
        """
        request = find_request(line.text, sentences(line.text))
        if request is not None and line.role == "user":
            return Analysis(text=request.mark, units=(), request=request)
        text, masked = mask(line.text, "\n".join(earlier.text for earlier in before))
        plain = visible(text)
        read = self._read(
            replace(line, text=plain), [replace(each, text=visible(each.text)) for each in before], masked
        )
        return read if plain == text else placed_in(text, read)

    def _read(self, line: Line, before: Sequence[Line], masked: tuple[Masked, ...]) -> Analysis:
        """Return all that is understood of a line that hides nothing, neither a secret nor a character."""
        text = line.text
        seen = self._see(line)
        focus = self.focus(line.speaker, before, leans=self._leans(text, seen.mentions))
        if is_off_record(text):
            return Analysis(text=text, units=(_plain_unit(text, seen),), masked=masked)
        read: list[Sentence] = []
        told = {statement.predicate for statement in focus.told}
        takes_back = False
        for outline in seen.outlines:
            if len(read) == _ANSWERS_WITHIN:
                focus = replace(focus, asked=())
            passage = outline.within(focus)
            read.append(read_sentence(outline, focus))
            made = [mention for statement in read[-1].statements for mention in made_by(statement)]
            focus = focus.hearing([*company(passage), *passage.mentions], self._grammar.is_thing)
            focus = focus.seeing(made, self._grammar.is_thing)
            joke = jokes(passage.text, read[-1].cues)
            if joke.before:
                if len(read) == 1 and _only_jokes(text, read[0]):
                    takes_back, read = True, [read[0].supposed()]
                elif len(read) == 1 and told.isdisjoint(each.predicate for each in read[0].statements):
                    read = [read[0].supposed()]
                else:
                    read = [*_unmeant(read[:-1]), read[-1] if joke.itself else read[-1].serious()]
            if read[-1].statements:
                focus = replace(focus, asked=(), told=_told(read[-1].statements))
        return Analysis(
            text=text,
            units=_units(text, read, seen),
            masked=masked,
            introduced=seen.introduced,
            takes_back=takes_back,
        )

    def _leans(self, text: str, mentions: Sequence[Mention]) -> bool:
        """Tell whether a text may lean on what was told before it: a pronoun, another value, no name at all."""
        cues = {cue.name for cue in self._grammar.cues.hear(text)}
        return not mentions or attribute(text) is not None or not _LEANING.isdisjoint(cues)

    def focus(self, speaker: str, before: Sequence[Line], *, leans: bool = True) -> Focus:
        """Return what ``speaker`` has in view after the lines ``before``.

        What they tell is read only for a message that ``leans`` on it; what they ask is read always.
        """
        focus = Focus(speaker=self.speaker(speaker))
        for line in before:
            focus = focus.hearing(self._see(line).named, self._grammar.is_thing)
        last = list(takewhile(lambda line: line.speaker == before[-1].speaker, reversed(before[-_WITHIN:])))
        for line in before[-_WITHIN:]:
            if leans or (line in last and self._asks(line)):
                focus = self._hearing(line, focus)
            if line not in last:
                focus = replace(focus, asked=())
        return focus

    def _asks(self, line: Line) -> bool:
        cues = by_class(self._grammar.cues.hear(line.text))
        return "question" in cues or is_question(line.text, cues)

    def _hearing(self, line: Line, focus: Focus) -> Focus:
        """Return the focus after a line before the speaker's own: what it asks, if another's, and what it tells."""
        seen = self._see(line)
        theirs = replace(focus, speaker=self.speaker(line.speaker), addressee=focus.speaker)
        asked: tuple[Statement, ...] = ()
        told: tuple[Statement, ...] = ()
        near: list[Mention] = []
        for outline in seen.outlines:
            read = read_sentence(outline, theirs).statements
            asked = questions(outline, theirs, read) or asked
            told = (*_told(read), *told)
            near += company(outline.within(theirs))
        if line.speaker == focus.speaker.name:
            asked = ()
        about = [*near, *(statement.subject for statement in (*reversed(told), *asked[:1]))]
        seeing = focus.seeing(about, self._grammar.is_thing)
        return replace(seeing, asked=asked or focus.asked, told=(*told, *focus.told))

    def speaker(self, name: str) -> Mention:
        """Return the person who speaks, under the canonical name where the lexicon knows the one used."""
        return self._known_speaker(name)

    def _speaker(self, name: str) -> Mention:
        known = self._lexicon.find(name)
        if len(known) == 1 and known[0].kind == "person" and known[0].text.strip() == name.strip():
            return replace(known[0], start=0, end=0, text="", source=Source.SPEAKER)
        return Mention(start=0, end=0, text="", name=name, kind="person", source=Source.SPEAKER)

    def mentions(self, text: str) -> tuple[Mention, ...]:
        """Return the mentions of a text alone, as a question needs them."""
        return apart([*self._lexicon.find(text), *find_people(text)])

    def own_names(self, text: str) -> list[Mention]:
        """Return where names of the users' own dictionary stand in a text, meant or not."""
        return self._lexicon.own(text)

    def named(self, name: str) -> Entry | None:
        """Return the entry of the dictionary that ``name`` alone means, however common a word it is."""
        return self._lexicon.named(name)

    def _see(self, line: Line) -> _Seen:
        """Return what is found in a line; one moment in two time zones makes two lines."""
        return self._seen(line, line.at.tzinfo)

    def _look(self, line: Line, _: tzinfo | None) -> _Seen:
        times = find_times(line.text, line.at)
        introduced = introductions(line.text)
        named = self._named(line.text, introduced)
        mentions = apart([*named, *self._called_themselves(line)])
        taken = [(m.start, m.end) for m in mentions]
        times = [t for t in times if is_free(t, mentions)]
        values = find_values(line.text, [*taken, *((t.start, t.end) for t in times)])
        ordered = sorted([*times, *values], key=lambda v: v.start)
        outlines = tuple(self._outlines(line, mentions, ordered))
        return _Seen(mentions, tuple(ordered), introduced, named, outlines)

    def _outlines(
        self, line: Line, mentions: Sequence[Mention], values: Sequence[Value]
    ) -> Iterator[Outline]:
        """Yield the sentences of a line, each with the mentions and values in it."""
        nothing = Focus(speaker=self.speaker(line.speaker))
        for start, end in sentences(line.text, [(value.start, value.end) for value in values]):
            held = beginning_in(mentions, start, end), beginning_in(values, start, end)
            yield Outline(Passage(line, (start, end), *held, nothing), self._grammar)

    def _called_themselves(self, line: Line) -> Iterator[Mention]:
        """Yield where the speaker's own name stands, however it is written ("ada knows Go")."""
        if len(line.speaker) > 2 and line.speaker.casefold() not in everyday() | {line.role, "user"}:
            for match in re.finditer(
                rf"(?<![\w@.'-]){re.escape(line.speaker)}(?![\w@.])", line.text, re.IGNORECASE
            ):
                speaker = self.speaker(line.speaker)
                yield replace(
                    speaker, start=match.start(), end=match.end(), text=match[0], source=Source.PHRASE
                )

    def _named(self, text: str, introduced: Sequence[Introduction]) -> tuple[Mention, ...]:
        """Return the mentions of a message's text; what the users' lexicon knows comes before what is introduced.

        What ships gives way to it where the introduction tells of another kind: "a new project called Falcon".
        """
        new = [introduction.mention for introduction in introduced]
        known = self._lexicon.find(text)
        own = [mention for mention in known if mention.source is Source.TENANT]
        group, loose = self._grammar.groups, self._grammar.inventory.loose
        alike = {(mention.start, group(mention)) for mention in known}
        told = [m for m in new if m.kind not in ("thing", *loose) and (m.start, group(m)) not in alike]
        return apart([*own, *find_people(text), *told, *known, *new])


@lru_cache(maxsize=1)
def shipped_grammar() -> Grammar:
    """Return the grammar of the shipped data files."""
    inventory = shipped_inventory()
    return Grammar(
        inventory=inventory,
        patterns=shipped_patterns(),
        cues=shipped_cues(),
        senses=shipped_senses(),
        technical=technical_kinds(),
        known=known_technologies(),
        skip=skipper(inventory),
    )


def _unmeant(read: Sequence[Sentence]) -> list[Sentence]:
    """Return the sentences, the last that states something (or else the last) as no more than supposed."""
    last = next((i for i in reversed(range(len(read))) if read[i].statements), len(read) - 1)
    return [sentence.supposed() if i >= last else sentence for i, sentence in enumerate(read)]


def _only_jokes(text: str, first: Sentence) -> bool:
    """Tell whether a sentence that calls something a joke says nothing else and asks nothing."""
    short = columns(text[first.start : first.end]) <= _JOKE_WIDTH
    return short and not first.statements and first.modality is not Modality.ASKED


def _told(statements: Sequence[Statement]) -> tuple[Statement, ...]:
    return tuple(statement for statement in statements if statement.modality is Modality.ASSERTED)


def _plain_unit(text: str, seen: _Seen) -> Unit:
    return Unit(start=0, end=len(text), text=text, mentions=seen.mentions, values=seen.values)


def _units(text: str, read: Sequence[Sentence], seen: _Seen) -> tuple[Unit, ...]:
    """Group sentences to units: questions stand alone, a sentence with statements begins a new one."""
    groups: list[list[Sentence]] = []
    for sentence in read:
        if groups and _joins(text, groups[-1], sentence):
            groups[-1].append(sentence)
        else:
            groups.append([sentence])
    return tuple(_unit(text, group, seen) for group in groups)


def _joins(text: str, group: Sequence[Sentence], sentence: Sentence) -> bool:
    if (sentence.modality is Modality.ASKED) != (group[-1].modality is Modality.ASKED):
        return False
    if sentence.statements and any(s.statements for s in group):
        return False
    return columns(text[group[0].start : sentence.end]) <= UNIT_WIDTH


def _unit(text: str, group: Sequence[Sentence], seen: _Seen) -> Unit:
    start, end = group[0].start, group[-1].end
    cues: dict[str, tuple[str, ...]] = {}
    for sentence in group:
        for name, words in sentence.cues.items():
            cues[name] = (*cues.get(name, ()), *words)
    statements: tuple[Statement, ...] = tuple(s for sentence in group for s in sentence.statements)
    leading = next((s for s in group if s.statements), group[0])
    return Unit(
        start=start,
        end=end,
        text=text[start:end],
        mentions=tuple(beginning_in(seen.mentions, start, end)),
        values=tuple(beginning_in(seen.values, start, end)),
        cues=cues,
        statements=statements,
        modality=leading.statements[0].modality if leading.statements else leading.modality,
    )
