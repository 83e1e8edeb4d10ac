from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from mnemic.extraction.lexicon import Entry
from mnemic.extraction.shortnames import with_short_forms
from mnemic.extraction.text import fold
from tests.extraction.reading import patient


def short(*entries: Entry) -> list[set[str]]:
    """Return the short forms that each entry gained."""
    made = with_short_forms(entries)
    return [{*new.aliases} - {*old.aliases} for old, new in zip(entries, made, strict=True)]


def test_people_are_called_by_first_and_last_name() -> None:
    assert short(Entry("Priya Raman", "person")) == [{"Priya", "Raman"}]
    assert short(Entry("Priya", "person")) == [set()]
    assert short(Entry("Bo Li", "person")) == [set()]


def test_chinese_people_are_called_by_surname_with_a_title_or_by_given_name() -> None:
    (forms,) = short(Entry("林悦然", "person"))
    assert {"悦然", "小林", "林总", "林老师"} <= forms
    (forms,) = short(Entry("欧阳明月", "person"))
    assert {"明月", "小欧阳", "欧阳老师"} <= forms
    (forms,) = short(Entry("林悦", "person"))
    assert "小林" in forms
    assert "悦" not in forms


def test_things_are_called_without_their_class_word_or_by_the_last_one() -> None:
    assert short(Entry("订单系统", "thing")) == [{"订单"}]
    assert short(Entry("Spare Harbor", "thing")) == [{"the Harbor"}]
    assert short(Entry("Payment Service", "thing")) == [set()]
    assert short(Entry("系统", "thing")) == [set()]


def test_things_are_called_with_the_class_words_of_their_kind() -> None:
    (forms,) = short(Entry("Atlas", "project", ("阿特拉斯",)))
    assert {"Atlas project", "阿特拉斯项目"} <= forms
    assert not {"Atlas service", "Atlas team"} & forms
    (forms,) = short(Entry("Order Service", "service"))
    assert "Order Service service" not in forms


def test_a_form_that_two_could_claim_belongs_to_neither() -> None:
    assert short(Entry("Priya Raman", "person"), Entry("Priya Okafor", "person")) == [{"Raman"}, {"Okafor"}]
    assert short(Entry("报表服务", "thing"), Entry("报表平台", "thing")) == [set(), set()]
    assert short(Entry("订单系统", "thing"), Entry("Orders", "thing", ("订单",))) == [set(), set()]


def test_own_aliases_stay_and_are_not_given_twice() -> None:
    (made,) = with_short_forms([Entry("Priya Raman", "person", ("PRIYA", "pr"))])
    assert made.aliases == ("PRIYA", "pr", "Raman")


names = st.sampled_from(
    ("Priya Raman", "Priya Okafor", "Priya", "林悦然", "林悦", "欧阳明月", "订单系统", "订单服务", "Spare Harbor", "Old Harbor")
)  # fmt: skip
entries = st.builds(
    Entry, names, st.sampled_from(("person", "project")), st.lists(names, max_size=1).map(tuple)
)


@patient
@given(st.lists(entries, max_size=5))
def test_new_forms_have_one_owner_and_old_ones_are_kept(before: list[Entry]) -> None:
    after = with_short_forms(before)
    claims = Counter(fold(form) for entry in after for form in {entry.name, *entry.aliases})
    for old, new in zip(before, after, strict=True):
        assert (new.name, new.kind, new.aliases[: len(old.aliases)]) == (old.name, old.kind, old.aliases)
        assert all(claims[fold(form)] == 1 for form in new.aliases[len(old.aliases) :])
