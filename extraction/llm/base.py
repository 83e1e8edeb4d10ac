"""The seam: what a language model may be asked, and in which form it answers."""

from typing import Literal, Protocol

from pydantic import BaseModel, ConfigDict, Field

from mnemic.extraction.model import Modality

EXTRACT, JUDGE, SUMMARISE = STAGES = ("extract", "judge", "summarise")
"""What can be asked: what a message states, whether one statement overrules another, one in short."""

Opinion = Literal["yes", "no", "unsure"]


class _Answer(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Extracted(_Answer):
    """One statement as the model reads it, in words of the message; ``predicate`` is one of the inventory."""

    subject: str = Field(min_length=1, max_length=100)
    predicate: str = Field(min_length=1, max_length=40)
    object: str = Field(min_length=1, max_length=200)
    modality: Modality = Field(strict=False)


class Extraction(_Answer):
    """The answer to ``extract``."""

    statements: tuple[Extracted, ...] = Field(max_length=8, strict=False)


class Judgement(_Answer):
    """The answer to ``judge``."""

    overrules: Opinion


class Summary(_Answer):
    """The answer to ``summarise``."""

    summary: str = Field(min_length=1, max_length=240)


class LanguageModel(Protocol):
    """Answers questions about texts in which names stand for names: ``PERSON_1`` is somebody.

    Every method returns within ``within`` seconds and raises ``ModelError`` where there is no usable answer,
    whatever the reason. Safe to share between threads.
    """

    @property
    def name(self) -> str:
        """What it is called in receipts."""
        ...

    @property
    def stages(self) -> frozenset[str]:
        """What it is to be asked; see ``STAGES``."""
        ...

    def extract(self, text: str, *, within: float) -> Extraction:
        """Return what a message states."""
        ...

    def judge(self, older: str, newer: str, *, within: float) -> Judgement:
        """Return whether the newer statement says that the older one holds no longer."""
        ...

    def summarise(self, text: str, *, within: float) -> Summary:
        """Return a text in one short sentence."""
        ...
