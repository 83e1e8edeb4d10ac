from hypothesis import given

from tests.extraction.reading import messages, passage, patient


def test_what_stands_where() -> None:
    seen = passage("Atlas moved, due 2026-05-01")
    assert seen.text == "Atlas moved, due 2026-05-01"
    assert [seen.words(clause) for clause in seen.clauses()] == ["Atlas moved", "due 2026-05-01"]
    assert seen.item_at(0) == seen.mentions[0]
    assert seen.item_at(17) == seen.values[0]
    assert seen.item_at(1) is None
    assert seen.held == [*seen.mentions, *seen.values]


@patient
@given(messages)
def test_everything_held_is_found_where_it_begins(text: str) -> None:
    seen = passage(text)
    assert all(seen.item_at(item.start) == item for item in seen.held)
    assert all(seen.words((item.start, item.end)) == item.text for item in seen.held)
