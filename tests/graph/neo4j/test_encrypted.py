"""Encrypted connections to a server that requires them, under a certificate that nobody has vouched for."""

import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest

from mnemic import Mnemic
from mnemic.errors import StoreUnavailable
from mnemic.graph.neo4j import Neo4jStore
from tests.servers.process import PASSWORD, USER, Server
from tests.servers.releases import RELEASES
from tests.servers.shared import SERVERS, Access, require

_SETTINGS = """
dbms.ssl.policy.bolt.enabled=true
dbms.ssl.policy.bolt.base_directory=certificates
dbms.ssl.policy.bolt.client_auth=NONE
server.bolt.tls_level=REQUIRED
"""
_SOON = 20.0
"""Seconds; far less than the transactions' timeout, so that nothing was waited for."""


@pytest.fixture(scope="module", params=SERVERS)
def encrypted(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server of each release that requires TLS and signed its certificate itself."""
    name = request.param
    if name not in RELEASES:
        pytest.skip("the server that the tests are given has its own certificate, or none")
    require(name)
    if shutil.which("openssl") is None:
        pytest.skip("needs openssl")
    home = tmp_path_factory.mktemp("encrypted") / "home"
    _sign(home / "certificates")
    with Server(RELEASES[name], home, settings=_SETTINGS, scheme="bolt+ssc") as server:
        yield server


def _sign(folder: Path) -> None:
    """Put a key and a certificate for this machine's address, signed with that key, where a server takes them."""
    folder.mkdir(parents=True)
    subject = ("-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1")
    files = ("-keyout", str(folder / "private.key"), "-out", str(folder / "public.crt"))
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", *subject, *files]
    subprocess.run(command, check=True, capture_output=True)


def _address(server: Server, scheme: str) -> str:
    return f"{scheme}://127.0.0.1:{server.port}"


def _refused(address: str) -> str:
    """Return how the store at ``address`` is refused, which takes no wait."""
    started = time.monotonic()
    with pytest.raises(StoreUnavailable) as caught:
        Neo4jStore.open(address, tenant="acme", user=USER, password=PASSWORD, timeout=60)
    assert time.monotonic() - started < _SOON
    return str(caught.value)


@pytest.mark.parametrize("scheme", ["bolt+ssc", "neo4j+ssc"])
def test_a_certificate_of_ones_own_is_taken_where_any_is(encrypted: Server, scheme: str) -> None:
    with Mnemic(
        _address(encrypted, scheme),
        user="ada",
        tenant=f"acme-{uuid4()}",
        embedder="none",
        credentials=(USER, PASSWORD),
    ) as memory:
        memory.remember("The billing service runs on PostgreSQL.")
        assert "PostgreSQL" in memory.recall("What does the billing service run on?").items[0].text


@pytest.mark.parametrize("scheme", ["bolt+s", "neo4j+s"])
def test_a_certificate_that_nobody_vouches_for_is_refused_with_the_way_out(
    encrypted: Server, scheme: str
) -> None:
    told = _refused(_address(encrypted, scheme))
    assert "certificate" in told
    assert "not trusted" in told
    assert "+ssc" in told


@pytest.mark.parametrize("scheme", ["bolt+s", "neo4j+s"])
def test_a_certificate_whose_issuer_is_trusted_is_taken(
    encrypted: Server, scheme: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(encrypted.home / "certificates" / "public.crt"))
    address = _address(encrypted, scheme)
    Neo4jStore.open(address, tenant="acme", user=USER, password=PASSWORD, timeout=60).close()


@pytest.mark.parametrize("scheme", ["bolt", "neo4j"])
def test_a_server_that_requires_encryption_says_so_to_who_asks_without(
    encrypted: Server, scheme: str
) -> None:
    told = _refused(_address(encrypted, scheme))
    assert "requires TLS" in told
    assert "+s" in told


@pytest.mark.parametrize("scheme", ["bolt+s", "bolt+ssc", "neo4j+s", "neo4j+ssc"])
def test_a_server_without_encryption_is_told_from_one_that_is_down(access: Access, scheme: str) -> None:
    if SERVERS[0] not in RELEASES:
        pytest.skip("the server that the tests are given may have a certificate")
    told = _refused(access.address.replace("bolt", scheme, 1))
    assert "has no TLS" in told
