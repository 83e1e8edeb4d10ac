"""What an assistant said, out of the bytes of its answer."""

import json
from typing import Any

LONGEST = 1_000_000
"""So many bytes of a line, and characters of an answer, are read; of a longer one nothing is remembered."""


def said_in(content: bytes) -> str:
    """Return the words of the first choice of a whole answer, empty where it has none."""
    return _text(_first(content), "message")


class Stream:
    """Listens to the events of a streamed answer; ``words`` are those so far, ``whole`` that it came to its end."""

    def __init__(self) -> None:
        self._line = bytearray()
        self._parts: list[str] = []
        self._size = 0
        self.whole = False

    @property
    def words(self) -> str:
        """What was said in the first choice until now."""
        return "".join(self._parts) if self._size <= LONGEST else ""

    def add(self, piece: bytes) -> None:
        """Take in the next bytes, wherever they begin and end."""
        *whole, rest = piece.split(b"\n")
        for line in whole:
            self._hear(bytes(self._line + line).strip())
            self._line.clear()
        if len(self._line) + len(rest) > LONGEST:
            self._size = LONGEST + 1
            rest = b""
        self._line += rest

    def _hear(self, line: bytes) -> None:
        if not line.startswith(b"data:"):
            return
        data = line.removeprefix(b"data:").strip()
        if data == b"[DONE]":
            self.whole = True
            return
        choice = _first(data)
        self.whole = self.whole or bool(choice.get("finish_reason"))
        words = _text(choice, "delta")
        self._size += len(words)
        if words and self._size <= LONGEST:
            self._parts.append(words)


def _first(content: bytes) -> dict[str, Any]:
    """Return the choice with the index 0, empty where there is none."""
    try:
        choices = json.loads(content)["choices"]
        chosen = [choice for choice in choices if isinstance(choice, dict) and choice.get("index", 0) == 0]
    except (ValueError, RecursionError, LookupError, TypeError):
        return {}
    return chosen[0] if chosen else {}


def _text(choice: dict[str, Any], field: str) -> str:
    message = choice.get(field)
    content = message.get("content") if isinstance(message, dict) else None
    return content if isinstance(content, str) else ""
