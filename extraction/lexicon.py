"""The dictionary matcher: finds known names in a message, in time that hardly grows with their number.

Aho-Corasick automata (A. V. Aho, M. J. Corasick, CACM 18(6), 1975) run over the folded text: one of
the shipped names, built once per process, and a small one of the tenant's own. The leftmost match
wins, of those the longest, of equal ones the tenant's. Names that are also common words count only
with evidence (:mod:`mnemic.extraction.evidence`).
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator

from mnemic.extraction.automaton import Automaton
from mnemic.extraction.context import everyday, rules, world
from mnemic.extraction.evidence import Candidate, convincing
from mnemic.extraction.forms import Entry, Form, Guard, Pattern, patterns
from mnemic.extraction.model import Mention, Source
from mnemic.extraction.text import Folded, fold, fold_with_offsets

_LATIN = re.compile("[a-z]")
_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]*://[!-~]+")

__all__ = ["Entry", "Lexicon"]


class Lexicon:
    """An immutable matcher over ``entries``, laid over those of ``base`` (usually the shipped names).

    ``base`` is shared and not built again, so that a tenant's few names cost milliseconds. Safe to
    share between threads. Where several entries have a form, the one that writes it as the text does is
    meant, else the one whose name it is, else the first.

    >>> lexicon = Lexicon([Entry("PostgreSQL", "technology", ("PG",)), Entry("支付系统", "project")])
    >>> [(mention.text, mention.name) for mention in lexicon.find("支付系统用PG了")]
    [('支付系统', '支付系统'), ('PG', 'PostgreSQL')]
    """

    def __init__(
        self, entries: Iterable[Entry], *, base: "Lexicon | None" = None, source: Source = Source.TENANT
    ) -> None:
        rows = tuple(entries)
        self._doubted: dict[str, frozenset[str]] = dict(base._doubted) if base else {}
        for row in rows:
            kinds = frozenset({row.kind, world(row.kind)})
            for form in map(fold, (row.name, *row.aliases)):
                if form in map(fold, row.ambiguous) or (source is Source.SHIPPED and form in rules().doubted):
                    self._doubted[form] = self._doubted.get(form, frozenset()) | kinds
        own = Automaton(patterns(self._forms(rows, source)))
        self._automata: tuple[Automaton[Pattern], ...] = (own, *(base._automata if base else ()))

    def find(self, text: str) -> list[Mention]:
        """Return the known names in ``text`` in order, without overlaps; spans are those of ``text``."""
        folded = fold_with_offsets(text)
        found = [each for automaton in self._automata for each in _candidates(automaton, folded)]
        if any(each.form.guard is not Guard.NONE for each in found):
            sure = _leftmost_longest(each for each in found if each.form.guard is Guard.NONE)
            found = convincing(folded, found, sure)
        return list(_mentions(folded, _leftmost_longest(found)))

    def own(self, text: str) -> list[Mention]:
        """Return where the forms of the tenant's names stand in ``text``, whatever stands around them; they may overlap.

        A form inside a longer Latin word is none of them.
        """
        folded = fold_with_offsets(text)
        plain = folded.folded
        found = []
        for automaton in self._automata:
            for end, pattern in automaton.hits(plain):
                start, form = end - pattern.length, pattern.forms[0]
                inside = _LATIN.match(plain[start - 1 : start]) and _LATIN.match(plain[start])
                inside = inside or (_LATIN.match(plain[end - 1]) and _LATIN.match(plain[end : end + 1]))
                if form.source is Source.TENANT and not inside:
                    found.append(Candidate(start, end, form))
        return [mention for each in found for mention in _mentions(folded, [each])]

    def named(self, text: str) -> Entry | None:
        """Return the entry that ``text`` as a whole is a form of, the tenant's first.

        Who names a thing and nothing else means it, so that a common word needs no evidence here.
        """
        written, folded = unicodedata.normalize("NFKC", text.strip()), fold(text)
        for automaton in self._automata:
            for end, pattern in automaton.hits(folded):
                if end == pattern.length == len(folded):
                    return pattern.form(written).entry
        return None

    def _forms(self, entries: tuple[Entry, ...], source: Source) -> Iterator[Form]:
        """Yield all forms, names before aliases."""
        for entry in entries:
            yield self._form(entry.name, entry, source)
        for entry in entries:
            for alias in entry.aliases:
                yield self._form(alias, entry, source)

    def _form(self, words: str, entry: Entry, source: Source) -> Form:
        written = unicodedata.normalize("NFKC", words)
        folded = fold(words)
        tenant = source is Source.TENANT
        guard = Guard.NONE
        if entry.kind in self._doubted.get(folded, ()) and (folded.isascii() or not tenant):
            guard = Guard.OWN if tenant else Guard.COMMON
        elif tenant and written != written.casefold() and folded in everyday():
            guard = Guard.EVERYDAY
        return Form(written, entry, source, guard)


def _candidates(automaton: Automaton[Pattern], folded: Folded) -> Iterator[Candidate]:
    """Yield what the automaton finds that is a word of its own there; inside a web address only ids count."""
    text = folded.folded
    addresses = [each.span() for each in _ADDRESS.finditer(text)] if "://" in text else ()
    for end, pattern in automaton.hits(text):
        start = end - pattern.length
        if pattern.stands(text, start):
            if not pattern.numbered and any(first <= start < last for first, last in addresses):
                continue
            form = pattern.forms[0]
            if len(pattern.forms) > 1:
                first, last = folded.span(start, end)
                form = pattern.form(unicodedata.normalize("NFKC", folded.text[first:last]))
            if form.entry.kind != "place" or not rules().longer.match(text, end):
                yield Candidate(start, end, form)


def _leftmost_longest(candidates: Iterable[Candidate]) -> Iterator[Candidate]:
    """Yield candidates that do not overlap; of equal spans the first given, which is the tenant's."""
    done = 0
    for each in sorted(candidates, key=lambda candidate: (candidate.start, -candidate.end)):
        if each.start >= done:
            yield each
            done = each.end


def _mentions(folded: Folded, candidates: Iterable[Candidate]) -> Iterator[Mention]:
    """Yield the mentions; two names inside one original character (㍿ is 株式会社) give one mention."""
    done = 0
    for each in candidates:
        start, end = folded.span(each.start, each.end)
        if start >= done:
            form = each.form
            yield Mention(
                start=start,
                end=end,
                text=folded.text[start:end],
                name=form.entry.name,
                kind=form.entry.kind,
                source=form.source,
            )
            done = end
