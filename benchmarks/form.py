"""The form of a scenario file: a short history that a memory is told, and checks of what it must say then."""

from datetime import datetime, timedelta
from typing import Literal

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field

Kind = Literal["recall", "about", "path", "explore", "history", "absent", "same", "distinct", "open_tasks"]

DEFAULT_WAIT = timedelta(hours=1)
"""How long after the last turn a check is asked that does not say when."""


class Form(BaseModel):
    """The base of all parts: frozen; an unknown field is an error, so that no check is half understood."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


class Name(Form):
    """An entry of the user's own dictionary."""

    name: str
    kind: str
    aliases: tuple[str, ...] = ()


class Told(Form):
    """One turn of the history."""

    id: str
    session: str
    at: AwareDatetime
    speaker: str
    role: Literal["user", "assistant"]
    text: str


class Check(Form):
    """One question and its expectation; which fields are set depends on what it does (see the data)."""

    do: Kind
    at: AwareDatetime | None = None
    query: str = ""
    expect: tuple[str, ...] = ()
    forbid: tuple[str, ...] = ()
    top: int = 5
    nothing: bool = False
    valid_as_of: AwareDatetime | None = None
    name: str = ""
    names: tuple[str, ...] = ()
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    source: str = Field("", alias="from")
    target: str = Field("", alias="to")
    through: tuple[str, ...] = ()
    max_hops: int = 4
    hops: int = 2
    order: tuple[str, ...] = ()
    text: str = ""

    def as_written(self) -> dict[str, object]:
        """Return the fields that the file gives."""
        return self.model_dump(mode="json", by_alias=True, exclude_unset=True)


class Scenario(Form):
    """A history with its checks."""

    id: str
    language: str
    category: str
    note: str
    dictionary: tuple[Name, ...] = ()
    turns: tuple[Told, ...] = Field(min_length=1)
    checks: tuple[Check, ...] = Field(min_length=1)

    def asked_at(self, check: Check) -> datetime:
        """Return when a check is asked: when it says, or an hour after the last turn."""
        return check.at or max(turn.at for turn in self.turns) + DEFAULT_WAIT

    def in_time(self) -> list[Told | Check]:
        """Return turns and checks in the order of time; at one moment turns come first.

        Checks of one moment keep their order, besides ``absent`` ones: they come last, because looking
        behind every door may itself move memories about.
        """
        dated: list[tuple[datetime, int, Told | Check]] = [
            *((turn.at, 0, turn) for turn in self.turns),
            *((self.asked_at(check), 2 if check.do == "absent" else 1, check) for check in self.checks),
        ]
        return [event for _, _, event in sorted(dated, key=lambda entry: entry[:2])]
