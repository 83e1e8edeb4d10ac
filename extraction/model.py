"""What extraction finds in a message: spans, mentions, values, statements. Offsets count code points.

Every offset points into the text as the caller gave it, not into a normalised copy.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum


class Modality(StrEnum):
    """How a statement is meant; only ``ASSERTED`` makes or replaces a current fact."""

    ASSERTED = "asserted"
    NEGATED = "negated"
    ENDED = "ended"
    PLANNED = "planned"
    PROPOSED = "proposed"
    HYPOTHETICAL = "hypothetical"
    ASKED = "asked"
    REPORTED = "reported"


class Source(StrEnum):
    """Which recogniser found a mention."""

    TENANT = "tenant"
    SHIPPED = "shipped"
    SPEAKER = "speaker"
    AT = "at"
    INTRODUCED = "introduced"
    PHRASE = "phrase"


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """An entity named at ``[start, end)`` by the words ``text``; ``name`` is its canonical name."""

    start: int
    end: int
    text: str
    name: str
    kind: str
    source: Source = Source.SHIPPED


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """Something measured or addressed at ``[start, end)``: ``normal`` is its comparable form.

    ``kind`` is ``date time span money quantity version url email id phone percent``. For ``date``,
    ``time`` and ``span``, ``[since, until)`` is what it means against the turn's own clock, and
    ``grain`` its precision (``year quarter month week day hour minute``); ``recurring`` marks "every Monday".
    """

    start: int
    end: int
    text: str
    kind: str
    normal: str
    since: datetime | None = None
    until: datetime | None = None
    grain: str = ""
    recurring: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Masked:
    """A secret that was blanked before anything was stored: its class and the span it had."""

    kind: str
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """One thing said: who or what, the predicate, what of it, and how it was meant.

    ``subject`` and ``object`` are mentions where the text names an entity; ``value`` is the object in
    words (its canonical name, a normal form, or the words of the text). ``replaces`` is the old value
    where the text itself says what gives way. ``since``/``until`` bound when it holds, ``when`` is the
    moment it speaks of (a deadline, an appointment). ``pattern`` names the rule that found it.
    """

    subject: Mention
    predicate: str
    value: str
    object: Mention | None = None
    modality: Modality = Modality.ASSERTED
    replaces: str = ""
    since: datetime | None = None
    until: datetime | None = None
    when: Value | None = None
    start: int = 0
    end: int = 0
    pattern: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """One sentence or independent clause of a message, with all that was found in it."""

    start: int
    end: int
    text: str
    mentions: tuple[Mention, ...] = ()
    values: tuple[Value, ...] = ()
    cues: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    statements: tuple[Statement, ...] = ()
    modality: Modality = Modality.ASSERTED


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A message as the analyser sees it: who says what, when (aware), in which role."""

    speaker: str
    text: str
    at: datetime
    role: str = "user"


@dataclass(frozen=True, slots=True)
class Introduction:
    """A name introduced in passing, where it stands and of what kind; ``alias`` is a further name given with it."""

    mention: Mention
    alias: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What a message asks of the memory itself: to ``forget`` something, or to keep it ``unsaved``.

    ``what`` describes it in words (nothing: what was said just before), ``everything``: all that fits is
    meant. ``mark`` is what the turn shows instead of its words.
    """

    kind: str
    what: str
    everything: bool
    mark: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Analysis:
    """All that was understood of one line; ``text`` is the line with its secrets masked.

    ``takes_back``: it begins by calling what its speaker said before it a joke.
    """

    text: str
    units: tuple[Unit, ...]
    masked: tuple[Masked, ...] = ()
    introduced: tuple[Introduction, ...] = ()
    request: Request | None = None
    takes_back: bool = False
