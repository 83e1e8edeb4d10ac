"""The endpoint over real HTTP: right answers are taken, everything else is an error of ours, in time."""

import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from mnemic import Endpoint, InvalidInput, ModelError, UnknownName
from mnemic.extraction.llm.breaker import FAILURES
from tests.extraction.llm import server
from tests.extraction.llm.server import Answer, Fake, endpoint, envelope, raw, saying

STATED = {"subject": "I", "predicate": "lives_in", "object": "Bern", "modality": "asserted"}


@pytest.fixture
def fake() -> Iterator[Fake]:
    with endpoint() as fake:
        yield fake


def test_a_right_answer_is_taken(fake: Fake) -> None:
    fake.answer = saying(
        {
            "extract": {"statements": [STATED]},
            "judge": '```json\n{"overrules": "yes"}\n```',
            "summarise": {"summary": "短句"},
        }
    )
    model = Endpoint(fake.url, name="small", key="sk-secret")
    assert model.extract("I live in Bern", within=5).statements[0].object == "Bern"
    assert model.judge("a", "b", within=5).overrules == "yes"
    assert model.summarise("很长", within=5).summary == "短句"
    assert b"Bearer sk-secret" in fake.heard
    assert "secret" not in repr(model)


NOT_USABLE: dict[str, Callable[[Fake], Answer]] = {
    "no JSON": lambda _: raw(b"<html>hello"),
    "no bytes": lambda _: raw(b""),
    "another document": lambda _: raw(b'{"error": "no"}'),
    "a list": lambda _: raw(b"[1]"),
    "no choices": lambda _: raw(b'{"choices": []}'),
    "no words": lambda _: raw(envelope("x").replace(b'"x"', b"null")),
    "deep nesting": lambda _: raw(b"[" * 100_000),
    "no UTF-8": lambda _: raw(b"\xff\xfe\x00"),
    "content that is no JSON": lambda _: raw(envelope("yes, I think so")),
    "content that is too deep": lambda _: raw(envelope("[" * 50_000)),
    "a word that is no choice": lambda _: raw(envelope({"overrules": "surely"})),
    "a field too many": lambda _: raw(envelope({"overrules": "yes", "also": "forget all"})),
    "a field too few": lambda _: raw(envelope({})),
    "a wrong type": lambda _: raw(envelope({"overrules": ["yes"]})),
    "500": lambda _: raw(b"oops", 500),
    "401": lambda _: raw(b"no", 401),
    "a redirect": lambda _: raw(b"", 302),
    "half an answer": lambda _: server.breaks_off,
    "50 MB": lambda _: server.floods,
    "silence": server.hangs,
    "drops": server.drips,
}


@pytest.mark.parametrize("case", NOT_USABLE)
def test_everything_else_is_an_error_of_ours_in_time(fake: Fake, case: str) -> None:
    fake.answer = NOT_USABLE[case](fake)
    model = Endpoint(fake.url, name="small", key="sk-secret", timeout=0.5)
    begun = time.monotonic()
    with pytest.raises(ModelError) as caught:
        model.judge("a", "b", within=60)
    assert time.monotonic() - begun < 2.0
    assert "secret" not in str(caught.value)


def test_nobody_there_is_an_error_of_ours() -> None:
    with pytest.raises(ModelError, match="cannot be reached"):
        Endpoint("http://127.0.0.1:9/v1", name="small").judge("a", "b", within=1)


def test_the_callers_bound_counts_where_it_is_the_shorter(fake: Fake) -> None:
    fake.answer = server.hangs(fake)
    begun = time.monotonic()
    with pytest.raises(ModelError, match=r"0\.2 s"):
        Endpoint(fake.url, name="small", timeout=30).judge("a", "b", within=0.2)
    assert time.monotonic() - begun < 2.0


def test_what_fails_again_and_again_is_left_alone_and_tried_once_after_a_rest(fake: Fake) -> None:
    now = [0.0]
    fake.answer = raw(b"oops", 500)
    model = Endpoint(fake.url, name="small", rest=60, ticks=lambda: now[0])

    def asked() -> int:
        before = len(fake.got)
        with pytest.raises(ModelError):
            model.judge("a", "b", within=5)
        return len(fake.got) - before

    assert all(asked() for _ in range(FAILURES))
    assert not any(asked() for _ in range(5))
    now[0] = 61
    assert [bool(asked()) for _ in range(3)] == [True, False, False]
    now[0] = 200
    fake.answer = saying({"judge": {"overrules": "no"}})
    assert [model.judge("a", "b", within=5).overrules for _ in range(3)] == ["no"] * 3


@pytest.mark.parametrize(
    "wrong",
    [
        {"url": "localhost:11434"},
        {"url": "ftp://x/v1"},
        {"url": ""},
        {"url": "http://"},
        {"url": "http://[::1"},
        {"url": "http://ada:pass@x/v1"},
        {"url": "http://x/v1?key=1"},
        {"url": "http://x:99999/v1"},
        {"name": " "},
        {"key": ""},
        {"key": "two\nlines"},
        {"key": "密钥"},
        {"timeout": 0},
        {"timeout": -1},
        {"timeout": float("nan")},
        {"timeout": 1e9},
    ],
)
def test_what_cannot_be_used_is_named(wrong: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput) as caught:
        Endpoint(**({"url": "http://x/v1", "name": "small"} | wrong))
    assert next(iter(wrong)) in caught.value.field
    assert "pass@" not in str(caught.value)


def test_an_unknown_stage_is_answered_with_the_known_ones() -> None:
    with pytest.raises(UnknownName, match="summarise"):
        Endpoint("http://x/v1", name="small", stages=["summarize"])


def test_the_address_of_the_verb_is_taken_too(fake: Fake) -> None:
    fake.answer = saying({"judge": {"overrules": "no"}})
    Endpoint(f"{fake.url}/chat/completions", name="small").judge("a", "b", within=5)
    assert b"POST /v1/chat/completions " in fake.heard
