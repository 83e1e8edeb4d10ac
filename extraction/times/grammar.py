"""The grammar: one regular expression over token letters for each kind of phrase, and its builder.

The expressions are alternatives of one automaton; at each token the first that fits wins, so longer
phrases stand before shorter ones. The letters are those of ``lexicon.LETTERS``.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from mnemic.extraction.times import clocks, dates, lengths, recurring
from mnemic.extraction.times.lengths import Built, Length, Offset, Tokens
from mnemic.extraction.times.part import Part
from mnemic.extraction.times.token import Token

_AMOUNT = "(?:1?bo?1?|[Nnv]c*(?:&1?)?b?c?|1?f|1)"
_LENGTH = f"(?:{_AMOUNT}[Uy](?:b|&1?b)?(?:[,&]?{_AMOUNT}[Uy]b?)*)"
_HOUR = "(?:[Ce]|Nhr?|NN?r|N)"
_MARKED = "(?:Nh(?:b|Nk|Nk?iNU|Ni|k|N(?![cUydmhWkBfr]))?[sc]?r?)"
_MONTH = "[Ma]"
_DAY = "#?[NO]"
_FREE = "(?![_NnvUycbfOKk])"
"""What must follow a bare number that is to be a day or an hour: no word that it could count."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A pattern over letters and its builder; a ``weak`` phrase counts only where its surroundings agree."""

    pattern: str
    build: Callable[[Tokens], Built]
    weak: bool = False


RULES = (
    Rule("J[WwV](?:[,&]?(?:[WwV]|[Nf](?![cUdmyh])))*|JWtW", recurring.weekdays),
    Rule("V(?:[,&]V)*", recurring.weekdays),
    Rule("JU?K", recurring.weekend),
    Rule(f"J[mU][NO]d?|J#?O{_FREE}", recurring.day_of_month),
    Rule(f"JU?y?Nm(?:Nd)?|J{_MONTH}(?:{_DAY})?|JE", recurring.day_of_year),
    Rule("J[yU]?S", recurring.festival),
    Rule("J(?:[NO]c?|c|f)?[Uy]|JP", recurring.rhythm),
    Rule("j", recurring.adverb),
    Rule(f"#?(?:1?k|b|NU?)>{_HOUR}", clocks.past),
    Rule(f"#?(?:1?k|NU)t{_HOUR}", clocks.to),
    Rule(f"{_MONTH};?{_DAY}t{_DAY}|{_MONTH}\\^{_DAY}[t&]{_DAY}|NmNd?tNd", dates.month_days),
    Rule(f"\\^?{_DAY}[t&]{_DAY}o?{_MONTH}|{_DAY}t{_MONTH}{_DAY}", dates.month_days),
    Rule(f"\\^?{_DAY}[t&]{_DAY}[oI#]*RU|{_DAY}[o#]*RU", dates.day_of_shifted),
    Rule("N[t&]Nd", dates.days),
    Rule(f"(?:Nt|\\^N&)(?:C|NN?r|{_MARKED})|(?:Ct|\\^C[t&])N{_FREE}", clocks.clock_range),
    Rule(f"NtN{_FREE}(?![dmMar])", clocks.clock_range, weak=True),
    Rule("[NO][WV]A", lengths.weekdays_away),
    Rule(f"{_LENGTH}A|I#?{_LENGTH}", lengths.ago),
    Rule(f"H#?R?{_LENGTH}|{_LENGTH}H|I?#?[R>]{{1,2}}{_LENGTH}|#?[Nf][R>][Uy]|[LFA]{_LENGTH}", lengths.window),
    Rule(f"{_LENGTH}%", lengths.offset),
    Rule("N[Uy]Nx|Nx", dates.decade),
    Rule(f"{_MONTH}[;t,]?{_DAY}(?![Uy])|NmN(?:d|(?![cUydmhikB]))", dates.month_day),
    Rule(f"{_DAY}[o;]?t?{_MONTH}", dates.month_day),
    Rule("l(?:g?N)d?", dates.lunar_day),
    Rule("NB|G[o#]*[Uy]|RB|B", dates.edge),
    Rule("Nm", dates.month),
    Rule("Nd", dates.day, weak=True),
    Rule(_MARKED, clocks.clock, weak=True),
    Rule("NN?r", clocks.clock),
    Rule(f"@(?:C|e|NN{_FREE}|[nvN]{_FREE})", clocks.clock),
    Rule("#?O[co]*[WwUk]", dates.nth),
    Rule("#?[UW]!", dates.after_next),
    Rule("#?[R>]P", clocks.day_clock),
    Rule("#?[R>]{1,2}c?[UykmdWwKMazSDE]", dates.relative),
    Rule(f"#O{_FREE}", dates.day),
    Rule(f"O{_FREE}", dates.day, weak=True),
    Rule(_LENGTH, lengths.length),
    Rule("D", dates.ready),
    Rule("E", dates.ready, weak=True),
    Rule("M", dates.month),
    Rule("a", dates.month, weak=True),
    Rule("n", dates.year, weak=True),
    Rule("C", clocks.clock),
    Rule("e", clocks.clock, weak=True),
    Rule("[TQWKYSzq]", dates.single),
    Rule("[PwpGgXZ]", dates.single, weak=True),
)
"""Every phrase the recogniser knows, the longer before the shorter."""

_GRAMMAR = re.compile("|".join(f"(?P<r{index}>{rule.pattern})" for index, rule in enumerate(RULES)))


@dataclass(frozen=True, slots=True)
class Fragment:
    """What one rule read from the tokens ``[first, last)``."""

    first: int
    last: int
    built: Part | tuple[Part, Part] | Length | Offset
    weak: bool = False


def fragments(tokens: list[Token]) -> list[Fragment]:
    """Return what the grammar reads from the tokens, left to right, without overlaps."""
    found = []
    for match in _GRAMMAR.finditer("".join([token.letter for token in tokens])):
        rule = RULES[int((match.lastgroup or "r0")[1:])]
        built = rule.build(tokens[match.start() : match.end()])
        if built is not None:
            found.append(Fragment(match.start(), match.end(), built, rule.weak))
    return found
