"""What cannot be used is refused at once, by name, and changes nothing."""

from collections.abc import Callable
from datetime import datetime
from time import process_time
from typing import Any

import pytest

from mnemic import InvalidInput, Mnemic, MnemicError, NotFound, UnknownName
from tests.engine.told import day, unchanged

SAID = "Ben lives in Berlin."
HUGE = 10_000_000

Call = Callable[[Any], Any]
"""A call of a door with arguments of any type."""


def told(memory: Mnemic, *args: Any, **options: Any) -> Any:
    """Call ``remember`` with what no type checker would let through."""
    return memory.remember(*args, **options)


TEXTS: dict[str, Any] = {
    "empty": "",
    "blank": " \t\n　",
    "NUL": "a\x00b",
    "lone surrogate": "a\ud800b",
    "bytes": b"Ben",
    "nothing": None,
    "number": 7,
    "too long": "a" * 1_000_001,
    "10 MB": "a" * HUGE,
    "10 MB of Chinese": "王" * HUGE,
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_a_text_that_cannot_be_used_is_refused_by_every_door_that_takes_one(
    memory: Mnemic, text: Any
) -> None:
    doors: dict[str, Call] = {
        "content": lambda value: memory.remember({"role": "user", "content": value}),
        "query": lambda value: memory.recall(value),
        "text": lambda value: memory.analyse(value),
    }
    begun = process_time()
    for field, door in doors.items():
        with unchanged(memory), pytest.raises(InvalidInput) as caught:
            door(text)
        assert caught.value.field == field
        assert len(str(caught.value)) < 300
    assert process_time() - begun < 0.5


@pytest.mark.parametrize("message", [b"Ben", None, 7, 1.5, {"Ben"}, bytearray(b"Ben"), len])
def test_a_message_that_is_no_text_and_no_list_is_refused(memory: Mnemic, message: Any) -> None:
    with unchanged(memory), pytest.raises(InvalidInput, match=r"^message"):
        memory.remember(message)


@pytest.mark.parametrize(
    ("message", "field"),
    [
        ({}, "content"),
        ({"role": "user"}, "content"),
        ({"content": [{"type": "text"}]}, "content[0]"),
        ({"content": [{"type": "text", "text": SAID}, {"text": SAID}]}, "content[1]"),
        ({"content": [SAID]}, "content[0]"),
        ({"content": []}, "content"),
        ({"content": None}, "content"),
        ({"content": SAID, 7: "red", "colour": "red"}, "7"),
        ({"content": SAID, "role": "boss"}, "role"),
        ({"content": SAID, "role": None}, "role"),
        ({"content": SAID, "role": ["user"]}, "role"),
        ({"content": SAID, "colour": "red"}, "colour"),
        ({"content": SAID, "name": 7}, "name"),
        ({"content": SAID, "name": "a\ud800"}, "name"),
        ({"content": SAID, "session": "a\x00"}, "session"),
        ({"content": SAID, "session": 7}, "session"),
        ({"content": SAID, "at": "yesterday"}, "at"),
        ({"content": SAID, "at": None}, "at"),
        ({"content": SAID, "at": 7}, "at"),
        ({"content": SAID, "at": "2026-03-02"}, "at"),
        ({"content": SAID, "at": datetime(2026, 3, 2)}, "at"),
        ({"content": SAID, "at": day(0).date()}, "at"),
    ],
)
def test_a_field_of_a_message_that_cannot_be_used_is_refused_by_name(
    memory: Mnemic, message: dict[str, Any], field: str
) -> None:
    with unchanged(memory), pytest.raises(InvalidInput) as caught:
        memory.remember(message)
    assert caught.value.field == field
    with pytest.raises(InvalidInput) as caught:
        memory.remember([{"content": SAID}, message])
    assert caught.value.field == f"messages[1].{field}"


@pytest.mark.parametrize("message", [{"content": SAID, "colour": 1}, {"content": SAID, "role": "boss"}])
def test_an_unknown_key_or_role_lists_the_known_ones(memory: Mnemic, message: dict[str, Any]) -> None:
    with pytest.raises(UnknownName, match="assistant" if "role" in message else "session"):
        memory.remember(message)


WRONG: dict[str, list[tuple[Any, pytest.MarkDecorator | None]]] = {
    "importance": [(2, None), (-0.1, None), (float("nan"), None), ("high", None), ([], None)],
    "confidence": [(1.1, None), ("high", None)],
    "kind": [("rumour", None), ("", None), (7, None)],
    "visibility": [("public", None), ("", None), (7, None)],
    "tags": [("home", None), (None, None), ([7], None)],
    "metadata": [({"a": len}, None), ({"a": "\ud800"}, None), ([7], None)],
    "session": [(7, None), ("a\x00", None)],
    "speaker": [(7, None), ("a\ud800", None)],
    "at": [("yesterday", None), (7, None)],
    "id": [("\ud800", None), ("a\x00b", None), (["a"], None)],
    "replaces": [("nothing like it", None), (7, None), ("\ud800", None)],
    "role": [("boss", None), (7, None)],
}


@pytest.mark.parametrize(
    ("option", "value"),
    [
        pytest.param(option, value, marks=[mark] if mark else [], id=f"{option}={value!r}"[:40])
        for option, wrong in WRONG.items()
        for value, mark in wrong
    ],
)
def test_an_option_of_remember_that_cannot_be_used_is_refused(
    memory: Mnemic, option: str, value: Any
) -> None:
    with unchanged(memory), pytest.raises((InvalidInput, NotFound)):
        told(memory, SAID, **{option: value})


Read = Callable[[Mnemic, Any], Any]

READS: dict[str, tuple[Read, list[tuple[Any, pytest.MarkDecorator | None]]]] = {
    "limit": (lambda memory, value: memory.recall(SAID, limit=value), [("5", None), (1.5, None)]),
    "budget": (lambda memory, value: memory.recall(SAID, budget=value), [("5", None)]),
    "depth": (lambda memory, value: memory.recall(SAID, depth=value), [(None, None), (3, None)]),
    "profile": (lambda memory, value: memory.recall(SAID, profile=value), [(3, None), ([], None)]),
    "kinds": (
        lambda memory, value: memory.recall(SAID, kinds=value),
        [("fact", None), ([7], None), (None, None)],
    ),
    "tags": (lambda memory, value: memory.recall(SAID, tags=value), [("home", None), ([7], None)]),
    "entities": (lambda memory, value: memory.recall(SAID, entities=value), [("Ben", None), ([7], None)]),
    "conversation": (lambda memory, value: memory.recall(SAID, conversation=value), [("hi", None)]),
    "session": (lambda memory, value: memory.recall(SAID, session=value), [("\ud800", None), ("", None)]),
    "tags[0]": (lambda memory, value: memory.recall(SAID, tags=[value]), [("\ud800", None), ("", None)]),
    "entities[0]": (
        lambda memory, value: memory.recall(SAID, entities=[value]),
        [("\x00", None), (" ", None)],
    ),
    "conversation[0]": (
        lambda memory, value: memory.recall(SAID, conversation=[value]),
        [("\ud800", None), ("王" * HUGE, None)],
    ),
    "speaker": (lambda memory, value: memory.analyse(SAID, speaker=value), [("\ud800", None), ("", None)]),
    "since": (lambda memory, value: memory.recall(SAID, since=value), [("2026-01-01", None)]),
    "valid_as_of": (lambda memory, value: memory.recall(SAID, valid_as_of=value), [("2026-01-01", None)]),
    "known_as_of": (lambda memory, value: memory.about("Ben", known_as_of=value), [(7, None)]),
    "hops": (lambda memory, value: memory.explore("Ben", hops=value), [(9, None), ("2", None)]),
    "max_hops": (lambda memory, value: memory.path("Ben", "Ben", max_hops=value), [(-1, None), (None, None)]),
    "predicate": (lambda memory, value: memory.history("Ben", predicate=value), [("none", None), (7, None)]),
    "name": (lambda memory, value: memory.about(value), [("", None), (7, None), ("a" * 5000, None)]),
}


@pytest.mark.parametrize(
    ("field", "value"),
    [
        pytest.param(field, value, marks=[mark] if mark else [], id=f"{field}={value!r}"[:40])
        for field, (_, wrong) in READS.items()
        for value, mark in wrong
    ],
)
def test_an_option_of_a_read_that_cannot_be_used_is_refused_by_name(
    memory: Mnemic, field: str, value: Any
) -> None:
    memory.remember(SAID)
    read, _ = READS[field]
    with pytest.raises(InvalidInput) as caught:
        read(memory, value)
    assert caught.value.field == field


@pytest.mark.parametrize("pointer", ["\ud800", "a\x00b", "", "no such thing", 7])
def test_a_pointer_to_nothing_is_an_error_of_ours(memory: Mnemic, pointer: Any) -> None:
    memory.remember(SAID)
    for act in (memory.forget, memory.doomed):
        with unchanged(memory), pytest.raises(MnemicError):
            act(pointer)


@pytest.mark.parametrize(
    "scope",
    [
        {"user": None},
        {"user": 7},
        {"tenant": None},
        {"user": "a\x00"},
        {"user": "\ud800"},
        {"tenant": "\ud800"},
    ],
)
def test_a_scope_that_cannot_be_used_is_refused(scope: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput):
        Mnemic(":memory:", **{"user": "ada", "embedder": "none", **scope}).remember(SAID)


def test_any_text_that_can_be_stored_is_taken(memory: Mnemic) -> None:
    for number, text in enumerate(
        ["\ufeffBen", "e\u0301" * 50, "\u202eneB", "👩‍👩‍👧‍👦", "a\r\nb\u2028c", "%_'\";--", "{}", "\\"]
    ):
        assert memory.remember(text, id=str(number)).turns == (str(number),)
        memory.recall(text)


@pytest.mark.parametrize("at", [datetime.min, datetime.max])
def test_a_moment_at_the_end_of_time_breaks_nothing(memory: Mnemic, at: datetime) -> None:
    moment = at.replace(tzinfo=day(0).tzinfo)
    try:
        memory.remember("Ben will be in Berlin tomorrow and was in Paris yesterday.", at=moment)
        memory.recall("Where was Ben last week?", valid_as_of=moment)
        memory.about("Ben", known_as_of=moment)
    except MnemicError:
        pass  # refusing it would do as well


def test_a_long_word_takes_no_more_than_its_length(memory: Mnemic) -> None:
    memory.analyse("warm up")
    begun = process_time()
    memory.analyse("a" * 10_000)
    assert process_time() - begun < 0.5


@pytest.mark.parametrize("slip", ["a" * HUGE, "王" * HUGE], ids=["Latin", "Chinese"])
def test_an_endless_name_is_refused_quickly_and_shown_in_short(memory: Mnemic, slip: str) -> None:
    memory.remember(SAID)
    doors: list[Call] = [
        lambda name: memory.remember(SAID, kind=name),
        lambda name: memory.remember({"content": SAID, name: 1}),
        lambda name: memory.recall(SAID, profile=name),
        lambda name: told(memory, SAID, **{name: 1}),
        lambda name: memory.history("Ben", predicate=name),
        lambda name: memory.about(name),
        lambda name: memory.forget(name),
        lambda name: memory.learn(name),
        lambda name: memory.learn([{"name": name, "kind": "person"}]),
        lambda name: memory.unlearn(name),
        lambda name: Mnemic(":memory:", user=name, embedder="none"),
        lambda name: Mnemic(":memory:", user="ada", embedder=name),
    ]
    begun = process_time()
    for door in doors:
        with pytest.raises(MnemicError) as caught:
            door(slip)
        assert len(str(caught.value)) < 1000
    assert process_time() - begun < 3
