"""What two sentences of one build, about one thing in one respect, do to each other."""

from datetime import UTC, datetime, timedelta

import pytest

from mnemic import Mnemic
from mnemic.graph.clock import ManualClock

AT = datetime(2026, 3, 2, 9, tzinfo=UTC)


def told(*texts: str, speakers: tuple[str, ...] = ()) -> tuple[list[str], list[str]]:
    """Tell the texts an hour apart; return what was replaced, and what a deep recall of them all shows."""
    clock = ManualClock(AT)
    replaced: list[str] = []
    with Mnemic(":memory:", user="ada", embedder="none", clock=clock) as memory:
        for number, text in enumerate(texts):
            clock.now = AT + timedelta(hours=number)
            speaker = speakers[number] if speakers else "ada"
            receipt = memory.remember(text, session=str(number), speaker=speaker)
            replaced += [each.older_text for each in receipt.replaced]
        found = memory.recall(texts[0], depth="deep", limit=10)
    return replaced, [item.text for item in found.items]


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("The author of Dune is Frank Herbert.", "The author of Dune is Brian Herbert."),
        ("The author of Dune is Frank Herbert.", "Brian Herbert is the author of Dune."),
        ("Dune's author is Frank Herbert.", "Dune's author is Brian Herbert."),
        ("Amy Lund was born in the city of Oslo.", "Amy Lund was born in the city of Bergen."),
        ("The type of music that Amy Lund plays is jazz.", "The type of music that Amy Lund plays is rap."),
        ("The price of the Lund ticket is 14 euro.", "The price of the Lund ticket is 16 euro."),
    ],
)
def test_the_later_value_takes_the_place_of_the_earlier(older: str, newer: str) -> None:
    replaced, shown = told(older, newer)
    assert replaced == [older]
    assert newer in shown
    assert older not in shown


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("The author of Dune is Frank Herbert.", "The author of Emma is Jane Austen."),
        ("The author of Dune is Frank Herbert.", "The director of Dune is David Lynch."),
        ("The designer of Dune is Frank Herbert.", "The keeper of Dune was Jane Austen."),
        ("The designer of Dune is Frank Herbert.", "Is the keeper of Dune Jane Austen?"),
        ("The designer of Dune is Frank Herbert.", "The keeper of Dune is also Jane Austen."),
        ("My sister is Anna Lund.", "My sister is Beth Lund."),
    ],
)
def test_another_thing_another_respect_the_past_and_what_adds_replace_nothing(older: str, newer: str) -> None:
    assert told(older, newer)[0] == []


def test_one_persons_dentist_is_not_anothers() -> None:
    texts = ("My dentist is Dr. Wu.", "My dentist is Dr. Lim.")
    assert told(*texts, speakers=("ada", "ada"))[0] == [texts[0]]
    assert told(*texts, speakers=("ada", "ben"))[0] == []


def test_a_chain_of_values_ends_with_the_last() -> None:
    texts = [f"The keeper of Atlas is {name} Lund." for name in ("Amy", "Bo", "Cy")]
    replaced, shown = told(*texts)
    assert replaced == texts[:2]
    assert [text for text in shown if text in texts] == [texts[2]]
