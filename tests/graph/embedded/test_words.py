"""Looking terms up: the rarest first, as far as is affordable, each owner for themselves."""

from pathlib import Path

import pytest

from mnemic.graph.embedded import EmbeddedStore, words
from mnemic.graph.store import Probe
from tests.graph.builders import delta, memory, nominated, view


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> EmbeddedStore:
    """Ada has a term in 20 rows, one in 6 and one in 3; the team has the first in 9."""
    monkeypatch.setattr(words, "ROWS_LOOKED_AT", 10)
    store = EmbeddedStore.open(":memory:", tenant="acme")
    common = [memory(f"c{number}", terms=("common",)) for number in range(20)]
    medium = [memory(f"m{number}", terms=("medium",)) for number in range(6)]
    rare = [memory(f"r{number}", terms=("rare",)) for number in range(3)]
    ours = [memory(f"t{number}", owner="team", terms=("common",)) for number in range(9)]
    store.apply(delta(*common, *medium, *rare, *ours))
    return store


def kinds(store: EmbeddedStore, *terms: str, owners: tuple[str, ...] = ("ada",)) -> tuple[str, int]:
    found = nominated(store.gather(view(*owners), Probe(terms=terms)), "words")
    return "".join(sorted({id[0] for id in found})), len(found)


def test_the_rarest_terms_are_looked_up_as_far_as_is_affordable(store: EmbeddedStore) -> None:
    assert kinds(store, "common", "medium", "rare") == ("mr", 9)
    assert kinds(store, "common", "medium") == ("m", 6)


def test_the_rarest_term_is_always_looked_up(store: EmbeddedStore) -> None:
    assert kinds(store, "common") == ("c", 20)
    assert kinds(store, "common", "nowhere") == ("c", 20)


def test_what_one_owner_costs_is_not_taken_from_another(store: EmbeddedStore) -> None:
    assert kinds(store, "common", "medium", "rare", owners=("ada", "team")) == ("mrt", 18)


def test_terms_that_were_not_looked_up_are_counted_all_the_same(store: EmbeddedStore) -> None:
    corpus = store.gather(view(), Probe(terms=("common", "medium", "rare"))).corpus
    assert corpus.frequency == {"common": 20, "medium": 6, "rare": 3}


def test_of_rows_with_the_same_terms_the_shorter_is_preferred(store: EmbeddedStore) -> None:
    store.apply(delta(memory("long", 9, terms=("it", *"abcdefgh")), memory("short", 1, terms=("it",))))
    assert nominated(store.gather(view(), Probe(terms=("it",), limit=1)), "words") == {"short"}
