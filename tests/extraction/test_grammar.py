import pytest

from mnemic.extraction.analyse import shipped_grammar
from tests.extraction.reading import thing


@pytest.mark.parametrize(
    ("name", "kind", "group"),
    [
        ("PostgreSQL", "database", "tech"),
        ("PostgreSQL", "technology", "tech"),
        ("Go", "tool", "language"),
        ("ｇｏ", "technology", "language"),
        ("Kubernetes", "software", "platform"),
        ("Quillwork", "tool", "tech"),
        ("Quillwork", "product", "thing"),
        ("Go", "project", "thing"),
    ],
)
def test_a_loose_kind_is_that_of_the_name_that_ships(name: str, kind: str, group: str) -> None:
    assert shipped_grammar().groups(thing(name, kind)) == group


def test_platforms_and_languages_fit_where_technologies_do() -> None:
    fits = shipped_grammar().fits
    assert all(
        fits(thing(name, kind), frozenset({"tech"}))
        for name, kind in (("Go", "language"), ("AWS", "cloud"), ("PostgreSQL", "database"))
    )
    assert not fits(thing("PostgreSQL", "database"), frozenset({"language"}))
    assert not fits(thing("Ada", "person"), frozenset({"tech"}))


@pytest.mark.parametrize(
    ("kind", "is_one"), [("project", True), ("database", True), ("person", False), ("city", False)]
)
def test_it_may_mean_things_but_neither_people_nor_places(kind: str, is_one: bool) -> None:
    assert shipped_grammar().is_thing(thing("x", kind)) == is_one
