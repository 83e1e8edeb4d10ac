"""Every store runs the contract suite: a further store is a further entry in ``STORES``."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mnemic.graph.embedded import EmbeddedStore
from mnemic.graph.store import Store
from tests.graph.builders import DIMENSION, EMBEDDER

RAW_KEY = "raw:" + "2b" * 32
"""A key as such: deriving one from a passphrase would take most of the suite's time."""

STORES: dict[str, Callable[[Path], Store]] = {
    "memory": lambda folder: EmbeddedStore.open(":memory:", tenant="acme"),
    "file": lambda folder: EmbeddedStore.open(folder / "acme.db", tenant="acme"),
    "encrypted": lambda folder: EmbeddedStore.open(folder / "acme.db", tenant="acme", key=RAW_KEY),
}


@pytest.fixture(params=STORES)
def bare_store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """A store that nothing has been written to."""
    with STORES[request.param](tmp_path) as store:
        yield store


@pytest.fixture
def store(bare_store: Store) -> Store:
    """A store that has taken up an embedder."""
    bare_store.adopt(EMBEDDER, DIMENSION)
    return bare_store
