"""What is stored is listed page by page: all of it once, nothing of another user, nothing that no longer counts."""

import pytest

from mnemic import Conflict, InvalidInput, Mnemic, NotFound


def paged(memory: Mnemic, method: str, limit: int, **options: object) -> list[str]:
    found: list[str] = []
    cursor = ""
    while True:
        page = getattr(memory, method)(limit=limit, cursor=cursor, **options)
        assert len(page.items) <= limit
        found += [row.id for row in page.items]
        if page.next is None:
            return found
        cursor = page.next


@pytest.mark.parametrize("method", ["memories", "turns", "entities"])
@pytest.mark.parametrize("limit", [1, 2, 3, 100])
def test_pages_hold_each_row_once(memory: Mnemic, bob: Mnemic, method: str, limit: int) -> None:
    for told in ("Ben owns Atlas.", "Lea owns the ledger.", "小王住在成都。"):
        memory.remember(told)
    bob.remember("Sam owns the checkout.")
    found = paged(memory, method, limit)
    assert len(found) == len(set(found)) >= 3
    assert found == paged(memory, method, 100)
    assert not set(found) & set(paged(bob, method, 100))


def test_what_no_longer_counts_is_listed_where_it_is_asked_for(memory: Mnemic) -> None:
    old = memory.remember("Ben lives in Bern.").stored[0].id
    memory.remember("Ben moved to Basel.")
    assert old not in paged(memory, "memories", 2)
    assert old in paged(memory, "memories", 2, hidden=True)
    row = memory.memory(old)
    assert (row.state, row.said.value if row.said else "") == ("superseded", "Bern")
    assert row.until is not None


def test_the_turns_of_a_session_come_in_its_order(memory: Mnemic) -> None:
    told = [{"role": "user", "content": f"Line {number}.", "id": f"z{9 - number}"} for number in range(5)]
    memory.remember(told, session="standup")
    memory.remember("Elsewhere.", session="other")
    assert paged(memory, "turns", 2, session="standup") == ["z9", "z8", "z7", "z6", "z5"]
    assert memory.turn("z9").text == "Line 0."
    assert memory.turns(session="nowhere").items == ()


def test_one_row_is_shown_to_who_may_read_it(memory: Mnemic, bob: Mnemic) -> None:
    receipt = memory.remember("Ben owns Atlas.")
    with pytest.raises(NotFound):
        bob.memory(receipt.stored[0].id)
    with pytest.raises(NotFound):
        bob.turn(receipt.turns[0])
    shared = memory.remember("Lea owns the ledger.", visibility="team")
    assert bob.memory(shared.stored[0].id).owner == "team"


@pytest.mark.parametrize("cursor", ["%%%", "ä", "////w==", "=", "a"])
def test_a_cursor_that_no_page_gave_is_refused(memory: Mnemic, cursor: str) -> None:
    for method in (memory.memories, memory.turns, memory.entities):
        with pytest.raises(InvalidInput, match="cursor"):
            method(cursor=cursor)


@pytest.mark.parametrize("limit", [0, -1, 1001])
def test_a_limit_out_of_bounds_is_refused(memory: Mnemic, limit: int) -> None:
    with pytest.raises(InvalidInput, match="limit"):
        memory.memories(limit=limit)


def test_an_entity_that_two_owners_know_is_listed_once(memory: Mnemic) -> None:
    memory.remember("Ben owns Atlas.")
    memory.remember("Ben owns the ledger.", visibility="team")
    names = [thing.name for thing in memory.entities().items]
    assert sorted(names) == sorted(set(names))
    assert {"Ben Hill", "Atlas", "ledger"} <= set(names)


def test_an_edit_replaces_and_keeps_what_was_said_beside_the_words(memory: Mnemic) -> None:
    id = memory.remember("Ben lives in Bern.", tags=["home"], metadata={"from": "form"}).stored[0].id
    receipt = memory.edit(id, "Ben lives in Basel.", version=memory.memory(id).version)
    assert [replaced.older for replaced in receipt.replaced] == [id]
    new = memory.memory(receipt.stored[0].id)
    assert (new.tags, new.metadata["from"]) == (("home",), "form")
    assert memory.recall("Where does Ben live?").items[0].said.value == "Basel"  # type: ignore[union-attr]


def test_what_was_changed_since_it_was_read_is_left_alone(memory: Mnemic) -> None:
    id = memory.remember("Ben lives in Bern.").stored[0].id
    seen = memory.memory(id).version
    memory.remember("Ben moved to Basel.")
    before = list(memory.export())
    with pytest.raises(Conflict, match="no longer counts"):
        memory.edit(id, "Ben lives in Chur.", version=seen)
    with pytest.raises(Conflict, match="changed since"):
        memory.forget(id, version=seen)
    assert list(memory.export()) == before


def test_another_user_edits_nothing(memory: Mnemic, bob: Mnemic) -> None:
    id = memory.remember("Ben lives in Bern.").stored[0].id
    with pytest.raises(NotFound):
        bob.edit(id, "Ben lives in Basel.")


def test_reading_changes_no_version(memory: Mnemic) -> None:
    id = memory.remember("Ben lives in Bern.").stored[0].id
    seen = memory.memory(id).version
    memory.recall("Where does Ben live?")
    assert memory.memory(id).version == seen


def test_what_no_longer_counts_is_not_edited(memory: Mnemic) -> None:
    id = memory.remember("Ben lives in Bern.").stored[0].id
    memory.edit(id, "Ben lives in Basel.")
    with pytest.raises(Conflict, match="no longer counts"):
        memory.edit(id, "Ben lives in Chur.")
    assert [row.text for row in memory.memories().items] == ["Ben lives in Basel."]


def test_pages_of_a_session_do_not_begin_again_where_their_place_was_forgotten(memory: Mnemic) -> None:
    memory.remember([{"role": "user", "content": f"Line {n}.", "id": f"t{n}"} for n in range(4)], session="s")
    page = memory.turns(session="s", limit=2)
    memory.forget("t1")
    with pytest.raises(InvalidInput, match="begin anew"):
        memory.turns(session="s", limit=2, cursor=page.next or "")
