"""A language model without a model, for tests and examples: it answers what it was given."""

from collections.abc import Iterable, Mapping, Sequence

from mnemic.errors import ModelError
from mnemic.extraction.llm.base import STAGES, Extracted, Extraction, Judgement, Opinion, Summary


class ScriptedModel:
    """Answers each text as the script says, and notes in ``heard`` what it was asked.

    >>> model = ScriptedModel(opinions={"it is with Ben now": "yes"})
    >>> model.judge("it is in the hall", "it is with Ben now", within=1.0).overrules
    'yes'
    """

    name = "scripted"

    def __init__(
        self,
        *,
        statements: Mapping[str, Sequence[Extracted]] | None = None,
        opinions: Mapping[str, Opinion] | None = None,
        summaries: Mapping[str, str] | None = None,
        stages: Iterable[str] = STAGES,
    ) -> None:
        self._statements, self._opinions = statements or {}, opinions or {}
        self._summaries = summaries or {}
        self.stages = frozenset(stages)
        self.heard: list[str] = []

    def extract(self, text: str, *, within: float) -> Extraction:
        """Return the statements of the script, none for a text that is not in it."""
        self.heard.append(text)
        return Extraction(statements=tuple(self._statements.get(text, ())))

    def judge(self, older: str, newer: str, *, within: float) -> Judgement:
        """Return the opinion of the script on the newer text, else that it is unsure."""
        self.heard += (older, newer)
        return Judgement(overrules=self._opinions.get(newer, "unsure"))

    def summarise(self, text: str, *, within: float) -> Summary:
        """Return the summary of the script, or raise ``ModelError``."""
        self.heard.append(text)
        if text not in self._summaries:
            raise ModelError("the script has no summary of this text")
        return Summary(summary=self._summaries[text])
