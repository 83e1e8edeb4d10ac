"""The same call says the same through the embedded door and through a client: results, errors, and their fields."""

import inspect
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import httpx
import pytest

from mnemic import AsyncClient, Client, InvalidInput, Mnemic, MnemicError, Scope
from tests.api.client.conftest import World
from tests.engine.test_any_argument import GOOD, ODD
from tests.engine.told import NAMES, day

TOLD = (
    "Ben lives in Berlin.",
    "checkout runs on MySQL.",
    "checkout moved from MySQL to PostgreSQL.",
    "赵敏负责结算服务。",
)
VALUES = [
    *(value for value in ODD if "\ud800" not in repr(value) and "ud800" not in repr(value)),
    *(
        day(1),
        10**30,
        -1,
        0,
        0.5,
        "x" * 300,
        "王\u2028\x85\x0cb",
        "👩‍👩‍👧",
        "\u202eneB",
    ),
]
ALONE = {"core", "scope", "within"}
"""What only the embedded door has: its engine, and a scope that comes from the key over HTTP."""


def public(door: type) -> dict[str, Any]:
    return {name: each for name, each in inspect.getmembers(door) if not name.startswith("_")}


def methods() -> list[str]:
    return sorted(public(Mnemic).keys() - ALONE - {"close"})


def parameters(method: Any) -> list[inspect.Parameter]:
    return list(inspect.signature(method).parameters.values())


def outcome(memory: Any, name: str, chosen: dict[str, Any]) -> Any:
    """Return what a call says: a result, or an error with all that it knows."""
    method = getattr(memory, name)
    several: list[Any] = []
    given: dict[str, Any] = {}
    for parameter in inspect.signature(method).parameters.values():
        if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
            several.append(chosen.get(parameter.name, GOOD[parameter.name]))
        elif parameter.name in chosen or parameter.default is parameter.empty:
            given[parameter.name] = chosen.get(parameter.name, GOOD.get(parameter.name))
    try:
        result = method(*several, **given)
        return list(result) if inspect.isgenerator(result) or isinstance(result, map) else result
    except MnemicError as error:
        told = {
            field: value for field, value in vars(error).items() if field != "problem"
        }  # 5 may have become 5.0
        return type(error), told


def arguments() -> Iterator[tuple[str, str]]:
    for name in methods():
        for parameter in parameters(getattr(Mnemic, name))[1:]:
            if parameter.name != "progress":
                yield name, parameter.name


@pytest.mark.parametrize("door", [Client, AsyncClient])
def test_a_client_has_the_methods_of_the_embedded_door_with_the_same_parameters(door: Any) -> None:
    assert public(door).keys() == public(Mnemic).keys() - ALONE | {"remember_later", "job", "as_user"}
    for name in methods():
        assert parameters(getattr(door, name)) == parameters(getattr(Mnemic, name)), name
        assert inspect.getdoc(getattr(door, name)) == inspect.getdoc(getattr(Mnemic, name))
    assert parameters(door.remember_later) == parameters(Mnemic.remember)


def test_both_colours_are_constructed_alike() -> None:
    named = [[each.name for each in parameters(door.__init__)] for door in (Client, AsyncClient)]
    assert named[0] == named[1]


@pytest.fixture
def twin(world: World, tenant: str) -> Iterator[Mnemic]:
    """An embedded door to another store that was told the same."""
    with world.tenants.core(f"{tenant}twin") as core:
        yield Mnemic.within(core, Scope(tenant=f"{tenant}twin", user="ada"))


@pytest.mark.parametrize(("name", "argument"), list(arguments()))
def test_any_argument_is_answered_as_the_embedded_door_answers(
    beside: Mnemic, twin: Mnemic, client: Client, name: str, argument: str
) -> None:
    twin.learn(NAMES)
    for text in TOLD:
        assert twin.remember(text) == beside.remember(text)
    for value in VALUES:
        said, wanted = (outcome(memory, name, {argument: value}) for memory in (client, twin))
        assert said == wanted, value


@pytest.mark.parametrize(("name", "argument"), list(arguments()))
@pytest.mark.parametrize(
    "value", ["\ud800", ["\ud800"], {"a": ["\ud800"]}, datetime(2026, 3, 2), float("nan"), [float("inf")]]
)
def test_what_cannot_travel_is_refused_before_it_is_sent(name: str, argument: str, value: object) -> None:
    def never(request: httpx.Request) -> httpx.Response:
        raise AssertionError("it was sent")

    with Client("http://nowhere", "key", transport=httpx.MockTransport(never)) as client:
        kind, told = outcome(client, name, {argument: value})
        assert issubclass(kind, InvalidInput)
        assert str(told["field"]).startswith((argument, "content", "messages", "a[0]"))
