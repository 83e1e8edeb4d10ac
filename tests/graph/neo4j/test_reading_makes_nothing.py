"""A question to the wrong tenant of a server is told, as with a file, and leaves nothing there."""

from uuid import uuid4

import pytest

from mnemic.api.opening import require_made
from mnemic.errors import InvalidInput
from mnemic.graph.neo4j import Neo4jStore
from tests.graph.neo4j.conftest import Open
from tests.servers.shared import Access


def test_a_tenant_that_nobody_wrote_for_is_told_and_not_made(
    access: Access, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MNEMIC_NEO4J_USER", access.user)
    monkeypatch.setenv("MNEMIC_NEO4J_PASSWORD", access.password)
    tenant, misspelt = opened()._tenant, f"acme-{uuid4()}"
    require_made(access.address, tenant)
    for _ in range(2):  # the first question made nothing
        with pytest.raises(InvalidInput, match=misspelt):
            require_made(access.address, misspelt)
    assert Neo4jStore.is_made(access.address, tenant=tenant, user=access.user, password=access.password)
