"""The tenants of a server."""

from typing import Self, Unpack

from mnemic.graph.lookout import Lookout
from mnemic.graph.neo4j.connection import Connection
from mnemic.graph.neo4j.queries import records, schema
from mnemic.graph.neo4j.store import Entrance, connect
from mnemic.graph.records import OPEN


class ServerLookout(Lookout):
    """Sees the tenants of a server by one statement each time; open it with :meth:`open`."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    @classmethod
    def open(cls, address: str, **entrance: Unpack[Entrance]) -> Self:
        """Open the server at ``address``; raises what :meth:`Neo4jStore.open` does."""
        return cls(connect(address, tenant="nobody", **entrance))

    def tenants(self) -> list[str]:
        """See :meth:`Lookout.tenants`."""
        return sorted(name for (name,) in self._connection.read(schema.TENANTS, {}))

    def stirred(self, kind: str) -> list[str]:
        """See :meth:`Lookout.stirred`."""
        wanted = {"kind": kind, "open": OPEN}
        return sorted(name for (name,) in self._connection.read(records.TENANTS_WITH_OPEN, wanted))

    def mark(self, tenant: str) -> None:
        """See :meth:`Lookout.mark`; the server tells each time anew."""

    def settle(self, tenant: str, mark: object) -> None:
        """See :meth:`Lookout.settle`."""

    def close(self) -> None:
        """See :meth:`Lookout.close`."""
        self._connection.close()
