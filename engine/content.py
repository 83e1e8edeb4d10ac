"""What an OpenAI-style message says: a text, a list of parts, or nothing, as when a tool is called."""

from collections.abc import Mapping
from typing import Any

from mnemic.errors import InvalidInput

BESIDE = frozenset({"tool_calls", "tool_call_id", "function_call", "refusal", "annotations", "audio"})
"""Fields beside the content that hold no words of the conversation."""

_CALLS = ("tool_calls", "function_call")
_TEXTS = frozenset({"text", "input_text", "output_text"})
_WORDLESS = frozenset({"assistant", "tool"})


def words_of(content: Any) -> str:
    """Return the words of a content: its text, or the texts among its parts, one below the other."""
    if isinstance(content, list):
        return "\n".join(part["text"] for part in content if part["type"] in _TEXTS)
    return content or ""


def is_silent(row: Mapping[str, Any], role: str) -> bool:
    """Tell whether a message may say nothing and does so: a call of a tool, an empty result, an image."""
    content = row.get("content")
    if content is None and "content" in row and role in _WORDLESS:
        return True
    if not content and any(row.get(field) for field in _CALLS):
        return True
    return isinstance(content, list) and bool(content) and not words_of(content).strip()


def require_parts(content: Any, field: str) -> None:
    """Raise ``InvalidInput`` for a list that is no list of parts with a type, and of texts with a text."""
    for number, part in enumerate(content if isinstance(content, list) else ()):
        typed = isinstance(part, Mapping) and isinstance(part.get("type"), str)
        if not typed or (part["type"] in _TEXTS and not isinstance(part.get("text"), str)):
            raise InvalidInput(
                f"{field}[{number}]", "is no part of a message", 'write {"type": "text", "text": …}'
            )
