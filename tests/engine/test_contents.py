"""Messages as chat APIs write them: parts, calls of tools, nothing said."""

from typing import Any

import pytest

from mnemic import InvalidInput, Mnemic
from tests.engine.told import rows, unchanged

CALL = {"id": "c1", "type": "function", "function": {"name": "look_up", "arguments": "{}"}}
IMAGE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,aaaa"}}


def test_the_texts_of_a_message_in_parts_are_its_words(memory: Mnemic) -> None:
    parts = [
        {"type": "text", "text": "Lea lives in Porto."},
        IMAGE,
        {"type": "text", "text": "李雷住在成都。"},
    ]
    memory.remember({"role": "user", "content": parts})
    assert [turn["text"] for turn in rows(memory, "turn")] == ["Lea lives in Porto.\n李雷住在成都。"]
    assert len(rows(memory, "memory")) == 2


SILENT: list[dict[str, Any]] = [
    {"role": "assistant", "content": None, "tool_calls": [CALL]},
    {"role": "assistant", "content": None, "refusal": None, "annotations": []},
    {"role": "assistant", "tool_calls": [CALL]},
    {"role": "assistant", "content": "", "function_call": {"name": "look_up", "arguments": "{}"}},
    {"role": "tool", "tool_call_id": "c1", "content": None},
    {"role": "user", "content": [IMAGE]},
    {"role": "user", "content": [{"type": "text", "text": " "}, IMAGE]},
]


@pytest.mark.parametrize("message", SILENT)
def test_a_message_without_words_is_left_out_and_counted(memory: Mnemic, message: dict[str, Any]) -> None:
    with unchanged(memory):
        assert memory.remember(message).silent == (0,)
    talk = [
        {"role": "user", "content": "Sam lives in Bern."},
        message,
        {"role": "assistant", "content": "Noted."},
    ]
    receipt = memory.remember(talk)
    assert receipt.silent == (1,)
    assert len(receipt.turns) == 2


def test_a_tool_that_said_something_is_a_turn(memory: Mnemic) -> None:
    told = memory.remember({"role": "tool", "tool_call_id": "c1", "content": "17 rows"})
    assert (len(told.turns), told.silent) == (1, ())


@pytest.mark.parametrize("content", [None, "", "  ", []])
def test_a_user_who_says_nothing_is_an_error(memory: Mnemic, content: Any) -> None:
    with unchanged(memory), pytest.raises(InvalidInput, match=r"^content"):
        memory.remember({"role": "user", "content": content})
