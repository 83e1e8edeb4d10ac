"""One message through all stages: whatever the text, every span points into it."""

from datetime import UTC, datetime, timedelta, timezone
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemic.extraction.analyse import Analyser
from mnemic.extraction.lexicon import Lexicon
from mnemic.extraction.model import Analysis, Line, Mention, Modality, Source, Value
from mnemic.extraction.names import shipped_lexicon
from tests.extraction.reading import ADA, WORLD, analysed, analyser, line, messages, statements

STEADY = settings(deadline=None, max_examples=50)


def check(found: Analysis) -> None:
    """Prove that all spans of an analysis point into its text and into each other as they should."""
    text = found.text
    for unit in found.units:
        assert text[unit.start : unit.end] == unit.text
        seen: list[Mention | Value] = [*unit.mentions, *unit.values]
        spans = sorted((each.start, each.end) for each in seen)
        assert all(unit.start <= start < end <= unit.end for start, end in spans)
        assert all(one[1] <= two[0] for one, two in pairwise(spans))
        assert all(each.text == text[each.start : each.end] for each in seen)
        for statement in unit.statements:
            assert unit.start <= statement.start < statement.end <= unit.end
            assert statement.value.strip()
            assert statement.subject.name.strip()
    assert all(one.end <= two.start for one, two in pairwise(found.units))


@STEADY
@given(messages, st.lists(st.tuples(st.sampled_from(("Ada", "Tomas")), messages), max_size=3))
def test_any_text_after_any_others_is_read(text: str, before: list[tuple[str, str]]) -> None:
    check(analysed(text, *before))


@STEADY
@given(messages)
def test_a_message_is_read_the_same_each_time(text: str) -> None:
    assert analysed(text) == analysed(text)


@STEADY
@given(messages)
def test_secrets_are_in_no_part_of_what_was_read(text: str) -> None:
    found = analysed(f"{text}\nmy password is Hz#77mango!x")
    assert "Hz#77mango" not in repr((found.text, found.units, found.introduced))


def test_units_part_questions_from_what_is_told() -> None:
    found = analysed("Atlas runs on Linux. Who owns it? Priya owns Marlin. Fine.")
    assert [unit.modality for unit in found.units] == [Modality.ASSERTED, Modality.ASKED, Modality.ASSERTED]
    assert found.units[2].text == "Priya owns Marlin. Fine."


def test_a_long_run_of_sentences_is_cut() -> None:
    found = analysed("We talked for a while about this and that. " * 20)
    assert len(found.units) > 2
    assert all(len(unit.text) <= 240 for unit in found.units)


def test_a_line_of_code_has_its_names_but_states_nothing() -> None:
    found = analysed("$ git clone Atlas runs on Linux")
    assert [mention.name for unit in found.units for mention in unit.mentions] != []
    assert not any(unit.statements for unit in found.units)


def test_a_request_leaves_nothing_but_its_mark() -> None:
    found = analysed("forget what I said about Atlas")
    assert found.request is not None
    assert (found.text, found.units) == (found.request.mark, ())


def test_an_assistant_asks_nothing_of_the_memory() -> None:
    said = line("forget what I said about Atlas")
    found = analyser().analyse(type(said)(speaker="Bot", text=said.text, at=said.at, role="assistant"))
    assert found.request is None


def test_what_a_message_introduces_is_known_to_the_next_reader() -> None:
    found = analysed("we have a new project called Quillwork, my cousin Milo runs it")
    assert [each.mention.name for each in found.introduced] == ["Quillwork", "Milo"]
    assert [each.name for each in analyser().mentions("Quillwork")] == []
    learned = analyser().learning(found.introduced)
    assert [each.name for each in learned.mentions("Quillwork")] == ["Quillwork"]


@pytest.mark.parametrize(("name", "known"), [("Priya", True), ("Atlas", False), ("somebody else", False)])
def test_the_speaker_is_a_person_known_or_not(name: str, known: bool) -> None:
    speaker = analyser().speaker(name)
    assert (speaker.name, speaker.kind, speaker.source) == (name, "person", Source.SPEAKER)
    assert (speaker == ADA) is False
    assert bool(analyser().mentions(name)) or not known


def test_what_was_told_before_is_read_only_where_a_message_leans_on_it() -> None:
    before = ("Ada", "the Atlas deadline is March 12")
    assert [each.replaces for each in statements("let’s make it March 15", before)] == ["March 12"]
    assert [each.replaces for each in statements("Priya owns Marlin", before)] == [""]


def test_nothing_is_read_of_nothing() -> None:
    assert analysed("") == Analysis(text="", units=())
    assert analysed(" \n\t ").units == ()


def test_what_was_seen_before_is_read_the_same() -> None:
    lines = [
        line("Who looks after Atlas?", "Tomas"),
        line("me, since May"),
        line("它下周三要换成 PG，Priya 也用 Go"),
    ]
    again = Analyser(Lexicon(WORLD, base=shipped_lexicon()))
    for number, each in enumerate(lines):
        again.analyse(each, lines[:number])
    assert again.analyse(lines[-1], lines[:-1]) == Analyser(Lexicon(WORLD, base=shipped_lexicon())).analyse(
        lines[-1], lines[:-1]
    )


def test_one_moment_in_two_zones_has_two_days() -> None:
    reader, late = Analyser(Lexicon(WORLD, base=shipped_lexicon())), datetime(2026, 3, 4, 22, tzinfo=UTC)
    here = reader.analyse(Line(speaker="Ada", text="Atlas ships tomorrow", at=late))
    there = reader.analyse(
        Line(speaker="Ada", text="Atlas ships tomorrow", at=late.astimezone(timezone(timedelta(hours=8))))
    )
    assert here.units[0].values[0].normal == "2026-03-05"
    assert there.units[0].values[0].normal == "2026-03-06"
