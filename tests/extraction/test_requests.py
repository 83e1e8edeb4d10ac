import pytest
from hypothesis import given

from mnemic.extraction.model import Request
from mnemic.extraction.requests import asks_to_keep, find_request
from mnemic.extraction.segment import sentences
from tests.extraction.reading import messages, patient


def asked(text: str) -> Request | None:
    return find_request(text, sentences(text))


@pytest.mark.parametrize(
    ("text", "what", "everything"),
    [
        ("forget what I said about Atlas", "Atlas", False),
        ("Please forget everything about Priya.", "Priya", True),
        ("ok, forget that Atlas uses Go", "Atlas uses Go", False),
        ("hi. forget what I’ve told you", "", False),
        ("delete my address from your memory", "my address", False),
        ("I’d like you to forget that Atlas uses Go", "Atlas uses Go", False),
        ("忘掉我说的关于支付的事", "支付", False),
        ("请把我昨天说的地址都忘掉吧", "地址", True),
        ("当我没说", "", False),
    ],
)
def test_what_is_to_be_forgotten(text: str, what: str, everything: bool) -> None:
    found = asked(text)
    assert found is not None
    assert (found.kind, found.what, found.everything) == ("forget", what, everything)


@pytest.mark.parametrize(
    "text", ["off the record: Priya leaves", "don’t save this, Priya leaves", "这条别记", "下面的话不要存"]
)
def test_what_is_not_to_be_kept(text: str) -> None:
    found = asked(text)
    assert found is not None
    assert found.kind == "unsaved"


@pytest.mark.parametrize(
    "text",
    [
        "don't forget the milk",
        "I forgot what I said about Atlas",
        "别忘了带伞",
        "she will never forget that evening in York",
        "we delete old records from the table",
        "记得别忘了这事",
        "",
    ],
)
def test_to_speak_of_forgetting_asks_for_nothing(text: str) -> None:
    assert asked(text) is None


def test_the_mark_has_the_language_of_the_request_and_none_of_its_words() -> None:
    english, chinese = asked("forget what I said about Atlas"), asked("忘掉我说的关于支付的事")
    assert english is not None
    assert chinese is not None
    assert english.mark != chinese.mark
    assert "Atlas" not in english.mark
    assert "支付" not in chinese.mark


def test_not_to_keep_a_message_comes_before_forgetting_in_it() -> None:
    found = asked("off the record, forget what I said about Atlas")
    assert found is not None
    assert found.kind == "unsaved"


@patient
@given(messages)
def test_what_is_meant_stands_in_the_text(text: str) -> None:
    found = asked(text)
    assert found is None or (found.what in text and found.mark)


@patient
@given(messages)
def test_a_plain_request_is_heard_in_front_of_any_line(text: str) -> None:
    found = asked(f"this is off the record.\n{text}")
    assert found is not None
    assert found.kind == "unsaved"


@pytest.mark.parametrize(
    "text",
    [
        "remember this: the lamp is broken",
        "ok, please keep in mind that the gate sticks",
        "The ladder is in the shed. Don’t forget it.",
        "Don't let me forget the rent",
        "麻烦记一下：台灯坏了",
        "台灯坏了，帮我记一下",
        "千万别忘了交房租",
    ],
)
def test_what_is_to_be_remembered(text: str) -> None:
    assert asks_to_keep(text)


@pytest.mark.parametrize(
    "text",
    [
        "I remember that lamp",
        "Do you remember this: no?",
        "记住了，谢谢",
        "我记得他",
        "别记这条",
        "never mind",
    ],
)
def test_what_only_speaks_of_remembering(text: str) -> None:
    assert not asks_to_keep(text)
