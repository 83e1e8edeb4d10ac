"""The words of a streamed answer, however its bytes are cut, and whatever else comes."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic.api.proxy import said
from mnemic.api.proxy.said import Stream, said_in
from tests.api.proxy.conftest import events


@given(
    st.lists(st.text(min_size=1), max_size=6),
    st.lists(st.integers(1, 40), max_size=30),
    st.sampled_from([b"\n", b"\r\n"]),
)
def test_the_words_are_the_same_wherever_the_pieces_end(
    words: list[str], cuts: list[int], end: bytes
) -> None:
    whole = b"".join(events(*[word.encode("utf-8", "ignore").decode() for word in words])).replace(b"\n", end)
    stream = Stream()
    for cut in cuts:
        stream.add(whole[:cut])
        whole = whole[cut:]
    stream.add(whole)
    assert stream.words == "".join(words)
    assert stream.whole


@given(st.binary())
def test_any_bytes_are_borne(noise: bytes) -> None:
    stream = Stream()
    stream.add(b"data: " + noise + b"\n" + b"".join(events("tea")))
    assert stream.words.endswith("tea")
    said_in(noise)


@pytest.mark.parametrize(
    "data",
    [
        *(
            "null",
            "[]",
            "{}",
            '{"choices": null}',
            '{"choices": [5]}',
            '{"choices": [{"delta": null}]}',
            "[" * 100_000,
        ),
        *(
            '{"choices": [{"delta": {"content": 5}}]}',
            '{"choices": [{"index": 1, "delta": {"content": "other"}}]}',
        ),
        '{"choices": [{"delta": {"content": null, "reasoning_content": "hm"}}]}',
    ],
)
def test_what_says_nothing_in_the_first_choice_is_no_words(data: str) -> None:
    stream = Stream()
    stream.add(f"data: {data}\n\nevent: data: x\n\n".encode())
    assert (stream.words, stream.whole) == ("", False)


def test_an_end_is_heard_by_either_of_its_signs() -> None:
    for sign in (
        b"data: [DONE]\n",
        b'data: {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}\n',
    ):
        stream = Stream()
        stream.add(sign)
        assert stream.whole


def test_what_is_too_long_is_not_kept_and_not_held(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(said, "LONGEST", 1_000)
    endless, talkative = Stream(), Stream()
    for _ in range(100):
        endless.add(b"x" * 50)
        talkative.add(b"".join(events("y" * 50)))
    assert (endless.words, talkative.words) == ("", "")
    assert len(endless._line) <= 1_000


def test_a_whole_answer_is_its_first_choice() -> None:
    choices = [{"index": 1, "message": {"content": "other"}}, {"index": 0, "message": {"content": "first"}}]
    assert said_in(json.dumps({"choices": choices}).encode()) == "first"
