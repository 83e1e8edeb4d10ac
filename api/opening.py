"""From an address to a store: the one place that knows which stores there are."""

from mnemic.graph.embedded import EmbeddedStore
from mnemic.graph.store import Store


def open_store(where: str, *, tenant: str, key: str | None) -> Store:
    """Open the store at ``where``: a path, a folder with one file per tenant, or ``":memory:"``."""
    return EmbeddedStore.open(where, tenant=tenant, key=key)
