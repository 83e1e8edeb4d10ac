"""The numbers that decide something, in one frozen object that is handed in."""

from dataclasses import dataclass

from mnemic.engine.checking import checked_fields
from mnemic.errors import InvalidInput

_YEAR = 366 * 86_400.0


@checked_fields
@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Thresholds and bounds of the engine that a user may choose; scores stand in receipts and answers beside them.

    ``keep_from``: importance from which a sentence becomes a memory. ``overrule_from``: probability from
    which a newer statement overrules an older one by REPLACES; ``doubt_from``: from which the newer one is
    preferred and the doubt noted. ``context_lines``: how many earlier turns of a session are looked at.
    ``candidates``: how many earlier memories a new one is compared with, per channel. ``seeds``: how many
    candidates each channel of a recall nominates. ``hops`` and ``spread``: how far and to how many entities
    a recall expands. ``max_text``: characters that one message may have. ``propose_turns`` and
    ``propose_sessions``: in how many a form must stand to be proposed as a name. ``answers``: how many answers of
    ``recall`` and ``about`` are kept ready while nothing changes, 0 for none. ``model_calls`` and
    ``model_seconds``: how often and how long a language model, where there is one, may be asked for one
    ``remember``. ``backlog``: how many jobs of a tenant may wait. ``jobs_attempts``: how often one is tried,
    ``jobs_backoff``: seconds before the second attempt (doubled before each further one), ``jobs_lease``: seconds
    after which a worker that has not come back is no longer waited for, ``jobs_kept``: seconds for which a job
    that is done can be asked after. Raises ``InvalidInput`` naming the
    field that cannot be used.
    """

    keep_from: float = 0.6
    overrule_from: float = 0.65
    doubt_from: float = 0.15
    context_lines: int = 3
    candidates: int = 20
    seeds: int = 30
    hops: int = 2
    spread: int = 20
    max_text: int = 1_000_000
    propose_turns: int = 3
    propose_sessions: int = 2
    answers: int = 0
    model_calls: int = 6
    model_seconds: float = 10.0
    backlog: int = 10_000
    jobs_attempts: int = 8
    jobs_backoff: float = 1.0
    jobs_lease: float = 60.0
    jobs_kept: float = 86_400.0

    def __post_init__(self) -> None:
        for name in ("keep_from", "overrule_from", "doubt_from"):
            value = getattr(self, name)
            if not 0.0 <= value <= 1.0:
                raise InvalidInput(name, f"{value} is no probability", "choose a number from 0 to 1")
        for name in (
            "context_lines",
            "candidates",
            "seeds",
            "hops",
            "spread",
            "max_text",
            "propose_turns",
            "propose_sessions",
            "answers",
            "model_calls",
            "backlog",
            "jobs_attempts",
        ):
            least = 0 if name in ("context_lines", "hops", "answers", "model_calls") else 1
            if getattr(self, name) < least:
                raise InvalidInput(name, f"{getattr(self, name)} is too few", f"choose {least} or more")
        if not 0.0 <= self.model_seconds <= 3600.0:
            raise InvalidInput("model_seconds", f"is {self.model_seconds}", "choose seconds from 0 to 3600")
        for name in ("jobs_backoff", "jobs_lease", "jobs_kept"):
            if not 0.0 < getattr(self, name) <= _YEAR:
                raise InvalidInput(
                    name, f"is {getattr(self, name)}", "choose seconds above 0, a year at most"
                )
        if self.doubt_from > self.overrule_from:
            raise InvalidInput("doubt_from", "is above overrule_from", "make it the smaller of the two")
