"""The grammar: one regular expression over token letters for each kind of phrase, and its builder.

The expressions are alternatives of one automaton; at each token the first that fits wins, so longer
phrases stand before shorter ones. The letters are those of ``lexicon.LETTERS``.
"""

import re
from collections.abc import Callable
from typing import NamedTuple

from mnemic.extraction.times import clocks, dates, lengths, recurring, units
from mnemic.extraction.times.lengths import Built, Length, Offset, Tokens
from mnemic.extraction.times.part import Part
from mnemic.extraction.times.token import Token

_COUNT = "[Nnv]c*(?:&?1?b)?c?-?"
_AMOUNT = f"(?:1?bo?1?|{_COUNT}|1?f|1)"
_LENGTH = f"(?:{_AMOUNT}[Uy](?:b|&1?b)?(?:&?(?:{_COUNT}|f|b)[Uy]b?)*(?:Ni)?)"
_HOUR = "(?:[Ce]|Nhr?|NN?r|N)"
_MONTH = "[Ma]"
_DAY = "#?[NO]"
_TO = "[t=-]"
_BETWEEN_DAYS = f"(?:{_DAY}{_TO}|\\^{_DAY}[t&=-]){_DAY}"
_FREE = f"(?![_NnvUycbfOKkPhmdir>]|&[NO]|{_TO}[NCe])"
"""What must follow a bare number that is to be a day or an hour: no word that it could count."""
_MARKED = "(?:Nh(?:b|Nk|NiNU|Ni|k|N(?![cUydmhWkBfr])|(?!N))[sc]?r?)"


class Rule(NamedTuple):
    """A pattern over letters, its builder, and the ``doubt`` (``doubts.py``) that its phrases are under."""

    pattern: str
    build: Callable[[Tokens], Built]
    doubt: str = ""


RULES = (
    # what recurs
    Rule(f'J[Ww]{_TO}[Ww]|J[WwV](?:[,&]?(?:[WwV]|[Nf](?![cUdmyh])))*|W"', recurring.weekdays),
    Rule("V(?:[,&]V)*", recurring.weekdays),
    Rule("JU?K", recurring.weekend),
    Rule(f"J[mU][NO]d|Jm[NO]{_FREE}|J#?O{_FREE}", recurring.day_of_month),
    Rule(f"JU?y?Nm(?:Nd)?|J{_MONTH}(?:{_DAY})?|JE", recurring.day_of_year),
    Rule("J[yU]?S", recurring.festival),
    Rule("J(?:[NO]c?|c|f)?[Uym]|JP", recurring.rhythm),
    Rule('"', recurring.rhythm, "nights"),
    Rule("j", recurring.adverb),
    # minutes past and to the hour
    Rule(f"[#@]?(?:1?k|b|NU?)>{_HOUR}", clocks.past),
    Rule(f"[#@]?(?:1?k|NU)={_HOUR}", clocks.to),
    # two days, two hours
    Rule(f"{_DAY}-{_MONTH}-[nN]|[nN]-{_MONTH}-{_DAY}|{_MONTH}-[n]", dates.dashed),
    Rule(f"{_MONTH};?{_DAY}{_TO}{_DAY}|{_MONTH}\\^{_DAY}[t&=-]{_DAY}|NmNd?{_TO}Nd", dates.month_days),
    Rule(f"{_BETWEEN_DAYS}o?{_MONTH}(?![NO])|{_DAY}{_TO}{_MONTH}{_DAY}", dates.month_days),
    Rule(f"{_BETWEEN_DAYS}[oI#]*RU|{_DAY}[o#]*RU", dates.day_of_shifted),
    Rule(f"N{_TO}Nd", dates.days),
    Rule(f"(?:N{_TO}|\\^N&)(?:C|NN?r|{_MARKED})|(?:C{_TO}|\\^C[t&=-])N{_FREE}", clocks.clock_range),
    Rule(f"(?:N{_TO}|\\^N&)?N[I@]#?P", clocks.clock_part),
    Rule(f"N{_TO}N{_FREE}(?![dmMar])", clocks.clock_range, "alone"),
    Rule(f"(?<=[TQ])[o@]?N{_FREE}|N(?=o?Q|TP|[R>]P)", clocks.clock, "alone"),
    Rule(f"(?<=W)N{_FREE}(?![rt=Ma])", dates.day, "alone"),
    # lengths and distances
    Rule("[NO][WV](?:[Au~]|%X)", lengths.weekdays_away),
    Rule("~#?R[Uy]", units.rest_of),
    Rule(f"I?#?{_LENGTH}%", lengths.offset),
    Rule(f"{_LENGTH}[Au~]|I#?{_LENGTH}", lengths.ago),
    Rule(f"H#?R?{_LENGTH}|{_LENGTH}H|I?#?[R>]{{1,2}}{_LENGTH}(?![Au~])", lengths.window),
    Rule(f"#?[Nf][R>][Uy]|[LFA]{_LENGTH}", lengths.window),
    # months and days
    Rule("N[Uy]Nx|Nx", dates.decade),
    Rule(f"M(?:[;-]?{_DAY}|,#?O)(?![Uy])|a[;,-]?#?O|NmNd|NmN{_FREE}", dates.month_day),
    Rule(f"{_DAY}[o;]?-?M|#?O[o;]?-?a", dates.month_day),
    Rule("a[;-]?N(?![Uy])|N[o;]?-?a", dates.month_day, "month"),
    Rule("l(?:g?N)d?", dates.lunar_day),
    Rule("B[WT]|[WT]B", units.end_of_day),
    Rule("[nNYDR]B(?!N)|G[o#]*[Uy]|B(?!N)", units.edge),
    Rule("Nm", dates.month),
    Rule("Nd", dates.day, "numbered"),
    # times of day
    Rule(_MARKED, clocks.clock, "points"),
    Rule("NN?r", clocks.clock),
    Rule(f"@(?:C|e|NN{_FREE}|[nv]{_FREE})", clocks.clock),
    Rule(f"@N{_FREE}", clocks.clock, "hour"),
    # units counted from now, and within others
    Rule("#?O[co]*[Ww]", units.nth),
    Rule("#?O(?:[co]*|-)[Uk]", units.nth, "unit"),
    Rule("(?<=[WwUk])[oI]#U", units.relative),
    Rule(f"#?U[nN]{_FREE}", units.numbered, "led"),
    Rule("#?[R>][UK](?=oR?#?[MaYnDRU])", units.last_of),
    Rule("(?<![ORNn1>])#?Uo(?=#?[MaDEWNO])", units.holding),
    Rule("#?[UW]!", units.after_next),
    Rule("#?[R>]P", clocks.day_clock),
    Rule("#?[R>]{1,2}c?[UykmdWwKMzSDE]", units.relative),
    Rule("#?[R>]{1,2}a", units.relative, "month"),
    # what is left
    Rule(f"#?O{_FREE}", dates.day, "ordinal"),
    Rule("1U(?!b|&?1?b|&?[Nnvf])", lengths.length, "rate"),
    Rule(_LENGTH, lengths.length),
    Rule("D", dates.ready),
    Rule("M", dates.month),
    Rule("C", clocks.clock),
    Rule("[TQWKYSq]", units.single),
    Rule("E", dates.ready, "fraction"),
    Rule("a", dates.month, "month"),
    Rule("n", dates.year, "led"),
    Rule("e", clocks.clock, "led"),
    Rule("[Pz]", units.single, "latin"),
    Rule("w", units.single, "weekday"),
    Rule("[pGgXZ]", units.single, "alone"),
)
"""Every phrase the recogniser knows, the longer before the shorter."""

_IDLE = "_,;+<r"
"""Letters with which no phrase begins."""

_GRAMMAR = re.compile(
    f"(?=[^{_IDLE}])(?:{'|'.join(f'(?P<r{index}>{rule.pattern})' for index, rule in enumerate(RULES))})"
)


class Fragment(NamedTuple):
    """What one rule read from the tokens ``[first, last)``."""

    first: int
    last: int
    built: Part | tuple[Part, Part] | Length | Offset
    doubt: str = ""


def fragments(tokens: list[Token]) -> list[Fragment]:
    """Return what the grammar reads from the tokens, left to right, without overlaps."""
    found = []
    for match in _GRAMMAR.finditer("".join([token.letter for token in tokens])):
        rule = RULES[int((match.lastgroup or "r0")[1:])]
        built = rule.build(tokens[match.start() : match.end()])
        if built is not None:
            found.append(Fragment(match.start(), match.end(), built, rule.doubt))
    return found
