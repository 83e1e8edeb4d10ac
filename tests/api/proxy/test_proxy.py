"""A chat through the proxy: what goes up, what comes back, what is remembered; over real HTTP on both sides."""

import json
import time
from collections.abc import Callable
from threading import Event
from typing import Any

import httpx
import pytest
from anyio import sleep
from starlette.responses import Response

from mnemic import Mnemic, StoreBusy
from mnemic.api.service.tenants import Tenants
from tests.api.proxy.conftest import Fake, Proxy, chat, events, saying, streaming

CHAT = "/v1/chat/completions"
LIVES = "Ben lives in Berlin."
ASKED = "Where does Ben live?"


def told(memory: Mnemic) -> list[tuple[str, str]]:
    """Return who said what, as it is remembered."""
    return [
        (turn.role, turn.text)
        for row in memory.export()
        if row["type"] == "turn"
        for turn in [memory.turn(row["id"])]
    ]


def until(done: Callable[[], bool], seconds: float = 5.0) -> None:
    end = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_what_is_remembered_goes_up_as_one_system_message_and_the_turns_are_kept(
    proxy: Proxy, upstream: Fake, memory: Mnemic
) -> None:
    memory.remember(LIVES)
    upstream.answer = lambda: saying("In Berlin.")
    answer = proxy().post(CHAT, json=chat(ASKED))
    assert answer.json()["choices"][0]["message"]["content"] == "In Berlin."
    assert answer.headers["Mnemic-Recalled"] == "1"
    assert "Mnemic-Error" not in answer.headers
    system, user = upstream.last["messages"]
    assert system["role"] == "system"
    assert LIVES in system["content"]
    assert "no instruction" in system["content"]
    assert user == {"role": "user", "content": ASKED}
    assert sorted(told(memory))[:2] == [("assistant", "In Berlin."), ("user", LIVES)]
    assert ("user", ASKED) in told(memory)


def test_the_words_about_the_memory_are_in_the_tongue_of_the_question(
    proxy: Proxy, upstream: Fake, memory: Mnemic
) -> None:
    memory.remember("王小明住在上海。")
    proxy().post(CHAT, json=chat("王小明住在哪里？"))
    system = upstream.last["messages"][0]["content"]
    assert "不是指令" in system
    assert "王小明住在上海" in system


def test_all_else_is_forwarded_as_it_is(proxy: Proxy, upstream: Fake, memory: Mnemic) -> None:
    memory.remember(LIVES)
    image = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
    messages: list[dict[str, Any]] = [
        {"role": "system", "content": "Be brief."},
        {"role": "developer", "content": [{"type": "text", "text": "No jokes."}]},
        {"role": "user", "content": "Hello", "unheard_of": {"a": [1, 2.5, None, True]}},
        {"role": "assistant", "content": None, "tool_calls": [{"id": "t1", "type": "function", "function": {"name": "f", "arguments": "{\"a\": 1}"}}]},
        {"role": "tool", "tool_call_id": "t1", "content": "42"},
        {"role": "user", "content": [{"type": "text", "text": ASKED}, image]},
    ]  # fmt: skip
    more = {
        "tools": [{"type": "function", "function": {"name": "f"}}],
        "temperature": 0.1,
        "seed": 2**60,
        "x": "👩‍👩‍👧\u2028",
    }
    proxy().post(
        CHAT,
        json=chat(*messages, **more),
        headers={"OpenAI-Beta": "b", "Cookie": "c", "X-Other": "x"},
        params={"api-version": "1"},
    )
    up = upstream.last
    assert {name: value for name, value in up.items() if name not in ("messages", "model")} == more
    assert [row for row in up["messages"] if LIVES not in str(row)] == messages
    assert LIVES in up["messages"][2]["content"], "behind the messages that lead"
    where, headers, _ = upstream.got[-1]
    assert where == "/chat/completions?api-version=1"
    assert headers["authorization"] == "Bearer secret-upstream"
    assert headers["openai-beta"] == "b"
    assert not {"cookie", "x-other", "mnemic-session"} & headers.keys()
    assert "tenant.ada" not in str(headers)


@pytest.mark.parametrize(
    "raw",
    [
        *(b"", b"no json", b"[]", b"null", b"5", b'{"messages": null}', b'{"messages": [5]}', b'{"messages": []}', b'{"messages":  [ {} ] , "a":1e2}'),
        *(b'{"messages": [{"role": "user"}]}', b'{"messages": [{"role": "user", "content": [5, {"type": 1}]}]}'),
        *(b'{"messages": [{"role": "user", "content": {"a": 1}}]}', b'{"messages": [{"role": "system", "content": "Hi"}]}', b'\xff\xfe{'),
        b'{"messages": [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "u"}}]}]}',
        b'{"messages": [{"role": ["user"], "content": "x"}]}',
    ],
)  # fmt: skip
def test_what_holds_no_question_goes_up_byte_for_byte(
    proxy: Proxy, upstream: Fake, memory: Mnemic, raw: bytes
) -> None:
    answer = proxy().post(CHAT, content=raw, headers={"Content-Type": "application/json"})
    assert (answer.status_code, answer.headers["Mnemic-Recalled"]) == (200, "0")
    assert upstream.got[-1][2] == raw
    assert "Mnemic-Error" not in answer.headers
    assert told(memory) == []


def test_a_question_about_nothing_that_is_known_goes_up_byte_for_byte(
    proxy: Proxy, upstream: Fake, memory: Mnemic
) -> None:
    raw = b'{ "messages": [{"content": "What is a monad?", "role":"user"}], "temperature": 1.0}'
    proxy().post(CHAT, content=raw)
    assert upstream.got[-1][2] == raw
    assert told(memory)[-1] == ("user", "What is a monad?") or ("user", "What is a monad?") in told(memory)


def test_the_conversation_before_tells_what_is_meant_and_the_budget_bounds_what_is_put_in(
    proxy: Proxy, upstream: Fake, memory: Mnemic
) -> None:
    memory.remember(LIVES)
    client = proxy(budget=40)
    client.post(CHAT, json=chat("Do you know Ben?", "I do.", "Where does he live?"))
    assert LIVES in upstream.last["messages"][0]["content"]
    tight = proxy(budget=3).post(CHAT, json=chat(ASKED))
    assert tight.headers["Mnemic-Recalled"] == "0"


@pytest.mark.parametrize("size", [1, 3, 10_000])
def test_a_stream_comes_through_byte_for_byte_and_its_words_are_kept(
    proxy: Proxy, upstream: Fake, memory: Mnemic, size: int
) -> None:
    whole = b"".join(events("In ", "Berlin", " 在柏林。", "👩‍👩‍👧\u2028"))
    upstream.answer = streaming([whole[at : at + size] for at in range(0, len(whole), size)])
    with proxy().stream("POST", CHAT, json=chat(LIVES, stream=True)) as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        assert answer.headers["Mnemic-Recalled"] == "0"
        assert b"".join(answer.iter_raw()) == whole
    assert sorted(told(memory)) == [("assistant", "In Berlin 在柏林。👩‍👩‍👧\u2028"), ("user", LIVES)]


def test_events_come_while_the_upstream_still_speaks(proxy: Proxy, upstream: Fake, memory: Mnemic) -> None:
    go = Event()

    async def wait(number: int) -> None:
        while number == 2 and not go.is_set():
            await sleep(0.01)

    pieces = events("In ", "Berlin")
    upstream.answer = streaming(pieces, wait)
    with proxy().stream("POST", CHAT, json=chat(LIVES, stream=True)) as answer:
        got = b""
        for piece in answer.iter_raw():
            got += piece
            if b"In " in got:
                assert b"Berlin" not in got or go.is_set()
                go.set()
    assert got == b"".join(pieces)


def test_who_leaves_half_way_has_their_own_turn_kept(proxy: Proxy, upstream: Fake, memory: Mnemic) -> None:
    gone = Event()

    async def wait(number: int) -> None:
        while number == 2 and not gone.is_set():
            await sleep(0.01)

    upstream.answer = streaming(events("In ", "Berlin", "x" * 100_000), wait)
    client = proxy()
    with client.stream("POST", CHAT, json=chat(LIVES, stream=True)) as answer:
        next(answer.iter_raw())
    client.close()
    until(lambda: told(memory) != [])
    gone.set()
    time.sleep(0.1)
    assert told(memory) == [("user", LIVES)]


def test_who_leaves_at_the_last_event_has_the_answer_kept_too(
    proxy: Proxy, upstream: Fake, memory: Mnemic
) -> None:
    gone = Event()

    async def wait(number: int) -> None:
        while number == 3 and not gone.is_set():
            await sleep(0.01)

    upstream.answer = streaming([*events("In Berlin."), b": bye\n\n"], wait)
    client = proxy()
    with client.stream("POST", CHAT, json=chat(LIVES, stream=True)) as answer:
        for piece in answer.iter_raw():
            if b"[DONE]" in piece:
                break
    client.close()
    gone.set()
    until(lambda: len(told(memory)) == 2)


def test_an_upstream_that_breaks_off_is_seen_to_and_nothing_is_kept(
    proxy: Proxy, upstream: Fake, memory: Mnemic
) -> None:
    async def wait(number: int) -> None:
        if number == 2:
            raise OSError("the plug was pulled")

    upstream.answer = streaming(events("In ", "Berlin"), wait)
    with (
        proxy().stream("POST", CHAT, json=chat(LIVES, stream=True)) as answer,
        pytest.raises(httpx.RemoteProtocolError),
    ):
        list(answer.iter_raw())
    assert told(memory) == []


@pytest.mark.parametrize("status", [400, 401, 404, 429, 500, 503])
@pytest.mark.parametrize("stream", [False, True])
def test_an_error_of_the_upstream_comes_through_and_nothing_is_kept(
    proxy: Proxy, upstream: Fake, memory: Mnemic, status: int, stream: bool
) -> None:
    upstream.answer = lambda: Response(
        '{"error": {"message": "no"}}',
        status,
        headers={"Retry-After": "7", "X-RateLimit-Limit": "3", "Set-Cookie": "a=b"},
        media_type="application/json",
    )
    answer = proxy().post(CHAT, json=chat(LIVES, stream=stream))
    assert (answer.status_code, answer.json()) == (status, {"error": {"message": "no"}})
    assert (answer.headers["Retry-After"], answer.headers["X-RateLimit-Limit"]) == ("7", "3")
    assert "Set-Cookie" not in answer.headers
    assert told(memory) == []


def test_an_upstream_that_is_not_there_is_a_bad_gateway(proxy: Proxy, memory: Mnemic) -> None:
    client = proxy(url="http://127.0.0.1:9/v1")
    for answer in (client.post(CHAT, json=chat(LIVES)), client.get("/v1/models")):
        assert (answer.status_code, answer.json()["code"]) == (502, "ServiceError")
        assert "MNEMIC_UPSTREAM_URL" in answer.json()["detail"]
        assert "127.0.0.1" not in answer.text
    assert told(memory) == []


def test_models_are_those_of_the_upstream(proxy: Proxy, upstream: Fake) -> None:
    upstream.answer = lambda: Response('{"data": []}', media_type="application/json")
    client = proxy()
    assert client.get("/v1/models").json() == {"data": []}
    client.get("/v1/models/org/some model?x=1")
    assert [where for where, _, _ in upstream.got] == ["/models", "/models/org/some model?x=1"]


def test_the_session_is_the_one_told_or_else_that_of_the_conversation(
    proxy: Proxy, upstream: Fake, memory: Mnemic
) -> None:
    client = proxy()
    first = client.post(CHAT, json=chat("I prefer tea.")).headers["Mnemic-Session"]
    again = client.post(CHAT, json=chat({"role": "system", "content": "It is Monday."}, {"role": "user", "content": "I prefer tea."}, {"role": "assistant", "content": "Noted."}, {"role": "user", "content": "Ben lives in Berlin."})).headers["Mnemic-Session"]  # fmt: skip
    other = client.post(CHAT, json=chat("I prefer jazz.")).headers["Mnemic-Session"]
    named = client.post(CHAT, json=chat("I prefer rain."), headers={"Mnemic-Session": "%E7%AB%99%E4%BC%9A"})
    assert first == again != other
    assert named.headers["Mnemic-Session"] == "%E7%AB%99%E4%BC%9A"
    assert [turn.text for turn in memory.turns(session=first).items if turn.role == "user"] == [
        "I prefer tea.",
        LIVES,
    ]
    assert [turn.text for turn in memory.turns(session="站会").items if turn.role == "user"] == [
        "I prefer rain."
    ]


def test_what_is_sent_again_is_not_told_again(proxy: Proxy, upstream: Fake, memory: Mnemic) -> None:
    client = proxy()
    client.post(CHAT, json=chat(LIVES))
    client.post(CHAT, json=chat(LIVES))
    call = {"role": "assistant", "content": None, "tool_calls": [{"id": "t1"}]}
    client.post(CHAT, json=chat({"role": "user", "content": LIVES}, call, {"role": "tool", "tool_call_id": "t1", "content": "ok"}))  # fmt: skip
    assert sorted(told(memory)) == [("assistant", "Noted."), ("user", LIVES)]
    client.post(CHAT, json=chat(LIVES, "Noted.", LIVES))
    assert sorted(told(memory)) == [
        ("assistant", "Noted."),
        ("assistant", "Noted."),
        ("user", LIVES),
        ("user", LIVES),
    ]


def test_a_call_of_a_tool_says_nothing_and_the_users_turn_is_kept(
    proxy: Proxy, upstream: Fake, memory: Mnemic
) -> None:
    upstream.answer = lambda: saying(None)
    proxy().post(CHAT, json=chat(LIVES))
    assert told(memory) == [("user", LIVES)]


def test_a_request_may_go_without_recall_and_without_being_remembered(
    proxy: Proxy, upstream: Fake, memory: Mnemic
) -> None:
    memory.remember(LIVES)
    before = told(memory)
    client = proxy()
    answer = client.post(CHAT, json=chat(ASKED), headers={"Mnemic-Recall": "off", "Mnemic-Remember": "off"})
    assert answer.headers["Mnemic-Recalled"] == "0"
    assert len(upstream.last["messages"]) == 1
    assert told(memory) == before
    wrong = client.post(CHAT, json=chat(ASKED), headers={"Mnemic-Recall": "maybe"})
    assert (wrong.status_code, wrong.json()["code"]) == (422, "InvalidInput")


@pytest.mark.parametrize("key", ["x", "nobody", "tenant..write"])
def test_who_may_not_come_in_reaches_no_upstream(proxy: Proxy, upstream: Fake, key: str) -> None:
    client = proxy()
    for answer in (
        client.post(CHAT, json=chat(ASKED), headers={"Authorization": f"Bearer {key}"}),
        client.get("/v1/models", headers={"Authorization": key}),
    ):
        assert answer.status_code in (401, 422)
    assert upstream.got == []


def test_one_users_memory_is_never_put_before_another(proxy: Proxy, upstream: Fake, memory: Mnemic) -> None:
    memory.remember(LIVES)
    answer = proxy().post(
        CHAT, json=chat(ASKED, user="ada"), headers={"Authorization": "Bearer tenant.bob.write"}
    )
    assert answer.headers["Mnemic-Recalled"] == "0"
    assert LIVES not in json.dumps(upstream.last)
    assert ("user", ASKED) not in told(memory)


def fails(*_: Any, **__: Any) -> Any:
    raise StoreBusy("held by another process")


def bursts(*_: Any, **__: Any) -> Any:
    raise ZeroDivisionError


def hangs(*_: Any, **__: Any) -> Any:
    time.sleep(0.5)
    raise StoreBusy("too late")


@pytest.mark.parametrize("method", ["recall", "remember"])
@pytest.mark.parametrize(
    ("fault", "code"), [(fails, "StoreBusy"), (bursts, "ZeroDivisionError"), (hangs, "StoreBusy")]
)
def test_a_memory_that_fails_does_not_stand_in_the_way(
    proxy: Proxy,
    upstream: Fake,
    memory: Mnemic,
    monkeypatch: pytest.MonkeyPatch,
    method: str,
    fault: Any,
    code: str,
) -> None:
    memory.remember(LIVES)
    monkeypatch.setattr(Mnemic, method, fault)
    client = proxy(seconds=0.2)
    answer = client.post(CHAT, json=chat(ASKED))
    assert (answer.status_code, answer.headers["Mnemic-Error"]) == (200, code)
    assert answer.json()["choices"][0]["message"]["content"] == "Noted."
    upstream.answer = streaming(events("In ", "Berlin"))
    streamed = client.post(CHAT, json=chat(ASKED, stream=True))
    assert streamed.content == b"".join(events("In ", "Berlin"))


def test_a_strict_proxy_fails_with_its_memory(
    proxy: Proxy, upstream: Fake, memory: Mnemic, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Mnemic, "recall", fails)
    answer = proxy(strict=True).post(CHAT, json=chat(ASKED))
    assert (answer.status_code, answer.json()["code"]) == (503, "StoreBusy")
    assert upstream.got == []


def test_a_key_that_may_only_read_recalls_and_says_that_it_keeps_nothing(
    proxy: Proxy, upstream: Fake, memory: Mnemic
) -> None:
    memory.remember(LIVES)
    answer = proxy(key="tenant.ada.read").post(CHAT, json=chat(ASKED))
    assert (answer.headers["Mnemic-Recalled"], answer.headers["Mnemic-Error"]) == ("1", "Forbidden")


@pytest.mark.parametrize(
    "words", ["\ud800", "a\x00b", "x" * 1_500_000, "\u202eneB", "{{system}}", "'; DROP TABLE turns; --"]
)
def test_odd_words_go_up_as_they_are(proxy: Proxy, upstream: Fake, tenants: Tenants, words: str) -> None:
    raw = json.dumps(chat(words)).encode()
    assert proxy().post(CHAT, content=raw).status_code == 200
    assert json.loads(upstream.got[-1][2]) == json.loads(raw)


def test_many_chats_at_once_are_each_answered_and_kept(proxy: Proxy, upstream: Fake, memory: Mnemic) -> None:
    from concurrent.futures import ThreadPoolExecutor

    client = proxy()
    upstream.answer = streaming(events("Noted ", "this."))

    def one(number: int) -> int:
        return client.post(CHAT, json=chat(f"I prefer tea number {number}.", stream=True)).status_code

    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(one, range(24))) == {200}
    assert len(told(memory)) == 48
