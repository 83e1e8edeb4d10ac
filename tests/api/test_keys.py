"""Keys: made, known again, rotated, revoked; every other text opens nothing, and only hashes are kept."""

import json
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import Result

from mnemic import Conflict, InvalidInput, ManualClock, NotFound, Scope, Unauthorized, UnknownName
from mnemic.api.service.access import Right
from mnemic.api.service.keys import Doorkeeper, create, keys, revoke, rotate
from mnemic.api.service.tenants import Tenants
from tests.engine.told import START


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(START)


@pytest.fixture
def tenants(tmp_path: Path, clock: ManualClock) -> Iterator[Tenants]:
    (tmp_path / "data").mkdir()
    tenants = Tenants(str(tmp_path / "data"), embedder="none", clock=clock)
    yield tenants
    tenants.close()


def test_a_key_says_whose_memory_it_opens(tenants: Tenants) -> None:
    with tenants.core("小店") as core:
        new = create(core, "小店", user="ada", may=["write"], name="laptop")
        backend = create(core, "小店", user=None, may=["read"])
    holder = Doorkeeper(tenants)(new.plain)
    assert (holder.tenant, holder.user, holder.key) == ("小店", "ada", new.id)
    assert holder.rights == {Right.READ, Right.WRITE}
    assert Doorkeeper(tenants)(backend.plain).user is None


def test_a_key_ends(tenants: Tenants, clock: ManualClock) -> None:
    door = Doorkeeper(tenants)
    with tenants.core("acme") as core:
        first, second, third = (create(core, "acme", user="ada", days=days) for days in (1, None, None))
        new = rotate(core, second.id, grace=timedelta(hours=2))
        revoke(core, third.id)
        with pytest.raises(NotFound):
            revoke(core, "nokey")
    for plain in (first.plain, second.plain, new.plain):
        assert door(plain).user == "ada"
    with pytest.raises(Unauthorized):
        door(third.plain)
    clock.now += timedelta(hours=2)
    with pytest.raises(Unauthorized):
        door(second.plain)
    clock.now += timedelta(days=1)
    with pytest.raises(Unauthorized):
        door(first.plain)
    assert door(new.plain).user == "ada"


@settings(max_examples=200, deadline=None)
@given(change=st.integers(0, 70), letter=st.characters(codec="ascii", categories=["L", "N"]))
def test_no_other_text_is_a_key(tmp_path_factory: pytest.TempPathFactory, change: int, letter: str) -> None:
    tenants = Tenants(str(tmp_path_factory.mktemp("data")), embedder="none", clock=ManualClock(START))
    with tenants.core("acme") as core:
        plain = create(core, "acme", user="ada").plain
    at = change % len(plain)
    changed = plain[:at] + letter + plain[at + 1 :]
    door = Doorkeeper(tenants)
    for other in {changed, plain[:at], plain + letter, "", "mnk_", "mnk_..", "Bearer", "x" * 10_000} - {
        plain
    }:
        with pytest.raises(Unauthorized, match="not known here, has expired or was revoked"):
            door(other)
    tenants.close()


def test_guessing_tenants_makes_none(tenants: Tenants, tmp_path: Path) -> None:
    with pytest.raises(Unauthorized):
        Doorkeeper(tenants)("mnk_Z3Vlc3M.abcdef.secret")
    assert list((tmp_path / "data").iterdir()) == []


def test_only_the_hash_is_kept_and_it_goes_with_its_user(tenants: Tenants, tmp_path: Path) -> None:
    with tenants.core("acme") as core:
        new = create(core, "acme", user="ada")
        secret = new.plain.rpartition(".")[2].encode()
        assert [key.id for key in keys(core)] == [new.id]
        core.store.erase(owners=["ada"])
        assert keys(core) == []
    tenants.close()
    assert all(secret not in file.read_bytes() for file in (tmp_path / "data").iterdir())


@pytest.mark.parametrize(
    ("told", "kind"),
    [
        ({"user": ""}, InvalidInput),
        ({"user": "team"}, InvalidInput),
        ({"user": "ada", "may": ["fly"]}, UnknownName),
        ({"user": "ada", "may": []}, InvalidInput),
        ({"user": "ada", "days": 0}, InvalidInput),
    ],
)
def test_what_makes_no_key_is_refused(tenants: Tenants, told: dict[str, object], kind: type) -> None:
    with tenants.core("acme") as core:
        with pytest.raises(kind):
            create(core, "acme", **told)  # type: ignore[arg-type]
        assert keys(core) == []


def test_a_holder_names_nobody_else(tenants: Tenants) -> None:
    with tenants.core("acme") as core:
        own = Doorkeeper(tenants)(create(core, "acme", user="ada").plain)
    assert own.scope() == own.scope("ada") == Scope(tenant="acme", user="ada")


def test_the_commands_make_list_rotate_and_revoke(run: Callable[..., Result]) -> None:
    plain = run("keys", "create", "--name", "laptop", "--plain")
    assert plain.stdout.startswith("mnk_")
    assert plain.stdout.count("\n") == 1
    (listed,) = json.loads(run("keys", "list", "--json").stdout)
    assert (listed["user"], listed["rights"], listed["name"]) == ("ada", ["read", "write"], "laptop")
    assert "hash" not in json.dumps(listed)
    assert run("keys", "rotate", listed["id"], "--plain").stdout.startswith("mnk_")
    found = json.loads(run("keys", "list", "--json").stdout)
    assert [bool(key["revoked_at"]) for key in found] == [True, False]
    assert run("keys", "revoke", "nothing").exit_code == 3
    assert run("keys", "create", "--may", "fly").exit_code == 2
    assert run("keys", "create", "--any-user", "--json").exit_code == 0


def test_a_key_that_has_ended_is_not_rotated_and_no_key_outlives_the_one_it_replaces(
    tenants: Tenants, clock: ManualClock
) -> None:
    with tenants.core("acme") as core:
        short, gone = create(core, "acme", user="ada", days=1), create(core, "acme", user="ada")
        revoke(core, gone.id)
        with pytest.raises(Conflict, match="has ended"):
            rotate(core, gone.id)
        assert rotate(core, short.id).expires_at == short.expires_at
        clock.now += timedelta(days=2)
        with pytest.raises(Conflict, match="has ended"):
            rotate(core, short.id)


def test_a_key_of_another_tenant_says_nothing_of_the_one_store_here(
    tmp_path: Path, clock: ManualClock
) -> None:
    one, other = (Tenants(str(tmp_path / f"{name}.db"), embedder="none", clock=clock) for name in "ab")
    with one.core("acme"), other.core("evil") as core:
        plain = create(core, "evil", user="ada").plain
        with pytest.raises(Unauthorized):
            Doorkeeper(one)(plain)
    one.close()
    other.close()
