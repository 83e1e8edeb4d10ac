"""A service in a folder, and HTTP clients of several people; who a key belongs to is told by a table."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from mnemic import ManualClock, Unauthorized
from mnemic.api.rest.app import create_app
from mnemic.api.service.access import Principal, rights
from mnemic.api.service.audit import Audit
from mnemic.api.service.limits import Limits
from mnemic.api.service.service import Service
from mnemic.api.service.tenants import Tenants
from tests.engine.told import START

As = Callable[[str], TestClient]
"""Gives the client of whom a key belongs to."""


def principal(tenant: str, user: str | None, *may: str) -> Principal:
    return Principal(tenant=tenant, user=user, rights=rights(may), key=f"{tenant}-{user}-{may[-1]}")


HOLDERS = {
    "ada": principal("acme", "ada", "write"),
    "bob": principal("acme", "bob", "write"),
    "reader": principal("acme", "ada", "read"),
    "root": principal("acme", "root", "admin"),
    "backend": principal("acme", None, "write"),
    "eve": principal("evil", "ada", "admin"),
}


def authenticate(key: str) -> Principal:
    if key not in HOLDERS:
        raise Unauthorized("this key is not known here, has expired or was revoked")
    return HOLDERS[key]


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    (tmp_path / "data").mkdir()
    clock = ManualClock(START)
    tenants = Tenants(str(tmp_path / "data"), embedder="none", clock=clock)
    service = Service(tenants, authenticate, Limits(), Audit(tmp_path / "audit", clock))
    yield service
    service.close()


@pytest.fixture
def app(service: Service) -> FastAPI:
    return create_app(service)


@pytest.fixture
def http(app: FastAPI) -> Iterator[As]:
    """Clients of the application, by whose key they send."""
    with TestClient(app, raise_server_exceptions=False) as opened:

        def as_(key: str) -> TestClient:
            client = TestClient(
                app, raise_server_exceptions=False, headers={"Authorization": f"Bearer {key}"}
            )
            client.portal = opened.portal  # the one event loop in which the application runs
            return client

        yield as_
