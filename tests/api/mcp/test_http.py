"""MCP over HTTP: on one's own machine, and as a route of the service, where the key says whose memory it is."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest

from mnemic import Client, InvalidInput, ManualClock, Mnemic, Unauthorized
from mnemic.api.mcp.serving import application
from mnemic.api.rest.app import create_app
from mnemic.api.service.access import Principal, rights
from mnemic.api.service.audit import Audit, entries
from mnemic.api.service.limits import Limits
from mnemic.api.service.service import Service
from mnemic.api.service.tenants import Tenants
from tests.api.mcp.conftest import server_of, talking, with_key
from tests.api.serving import served
from tests.engine.told import START

QUESTION = "Who owns the checkout?"
HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "t", "version": "1"},
    },
}
HEADERS = {"Accept": "application/json, text/event-stream"}


def authenticate(key: str) -> Principal:
    tenant, _, rest = key.partition(".")
    user, _, may = rest.partition(".")
    if not may:
        raise Unauthorized("this key is not known here, has expired or was revoked")
    return Principal(tenant=tenant, user=user or None, rights=rights([may]), key=key)


@pytest.fixture
def audit(tmp_path: Path) -> Path:
    return tmp_path / "audit"


@pytest.fixture
def url(tmp_path: Path, audit: Path) -> Iterator[str]:
    (tmp_path / "data").mkdir()
    clock = ManualClock(START)
    tenants = Tenants(str(tmp_path / "data"), embedder="none", clock=clock)
    service = Service(tenants, authenticate, Limits(), Audit(audit, clock))
    with served(create_app(service)) as address:
        yield f"{address}/mcp"


def post(url: str, body: Any, **headers: str) -> httpx.Response:
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    return httpx.post(
        url, content=content, headers={**HEADERS, "Content-Type": "application/json", **headers}
    )


def test_on_this_machine_whoever_asks_is_the_user(memory: Mnemic) -> None:
    with served(application(memory, "127.0.0.1")) as address:
        for mode in ("auto", "legacy"):
            with talking(f"{address}/mcp", mode) as assistant:
                assistant.use("remember", text="Ben owns the checkout.")
                assert "Ben owns the checkout." in assistant.use("recall", query=QUESTION)


def test_a_web_page_of_others_is_refused_on_this_machine(memory: Mnemic) -> None:
    with served(application(memory, "127.0.0.1")) as address:
        url = f"{address}/mcp"
        assert post(url, HELLO).status_code == 200
        assert post(url, HELLO, Origin="https://evil.example").status_code == 403
        assert post(url, HELLO, Host="evil.example:8421").status_code == 421
        assert httpx.get(url, headers=HEADERS).status_code == 405


@pytest.mark.parametrize("host", ["0.0.0.0", "192.168.0.7", "memory.example", "::", ""])
def test_no_host_that_others_reach_is_served_without_keys(memory: Mnemic, host: str) -> None:
    with pytest.raises(InvalidInput, match="host"):
        application(memory, host)


def test_the_key_says_whose_memory_it_is(url: str) -> None:
    with talking(with_key(url, "acme.ada.write")) as ada:
        ada.use("remember", text="Ben owns the checkout.")
        assert "Ben owns the checkout." in ada.use("recall", query=QUESTION)
    for key in ("acme.bob.write", "evil.ada.write"):
        with talking(with_key(url, key)) as other:
            assert "Nothing is remembered" in other.use("recall", query=QUESTION)
            assert "Ben" not in other.read_resource("mnemic://entities").contents[0].text
            assert [r.uri for r in other.list_resources().resources] == ["mnemic://entities"]


def test_what_is_told_to_the_team_every_key_of_the_tenant_reads(url: str) -> None:
    with talking(with_key(url, "acme.ada.write")) as ada:
        ada.use("remember", text="Ben owns the checkout.", visibility="team")
    with talking(with_key(url, "acme.bob.read")) as bob:
        assert "Ben owns the checkout." in bob.use("recall", query=QUESTION)
    with talking(with_key(url, "evil.bob.read")) as eve:
        assert "Nothing is remembered" in eve.use("recall", query=QUESTION)


def test_a_key_of_many_users_names_each_in_a_header(url: str) -> None:
    with talking(with_key(url, "acme..write", **{"Mnemic-User": "ada", "Mnemic-Session": "s1"})) as ada:
        ada.use("remember", text="Ben owns the checkout.")
    with talking(with_key(url, "acme..write", **{"Mnemic-User": "bob"})) as bob:
        assert "Nothing is remembered" in bob.use("recall", query=QUESTION)
    assert post(url, HELLO, Authorization="Bearer acme..write").status_code == 422


def test_a_key_that_only_reads_writes_and_removes_nothing(url: str) -> None:
    with talking(with_key(url, "acme.ada.write")) as ada:
        ada.use("remember", text="Ben owns the checkout.")
    with talking(with_key(url, "acme.ada.read")) as reader:
        assert "Forbidden" in reader.fail("remember", text="Lea owns the checkout.")
        code = reader.data("forget", pointers=["Ben owns the checkout"])["confirm"]
        assert "Forbidden" in reader.fail("forget", pointers=["Ben owns the checkout"], confirm=code)
        assert "Ben owns the checkout." in reader.use("recall", query=QUESTION)


@pytest.mark.parametrize("headers", [{}, {"Authorization": "Bearer nobody"}, {"Authorization": "Basic eDp5"}])
def test_without_a_key_nothing_is_told_not_even_the_tools(url: str, headers: dict[str, str]) -> None:
    for body in (HELLO, {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}, {}):
        answer = post(url, body, **headers)
        assert answer.status_code == 401
        assert answer.headers["www-authenticate"].startswith("Bearer")
        assert answer.json()["code"] == "Unauthorized"


def test_every_call_is_recorded_by_whose_key_and_without_its_words(url: str, audit: Path) -> None:
    with talking(with_key(url, "acme.ada.write")) as ada:
        ada.use("remember", text="Ben owns the checkout.")
        ada.use("recall", query=QUESTION)
        ada.data("forget", pointers=["Ben owns the checkout"])
    written = list(entries(audit))
    assert [(each["action"], each["user"]) for each in written] == [
        ("remember", "ada"),
        ("recall", "ada"),
        ("doomed", "ada"),
    ]
    assert written[1]["ids"]
    assert "Ben" not in str(written)


def test_many_people_at_once_see_their_own_alone(url: str) -> None:
    def live(number: int) -> str:
        with talking(with_key(url, f"acme.user{number}.write")) as assistant:
            assistant.use("remember", text=f"My lucky number is {number}.", kind="fact")
            return assistant.use("recall", query="What is my lucky number?")

    with ThreadPoolExecutor(4) as pool:
        for number, said in enumerate(pool.map(live, range(8))):
            assert f"number is {number}." in said
            assert said.count("lucky number is") == 1


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 400),
        (b"{", 400),
        (b"[]", 400),
        (b"[" * 100 + b"]" * 100, 422),
        (b'{"jsonrpc": "1.0"}', 400),
        (b"x" * 9_000_000, 413),
    ],
)
def test_what_is_no_message_is_refused_and_the_next_one_is_served(url: str, body: bytes, status: int) -> None:
    key = {"Authorization": "Bearer acme.ada.write"}
    assert post(url, body, **key).status_code == status
    assert post(url, HELLO, **key).status_code == 200


def test_other_methods_and_the_documents_know_it_not(url: str) -> None:
    for method in ("GET", "DELETE", "PUT"):
        answer = httpx.request(method, url, headers={**HEADERS, "Authorization": "Bearer acme.ada.write"})
        assert answer.status_code == 405


def test_a_service_far_away_is_given_to_an_assistant_by_its_client(url: str) -> None:
    client = Client(url.removesuffix("/mcp"), key="acme.ada.write")
    with client, talking(server_of(client)) as assistant:
        assistant.use("remember", text="Ben owns the checkout.")
        assert "Ben owns the checkout." in assistant.use("recall", query=QUESTION)
        code = assistant.data("forget", pointers=["Ben owns the checkout"])["confirm"]
        assistant.use("forget", pointers=["Ben owns the checkout"], confirm=code)
        assert "limit" in assistant.fail("recall", query="x", limit=0)


def test_a_service_that_cannot_be_reached_is_said_to_be_so() -> None:
    client = Client("http://127.0.0.1:1", key="x", timeout=1, retries=0)
    with client, talking(server_of(client)) as assistant:
        assert "StoreUnavailable" in assistant.fail("recall", query=QUESTION)
