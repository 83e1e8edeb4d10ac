"""One service on a real port, with a tenant of its own for each test; ``memory`` is a client of it, of either colour."""

from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from functools import partial, wraps
from inspect import isasyncgenfunction
from itertools import count
from typing import Any

import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal

from mnemic import AsyncClient, Client, ManualClock, Mnemic, Scope, Unauthorized
from mnemic.api.rest.app import create_app
from mnemic.api.service.access import Principal, rights
from mnemic.api.service.service import Service
from mnemic.api.service.tenants import Tenants
from mnemic.engine.core import Core
from tests.api.serving import served
from tests.engine.told import NAMES, START, as_user

_numbers = count(1)


@dataclass(frozen=True)
class World:
    """The service: ``url``, its clock, and its engines."""

    url: str
    clock: ManualClock
    tenants: Tenants


class Blocking:
    """An ``AsyncClient`` whose methods wait, so that the same tests run through it."""

    def __init__(self, portal: BlockingPortal, client: AsyncClient) -> None:
        self.portal, self.client = portal, client

    def __getattr__(self, name: str) -> Any:
        method = getattr(self.client, name)
        several = isasyncgenfunction(getattr(type(self.client), name))

        @wraps(method)
        def wait(*args: Any, **kwargs: Any) -> Any:
            if several:
                return iter(self.portal.call(_all, method(*args, **kwargs)))
            return self.portal.call(partial(method, *args, **kwargs))

        return wait


async def _all(rows: AsyncIterator[Any]) -> list[Any]:
    return [row async for row in rows]


def authenticate(key: str) -> Principal:
    """Take a key of the form tenant, user (nothing: many), right."""
    tenant, user, right = key.split(".") if key.count(".") == 2 else ("", "", "")
    if not tenant.startswith("tenant"):
        raise Unauthorized("this key is not known here, has expired or was revoked")
    return Principal(tenant=tenant, user=user or None, rights=rights([right]), key=key)


@pytest.fixture(scope="session")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    clock = ManualClock(START)
    tenants = Tenants(str(tmp_path_factory.mktemp("data")), embedder="none", clock=clock)
    with served(create_app(Service(tenants, authenticate))) as url:
        yield World(url, clock, tenants)


@pytest.fixture(scope="session")
def portal() -> Iterator[BlockingPortal]:
    with start_blocking_portal() as portal:
        yield portal


@pytest.fixture
def clock(world: World) -> ManualClock:
    world.clock.now = START
    return world.clock


@pytest.fixture
def tenant(clock: ManualClock) -> str:
    return f"tenant{next(_numbers)}"


@pytest.fixture
def core(world: World, tenant: str) -> Iterator[Core]:
    """The engine behind the service, of the tenant of this test, which knows the names of the tests."""
    with world.tenants.core(tenant) as core:
        Mnemic.within(core, Scope(tenant=tenant, user="ada")).learn(NAMES)
        yield core


@pytest.fixture
def beside(core: Core, tenant: str) -> Mnemic:
    """Ada's embedded door to the same store."""
    return Mnemic.within(core, Scope(tenant=tenant, user="ada"))


@pytest.fixture
def client(world: World, core: Core, tenant: str) -> Iterator[Client]:
    with Client(world.url, f"{tenant}.ada.admin") as client:
        yield client


@pytest.fixture(params=["client", "async client"])
def memory(
    request: pytest.FixtureRequest, world: World, beside: Mnemic, portal: BlockingPortal, tenant: str
) -> Iterator[Any]:
    """A client as a memory: the tests of the engine look at ``scope`` and ``core`` too."""
    key = f"{tenant}.ada.admin"
    if request.param == "client":
        memory: Any = Client(world.url, key)
    else:
        memory = Blocking(portal, AsyncClient(world.url, key))
    memory.scope, memory.core = beside.scope, beside.core
    yield memory
    memory.close()


@pytest.fixture
def bob(beside: Mnemic) -> Mnemic:
    return as_user(beside, "bob")


OTHERWISE = {
    "10 MB": "a body of that size is refused whatever it says",
    "conversation[0]='\\u738b": "so is this one",
    "test_progress_is_told": "progress does not travel",
}
"""The tests of the engine that do not hold over HTTP, by what stands in their names, and why."""


IN_BOTH = ("__owners", "__recall_options", "__listing", "__receipts")
"""The tests that run through both colours; what both send is worked out by the same code."""


BOTH = ("__forget", "__listing", "__recall_options", "__unreplace")
"""The tests of the engine that run through both colours; what is sent and read is the same code, the rest takes long."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what holds for the embedded door alone, and most of the second colour."""

    def leaves(name: str) -> bool:
        second = "[async client" in name and not any(module in name for module in BOTH)
        return second or any(told in name for told in OTHERWISE)

    left = [item for item in items if item.path.name == "test_behaviour.py" and leaves(item.name)]
    items[:] = [item for item in items if item not in left]
    config.hook.pytest_deselected(items=left)
