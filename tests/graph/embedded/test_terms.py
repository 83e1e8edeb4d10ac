"""Written terms: read back as they were, split by the index exactly where they should be."""

import apsw
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemic.graph.embedded.terms import read_terms, write_term, write_terms

_term = st.text(st.characters(exclude_categories=["Cs"]), max_size=12) | st.text(
    st.sampled_from("ab AB+#.\"'*:^-()\ue000\ue02b\ue080\x00数据"), max_size=6
)
_owners = st.integers(1, 10**6)
_patient = settings(deadline=None)


@_patient
@given(_owners, st.lists(_term).map(tuple))
def test_terms_are_read_back_as_they_were(owner: int, terms: tuple[str, ...]) -> None:
    assert read_terms(write_terms(owner, terms)) == terms


@_patient
@given(_owners, _term, _owners, _term)
def test_two_terms_are_written_alike_only_if_they_are_one(
    owner: int, term: str, other_owner: int, other: str
) -> None:
    assert (write_term(owner, term) == write_term(other_owner, other)) == (
        (owner, term) == (other_owner, other)
    )


def test_the_index_splits_what_was_written_into_its_terms() -> None:
    db = apsw.Connection(":memory:")
    db.execute("CREATE VIRTUAL TABLE words USING fts5 (terms, tokenize = 'ascii', detail = none)")
    db.execute("CREATE VIRTUAL TABLE frequency USING fts5vocab ('words', 'row')")

    @_patient
    @given(_owners, st.lists(_term).map(tuple))
    def check(owner: int, terms: tuple[str, ...]) -> None:
        db.execute("DELETE FROM words")
        db.execute("INSERT INTO words (rowid, terms) VALUES (1, ?)", (write_terms(owner, terms),))
        tokens = {term for (term,) in db.execute("SELECT term FROM frequency")}
        assert tokens == {write_term(owner, term) for term in terms}
        for term in terms:
            found = db.execute(
                "SELECT rowid FROM words WHERE words MATCH ?", (f'"{write_term(owner, term)}"',)
            )
            assert found.get == 1

    check()
