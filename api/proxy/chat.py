"""The body of a chat completion: what is asked, what was said before, and the same body with a memory put in."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from typing import Any

import yaml

from mnemic.engine.content import require_parts, words_of
from mnemic.errors import InvalidInput
from mnemic.extraction.text import tongue
from mnemic.graph.ids import digest

_LONGEST = 4_000
"""So many characters of a message are asked with: of long ones the end, where the question mostly stands."""

_SPOKEN = ("user", "assistant")
_LEADING = ("system", "developer")


@dataclass(frozen=True)
class Chat:
    """A body as it came (``raw``). What cannot be read as a chat has no question, and is for the upstream to judge.

    ``session`` names the conversation; where it is empty, the words that the conversation began with do.
    """

    raw: bytes
    given: str = ""

    @cached_property
    def question(self) -> str:
        """The words of the last message of the user, empty where there are none."""
        return _words(self._messages[self._place]) if self._place >= 0 else ""

    @property
    def asked(self) -> str:
        """The question, no longer than one asks with."""
        return self.question[-_LONGEST:]

    def before(self, most: int) -> list[str]:
        """Return the last ``most`` things that were said before the question."""
        return [words[-_LONGEST:] for _, words in self._said[:-1] if words.strip()][-most:]

    @cached_property
    def session(self) -> str:
        """The session to remember the conversation in."""
        first = next((words for role, words in self._said if role == "user"), "")
        return self.given or f"chat-{digest('chat', first)}"

    def told(self, answer: str) -> list[dict[str, str]]:
        """Return the question, and the answer if there is one, as messages to remember.

        Their ids are made of all that was said until then: sent again, they are the same turns.
        """
        asker = self._messages[self._place].get("name")
        row = {"role": "user", "content": self.question, "id": self._id()}
        rows = [row | {"name": asker} if isinstance(asker, str) and asker.strip() else row]
        if answer.strip():
            rows.append({"role": "assistant", "content": answer, "id": self._id(answer)})
        return rows

    def with_memory(self, text: str) -> bytes:
        """Return the body with ``text`` as a system message behind those that lead."""
        words = f"{_words_before()[tongue(self.asked)]}\n\n{text}"
        leading = next(
            (number for number, row in enumerate(self._messages) if row.get("role") not in _LEADING), 0
        )
        messages = [*self._messages]
        messages.insert(leading, {"role": "system", "content": words})
        return json.dumps({**self._body, "messages": messages}).encode()

    @cached_property
    def _body(self) -> Mapping[str, Any]:
        try:
            body = json.loads(self.raw)
        except (ValueError, RecursionError):
            return {}
        return body if isinstance(body, dict) else {}

    @cached_property
    def _messages(self) -> Sequence[Mapping[str, Any]]:
        messages = self._body.get("messages")
        well = isinstance(messages, list) and all(isinstance(row, dict) for row in messages)
        return messages if well and isinstance(messages, list) else ()

    @cached_property
    def _place(self) -> int:
        """Where the last message of the user stands, -1 where there is none."""
        return max(
            (number for number, row in enumerate(self._messages) if row.get("role") == "user"), default=-1
        )

    @cached_property
    def _said(self) -> list[tuple[str, str]]:
        """Who said what, up to the question."""
        return [
            (row["role"], _words(row))
            for row in self._messages[: self._place + 1]
            if row.get("role") in _SPOKEN
        ]

    def _id(self, *answer: str) -> str:
        said = [part for spoken in self._said for part in spoken]
        return f"p{digest(self.session, *said, *answer)}"


def _words(row: Mapping[str, Any]) -> str:
    content = row.get("content")
    try:
        require_parts(content, "content")
    except InvalidInput:
        return ""
    return words_of(content) if isinstance(content, str | list) else ""


@cache
def _words_before() -> Mapping[str, str]:
    loaded: Mapping[str, str] = yaml.safe_load((files("mnemic.api.proxy") / "words.yaml").read_text("utf-8"))
    return loaded
