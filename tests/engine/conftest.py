from collections.abc import Iterator

import pytest

from mnemic import ManualClock, Mnemic
from tests.engine.told import START, as_user, door


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(START)


@pytest.fixture
def memory(clock: ManualClock) -> Iterator[Mnemic]:
    """Ada's memory; ``clock`` is its clock."""
    with door(clock=clock) as memory:
        yield memory


@pytest.fixture
def bob(memory: Mnemic) -> Mnemic:
    """Another user's door into the store of ``memory``."""
    return as_user(memory, "bob")
