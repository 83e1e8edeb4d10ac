"""What every request passes: ids, bounds, headers, problems that tell nothing of the inside."""

import json
import logging
from threading import Event

import anyio
import pytest
from anyio import sleep_forever
from fastapi import FastAPI
from fastapi.testclient import TestClient
from starlette.types import Message

from mnemic.api.rest.app import create_app
from mnemic.api.rest.guard import Bounds
from mnemic.api.service.limits import Limiter, Limits
from mnemic.api.service.logs import JsonLines
from mnemic.api.service.service import Service
from mnemic.errors import TooManyRequests
from tests.api.rest.conftest import HOLDERS, As, authenticate

JSON = {"Authorization": "Bearer ada", "Content-Type": "application/json"}


def test_every_answer_has_an_id_and_headers_that_protect(http: As) -> None:
    for answer in (http("ada").get("/v1/tasks"), http("x").get("/v1/tasks"), http("ada").get("/nowhere")):
        assert len(answer.headers["x-request-id"]) == 32
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["cache-control"] == "no-store"
        assert "server" not in answer.headers
    given = http("ada").get("/v1/tasks", headers={"X-Request-Id": "abc-1"})
    assert given.headers["x-request-id"] == "abc-1"
    forged = http("ada").get("/v1/tasks", headers={"X-Request-Id": "a\\nb" * 40})
    assert len(forged.headers["x-request-id"]) == 32


def test_no_other_page_may_call_unless_it_is_named(service: Service) -> None:
    for origins, allowed in (((), None), (("https://app.example",), "https://app.example")):
        client = TestClient(create_app(service, origins=origins))
        answer = client.options(
            "/v1/recall",
            headers={"Origin": "https://app.example", "Access-Control-Request-Method": "POST"},
        )
        assert answer.headers.get("access-control-allow-origin") == allowed


@pytest.mark.parametrize(
    ("body", "status", "field"),
    [
        ("x" * 3_000, 413, "body"),
        ("[" * 100 + "]" * 100, 422, "body"),
        ('{"message": ' + '{"a": ' * 40 + "1" + "}" * 41, 422, "body"),
        ("{", 422, "body"),
        ("[]", 422, "body"),
        ('{"message": "' + "\\\\" + '", "x": ' + "[" * 40, 422, "body"),
        ('{"message": "' + "a" * 500, 422, "body"),
        ("", 422, "body"),
        (b"\xfd\x00X", 422, "body"),
        (b'{"message": "caf\xe9"}', 422, "body"),
        (b'{"message": "\xed\xa0\x80"}', 422, "content"),
        ('{"message": "' + "[" * 100 + '"}', 200, None),
        ('{"message": "\\"' + "{" * 100 + '\\\\"}', 200, None),
    ],
)
def test_a_body_is_bounded(service: Service, body: str | bytes, status: int, field: str | None) -> None:
    client = TestClient(create_app(service, bounds=Bounds(body=2_000)), raise_server_exceptions=False)
    answer = client.post("/v1/remember", content=body, headers=JSON)
    assert answer.status_code == status, answer.text
    assert answer.json().get("field") == field


def test_a_body_that_does_not_come_is_not_waited_for(service: Service) -> None:
    app, told = create_app(service, bounds=Bounds(seconds=0.05)), list[Message]()

    async def ask() -> None:
        scope = {
            "type": "http", "method": "POST", "path": "/v1/recall", "raw_path": b"/v1/recall", "query_string": b"",
            "headers": [], "http_version": "1.1", "scheme": "http", "client": ("127.0.0.1", 1),
            "server": ("127.0.0.1", 2), "root_path": "",
        }  # fmt: skip

        async def never() -> Message:
            await sleep_forever()
            raise AssertionError

        async def send(message: Message) -> None:
            told.append(message)

        await app(scope, never, send)

    anyio.run(ask)
    assert told[0]["status"] == 408
    assert json.loads(told[1]["body"])["field"] == "body"


def test_what_nobody_foresaw_tells_nothing_of_the_inside(
    http: As, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("the secret is xyzzy")

    monkeypatch.setattr("mnemic.api.facade.Mnemic.tasks", broken)
    answer = http("ada").get("/v1/tasks")
    assert (answer.status_code, answer.json()["code"]) == (500, "MnemicError")
    assert "xyzzy" not in answer.text
    assert answer.json()["request_id"] in caplog.text
    assert "the secret is xyzzy" in caplog.text


def test_a_key_that_asks_too_much_is_told_when_to_come_again(service: Service) -> None:
    now = 0.0
    limiter = Limiter(Limits(rate=2.0, burst=3), clock=lambda: now)
    for _ in range(3):
        limiter.admit("a")
    with pytest.raises(TooManyRequests) as refused:
        limiter.admit("a")
    assert refused.value.retry_after == pytest.approx(0.5)
    limiter.admit("b")
    now = 0.5
    limiter.admit("a")
    limited = Service(service.tenants, authenticate, Limits(rate=0.001, burst=1))
    client = TestClient(create_app(limited), headers={"Authorization": "Bearer ada"})
    assert [client.get("/v1/tasks").status_code for _ in range(2)] == [200, 429]
    assert int(client.get("/v1/tasks").headers["retry-after"]) > 0


def test_the_log_tells_who_asked_what_and_no_secret(http: As, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "mnemic.access")
    http("ada").post("/v1/recall", json={"query": "the vault code is 9921"})
    line = json.loads(JsonLines().format(caplog.records[-1]))
    assert line["message"] == "POST /v1/recall 200"
    assert (line["key"], line["status"]) == (HOLDERS["ada"].key, 200)
    assert "9921" not in caplog.text
    assert "Bearer" not in caplog.text


def test_the_document_describes_every_route_and_field(app: FastAPI) -> None:
    document = app.openapi()
    for path, operations in document["paths"].items():
        for verb, operation in operations.items():
            assert operation.get("description"), (verb, path)
            assert operation["responses"], (verb, path)
            for parameter in operation.get("parameters", []):
                assert parameter.get("description"), (verb, path, parameter["name"])
    for name, schema in document["components"]["schemas"].items():
        if name.endswith("Call"):
            assert schema["examples"]
            assert all(field.get("description") for field in schema.get("properties", {}).values()), name


def test_work_that_nobody_waits_for_any_more_still_counts(service: Service) -> None:
    slow = Service(service.tenants, authenticate, Limits(threads=1, seconds=0.05))
    go = Event()
    with TestClient(create_app(slow), headers={"Authorization": "Bearer ada"}) as client:
        service.tenants.require_reachable = lambda: go.wait(20)  # type: ignore[method-assign,assignment]
        statuses = [client.get("/readyz").status_code for _ in range(8)]
        go.set()
    assert statuses[0] == 503
    assert statuses[-1] == 429  # on a slow machine a call or two are over before their thread begins
