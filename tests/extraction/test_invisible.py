"""Characters that nobody sees change nothing of what is read, and the places stay those of the text as given."""

import pytest

from mnemic.extraction.terms import terms
from mnemic.extraction.text import fold, visible
from tests.extraction.reading import analysed, brief


@pytest.mark.parametrize("sign", ["\u200b", "\u200c", "\u200d", "\ufeff", "\u2060", "\u00ad"])
@pytest.mark.parametrize(
    "text", ["I live in Ber{}lin.", "Atl{}as uses My{}SQL", "我住{}在北{}京", "{}Priya owns Marlin{}"]
)
def test_a_word_may_hold_what_nobody_sees(text: str, sign: str) -> None:
    plain, hidden = text.format("", ""), text.format(sign, sign)
    assert brief(hidden) == brief(plain) != []
    assert (fold(hidden), terms(hidden)) == (fold(plain), terms(plain))
    for unit in analysed(hidden).units:
        assert hidden[unit.start : unit.end] == unit.text
        assert all(hidden[m.start : m.end] == m.text for m in unit.mentions)


@pytest.mark.parametrize("text", ["👨\u200d👩\u200d👧", "می\u200cخواهم"])
def test_a_joiner_that_is_needed_stays(text: str) -> None:
    assert visible(text) == text
