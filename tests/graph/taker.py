"""A process that takes records until none is left: ``python -m tests.graph.taker PLACE TENANT [USER PASSWORD]``.

Prints the id of each record that it finished. Without a user, PLACE is a file.
"""

import sys
from dataclasses import replace

from mnemic.graph.embedded import EmbeddedStore
from mnemic.graph.neo4j import Neo4jStore
from mnemic.graph.records import DONE, OPEN, Which
from mnemic.graph.store import Store
from tests.graph.builders import day

_OPEN = Which(owners=None, states=[OPEN])


def opened(place: str, tenant: str, *credentials: str) -> Store:
    """Open the store that the arguments name."""
    if not credentials:
        return EmbeddedStore.open(place, tenant=tenant, timeout=30)
    user, password = credentials
    return Neo4jStore.open(place, tenant=tenant, user=user, password=password)


def main() -> None:
    """Say that the store is open, wait for a line, and take."""
    with opened(*sys.argv[1:]) as store:
        print("open", flush=True)
        sys.stdin.readline()
        while store.count("job", _OPEN):
            lease = store.take("job", now=day(1), until=day(2))
            if lease is not None and store.keep(replace(lease, state=DONE), version=lease.version):
                print(lease.id, flush=True)


if __name__ == "__main__":
    main()
