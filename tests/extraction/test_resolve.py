import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic.extraction.model import Mention, Modality, Source, Statement
from mnemic.extraction.predicates import shipped_inventory
from mnemic.extraction.resolve import (
    Focus,
    clean_words,
    is_pronoun,
    phrase_mention,
    resolve_dropped,
    resolve_pronoun,
)
from tests.extraction.reading import ADA, messages, patient, person, thing

ATLAS, PRIYA, BEN = thing("Atlas"), person("Priya"), person("Ben")
FOCUS = Focus(speaker=ADA, thing=ATLAS, person=PRIYA, addressee=BEN)
GROUPS = {"Atlas": "thing", "Marlin": "thing", "Priya": "person", "PostgreSQL": "tech"}


def is_thing(mention: Mention) -> bool:
    return mention.kind != "person"


@pytest.mark.parametrize(
    ("word", "wants", "meant"),
    [
        ("I", ("person",), "Ada"),
        ("我", ("person",), "Ada"),
        ("we", ("person",), "Ada"),
        ("we", ("thing",), "Atlas"),
        ("you", ("person",), "Ben"),
        ("she", ("person",), "Priya"),
        ("他", ("person",), "Priya"),
        ("it", ("thing",), "Atlas"),
        ("这个", ("thing",), "Atlas"),
        (" She ", ("person",), "Priya"),
        ("Bruno", ("person",), None),
    ],
)
def test_whom_a_pronoun_means(word: str, wants: tuple[str, ...], meant: str | None) -> None:
    found = resolve_pronoun(word, FOCUS, wants)
    assert (found.name if found else None) == meant
    assert is_pronoun(word) == (meant is not None)


@pytest.mark.parametrize(
    ("thing", "meant"),
    [
        (Mention(start=0, end=7, text="Jenkins", name="Jenkins", kind="tool", source=Source.SHIPPED), "Ada"),
        (
            Mention(start=0, end=4, text="haircut", name="Ada's haircut", kind="thing", source=Source.PHRASE),
            "Ada",
        ),
        (Mention(start=0, end=4, text="体检", name="Ada的体检", kind="thing", source=Source.PHRASE), "Ada"),
        (
            Mention(start=0, end=4, text="报销系统", name="报销系统", kind="thing", source=Source.PHRASE),
            "报销系统",
        ),
    ],
)
def test_we_speaks_only_for_what_people_have_a_hand_in(thing: Mention, meant: str) -> None:
    for word in ("we", "我们"):
        found = resolve_pronoun(word, Focus(speaker=ADA, thing=thing), ("person", "thing"))
        assert found is not None
        assert found.name == meant


def test_what_is_not_in_view_is_not_meant() -> None:
    alone = Focus(speaker=ADA)
    assert resolve_pronoun("she", alone, ("person",)) is None
    assert resolve_pronoun("you", alone, ("person",)) is None
    assert resolve_pronoun("it", alone, ("thing",)) is None
    assert resolve_pronoun("they", Focus(speaker=ADA, person=PRIYA), ("thing",)) is None


def test_the_last_of_each_sort_comes_into_view_and_own_things_before_known_ones() -> None:
    known = Mention(start=9, end=19, text="PostgreSQL", name="PostgreSQL", kind="database")
    focus = Focus(speaker=ADA).seeing([ATLAS, known, PRIYA, BEN, ADA], is_thing)
    assert focus.thing is not None
    assert focus.person is not None
    assert (focus.thing.name, focus.person.name) == ("Atlas", "Ben")


def test_seeing_nothing_changes_nothing() -> None:
    assert FOCUS.seeing([], is_thing) == FOCUS


@pytest.mark.parametrize(
    ("wants", "meant"),
    [(("thing",), "Atlas"), (("any",), "Atlas"), (("person",), "Marlin"), (("tech",), None)],
)
def test_a_dropped_subject_is_the_thing_in_view_or_a_fitting_name_before(
    wants: tuple[str, ...], meant: str | None
) -> None:
    near = [thing("Marlin")] if wants == ("person",) else []
    groups = {**GROUPS, "Marlin": "person"}
    found = resolve_dropped(FOCUS, wants, near, groups)
    assert (found.name if found else None) == (meant or "Atlas")


def test_a_dropped_person_is_the_one_asked_for_or_the_speaker() -> None:
    asked = Statement(subject=PRIYA, predicate="lives_in", value="", modality=Modality.ASKED)
    assert resolve_dropped(Focus(speaker=ADA), ("person",), [], GROUPS) == ADA
    assert resolve_dropped(Focus(speaker=ADA, asked=(asked,)), ("person",), [], GROUPS) == PRIYA


@pytest.mark.parametrize(
    ("words", "name", "kind"),
    [
        ("my spare key", "Ada's spare key", "thing"),
        ("your spare key", "Ben's spare key", "thing"),
        ("her spare key", "Priya's spare key", "thing"),
        ("the spare key", "spare key", "thing"),
        ("“the spare key”", "spare key", "thing"),
        ("my sister", "Ada's sister", "person"),
        ("sister", "Ada's sister", "person"),
        ("my cousin Milo", "Milo", "person"),
        ("我的备用钥匙", "Ada的备用钥匙", "thing"),
        ("他家备用钥匙", "Priya的备用钥匙", "thing"),
        ("我妹妹", "Ada的妹妹", "person"),
        ("我弟", "Ada的弟弟", "person"),
        ("备用钥匙了", "备用钥匙", "thing"),
    ],
)
def test_whom_or_what_a_phrase_names(words: str, name: str, kind: str) -> None:
    found = phrase_mention(words, 3, 3 + len(words), FOCUS, shipped_inventory())
    assert found is not None
    assert (found.name, found.kind, found.source) == (name, kind, Source.PHRASE)
    assert (found.start, found.end, found.text) == (3, 3 + len(words), words)


@pytest.mark.parametrize("words", ["", "  ", "it", "门", "...", "x" * 41])
def test_what_names_nothing(words: str) -> None:
    assert phrase_mention(words, 0, len(words), FOCUS, shipped_inventory()) is None


@pytest.mark.parametrize(
    ("words", "cleaned"),
    [
        ("  Redis now ", "Redis"),
        ("“Redis” again today", "Redis"),
        ("换好了吧", "换好"),
        ("(the drawer)", "the drawer"),
        ("now", "now"),
        ("了", "了"),
        ("", ""),
    ],
)
def test_values_lose_their_particles(words: str, cleaned: str) -> None:
    assert clean_words(words) == cleaned


@given(messages)
def test_clean_words_are_a_part_of_the_words_and_stay_as_they_are(text: str) -> None:
    cleaned = clean_words(text)
    assert cleaned in text
    assert clean_words(cleaned) == cleaned


@patient
@given(messages, st.lists(st.sampled_from((ATLAS, PRIYA)), max_size=2))
def test_any_words_name_something_or_nothing(text: str, near: list[Mention]) -> None:
    found = phrase_mention(text, 0, len(text), FOCUS, shipped_inventory())
    assert found is None or found.name.strip()
    resolve_pronoun(text, FOCUS, ("person",))
    resolve_dropped(FOCUS, ("person",), near, GROUPS)
