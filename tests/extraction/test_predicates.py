import pytest

from mnemic.errors import UnknownName
from mnemic.extraction.predicates import shipped_inventory


def test_a_predicate_by_name() -> None:
    lives = shipped_inventory()["lives_in"]
    assert (lives.name, lives.many, lives.kind) == ("lives_in", False, "fact")


def test_an_unknown_predicate_is_an_error_that_lists_the_known() -> None:
    with pytest.raises(UnknownName, match="lives_in") as raised:
        shipped_inventory()["lives_inn"]
    assert "lives_inn" in str(raised.value)


@pytest.mark.parametrize(
    ("kind", "technical", "group"),
    [
        ("person", False, "person"),
        ("city", False, "place"),
        ("client", False, "org"),
        ("database", True, "tech"),
        ("language", True, "language"),
        ("cloud", True, "platform"),
        ("project", False, "thing"),
        ("lighthouse", False, "thing"),
    ],
)
def test_kinds_belong_to_groups(kind: str, technical: bool, group: str) -> None:
    assert shipped_inventory().group(kind, technical) == group
