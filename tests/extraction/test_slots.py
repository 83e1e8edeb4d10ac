import re

import pytest
from hypothesis import given

from mnemic.extraction.frame import MARKS
from mnemic.extraction.notation import Slot, tongue
from mnemic.extraction.predicates import shipped_inventory
from mnemic.extraction.slots import SlotBook
from tests.extraction.reading import brief, messages, patient

INVENTORY = shipped_inventory()
BOOK = SlotBook(INVENTORY, {language: tongue(language, ()) for language in ("en", "zh")})


def filled(kind: str, words: str, language: str = "en", *, predicate: str = "uses") -> str | None:
    """Return what a slot of a kind takes of some words, from their beginning on and as much as it can."""
    slot = Slot("o", marked=False, types=(kind,), spaced=False)
    body = BOOK.expression(slot, language, INVENTORY[predicate])
    found = re.compile(rf"{body}(?!\w)", re.IGNORECASE).match(words)
    return found["o"] if found else None


@pytest.mark.parametrize(
    ("kind", "language", "words", "taken"),
    [
        ("tech", "en", MARKS["tech"], MARKS["tech"]),
        ("tech", "en", MARKS["person"], None),
        ("entity", "en", MARKS["person"], MARKS["person"]),
        ("any", "zh", MARKS["place"], MARKS["place"]),
        ("entity", "en", MARKS["date"], None),
        ("role", "en", "senior data engineer", "senior data engineer"),
        ("=role", "en", "engineer", "engineer"),
        ("=role", "en", "data engineer", None),
        ("animal", "zh", "小橘猫", "小橘猫"),
        ("pron", "en", "she", "she"),
        ("pron", "en", "sheep", None),
        ("pron", "zh", "我们家", "我们家"),
        ("tag", "en", "#ops-room", "#ops-room"),
        ("who", "en", "Milo", "Milo"),
        ("who", "en", "milo", None),
        ("who", "zh", "老王", "老王"),
        ("kin", "en", "my little sister", "my little sister"),
        ("kin", "zh", "我妹妹", "我妹妹"),
        ("mine", "en", "mine", "mine"),
        ("lunar", "zh", "农历八月十五", "农历八月十五"),
    ],
)
def test_what_a_kind_of_slot_takes(kind: str, language: str, words: str, taken: str | None) -> None:
    assert filled(kind, words, language) == taken


def test_a_person_may_be_named_by_kin_or_by_a_name_that_nobody_knows() -> None:
    subject = Slot("s", marked=False, types=(), spaced=False)
    assert {"person", "pron", "kin", "who"} <= set(BOOK.types(subject, INVENTORY["lives_in"]))
    assert "phrase" in BOOK.types(subject, INVENTORY["uses"])


def test_an_open_object_takes_text() -> None:
    assert BOOK.types(Slot("o", marked=False, types=(), spaced=False), INVENTORY["uses"]) == ["text"]


@pytest.mark.parametrize(
    ("words", "may_be"),
    [
        ("spare key", True),
        ("the spare key", True),
        ("备用钥匙", True),
        ("", True),
        ("the", False),
        ("this", False),
        ("key of", False),
        ("of key", False),
        ("the key was moved", False),
        ("we can go", False),
    ],
)
def test_what_may_name_a_thing(words: str, may_be: bool) -> None:
    assert BOOK.may_be_phrase(words, pronouns=False) == may_be


def test_a_pronoun_alone_names_something_where_pronouns_may_stand() -> None:
    assert BOOK.may_be_phrase("this", pronouns=True)


def test_marks_and_lists_show_in_a_frame_and_other_kinds_do_not() -> None:
    assert all(map(BOOK.is_known, ("tech", "date", "role", "animal")))
    assert not any(map(BOOK.is_known, ("text", "phrase", "pron", "any")))
    assert {"tech", "text", "role", "any", "entity"} <= BOOK.kinds


def test_lists_whose_words_occur() -> None:
    assert {"role", "animal"} <= BOOK.lists_in("an engineer with a dog")
    assert "animal" not in BOOK.lists_in("an engineer")


@patient
@given(messages)
def test_any_words_may_or_may_not_be_a_phrase(text: str) -> None:
    assert isinstance(BOOK.may_be_phrase(text, pronouns=False), bool)
    assert BOOK.lists_in(text.lower()) <= {*INVENTORY.slots, "tag"}


@pytest.mark.parametrize(
    ("text", "person"),
    [
        ("支付系统的负责人是陈博。", "陈博"),
        ("支付系统现在由周小满接手", "周小满"),
        ("支付系统的负责人改成欧阳修了", "欧阳修"),
        ("支付系统交给王芳了", "王芳"),
        ("支付系统由方案组负责", ""),
        ("支付系统归高级工程师负责", ""),
    ],
)
def test_a_family_name_with_one_or_two_characters_is_a_person_where_one_owns(text: str, person: str) -> None:
    owners = [each[2] for each in brief(text) if each[1] == "owner"]
    assert owners == ([person] if person else [])
