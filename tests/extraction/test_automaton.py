from hypothesis import given
from hypothesis import strategies as st

from mnemic.extraction.automaton import Automaton

pieces = st.text(st.sampled_from("abé支付👍\ud800"), min_size=1, max_size=3)


@given(st.lists(pieces, max_size=5), st.text(st.sampled_from("abé支付👍\ud800 "), max_size=20))
def test_it_finds_what_a_plain_search_finds(keys: list[str], text: str) -> None:
    automaton = Automaton({key: key for key in keys})
    plain = {
        (start + len(key), key) for key in keys for start in range(len(text)) if text.startswith(key, start)
    }
    assert set(automaton.hits(text)) == plain


def test_nothing_is_found_with_nothing_to_find() -> None:
    assert list(Automaton[str]({}).hits("text")) == []
