"""The embedded store: one file per tenant, no server."""

from mnemic.graph.embedded.store import EmbeddedStore

__all__ = ["EmbeddedStore"]
