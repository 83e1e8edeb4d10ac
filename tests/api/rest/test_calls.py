"""Every method of the front door is a call, with the same names, the same results and the same refusals."""

import inspect
import json
from typing import Any

import pytest
from fastapi import FastAPI
from pydantic import TypeAdapter

from mnemic import InvalidInput, Mnemic
from mnemic.api.rest.forms import form, is_rows, methods, result_type, texts
from mnemic.api.service.access import NEEDED
from mnemic.api.service.service import Service
from mnemic.graph.view import Scope
from tests.api.rest.conftest import As
from tests.engine.told import NAMES

TOLD = "We moved the payment service from MySQL to PostgreSQL."


BESIDES = {"erase", "job", "jobs", "retry", "discard"}
"""Actions that are no methods of the front door."""


def public() -> set[str]:
    return {name for name in vars(Mnemic) if not name.startswith("_")} - {"within", "core", "close"}


def test_every_method_is_a_route_with_its_right_and_its_example(app: FastAPI) -> None:
    paths = app.openapi()["paths"]
    assert {
        path.removeprefix("/v1/") for path in paths if "post" in paths[path] and "{" not in path
    } >= public()
    assert set(methods()) == public() == set(texts()["examples"]) == set(NEEDED) - BESIDES


def test_a_body_has_the_parameters_of_its_method() -> None:
    for method in methods():
        parameters = inspect.signature(getattr(Mnemic, method)).parameters
        fields = form(method).model_fields
        assert set(fields) == set(parameters) - {"self", "progress"}, method
        for name, field in fields.items():
            parameter = parameters[name]
            if parameter.default is not parameter.empty:
                assert field.get_default() == parameter.default, (method, name)


def test_the_examples_of_the_document_are_understood() -> None:
    for method, example in texts()["examples"].items():
        form(method).model_validate(example)


@pytest.mark.parametrize(
    ("method", "body"),
    [
        ("recall", {"query": "What does the payment service run on?", "limit": 2}),
        ("about", {"name": "payment service"}),
        ("explore", {"name": "PostgreSQL", "hops": 1}),
        ("path", {"source": "payment service", "target": "PostgreSQL"}),
        ("history", {"name": "payment service"}),
        ("tasks", {}),
        ("resolve", {"name": "PG"}),
        ("analyse", {"text": TOLD}),
        ("names", {}),
        ("memories", {"hidden": True}),
        ("turns", {}),
        ("entities", {}),
        ("proposals", {}),
        ("doomed", {"pointers": [TOLD]}),
    ],
)
def test_both_doors_answer_alike(http: As, service: Service, method: str, body: dict[str, Any]) -> None:
    ada, scope = http("ada"), Scope(tenant="acme", user="ada")
    with service.tenants.memory(scope) as memory:
        memory.learn([{"name": "payment service", "kind": "service"}])
    assert ada.post("/v1/remember", json={"message": TOLD}).status_code == 200
    told = dict(body)
    with service.tenants.memory(scope) as memory:
        expected = getattr(memory, method)(*told.pop("pointers", ()), **told)
    answer = ada.post(f"/v1/{method}", json=body)
    assert answer.status_code == 200
    assert answer.json() == json.loads(TypeAdapter(result_type(method)).dump_json(expected))


def test_rows_come_a_line_each(http: As, service: Service) -> None:
    ada = http("ada")
    ada.post("/v1/remember", json={"message": TOLD})
    answer = ada.post("/v1/export", json={})
    assert answer.headers["content-type"] == "application/x-ndjson"
    with service.tenants.memory(Scope(tenant="acme", user="ada")) as memory:
        assert [json.loads(line) for line in answer.text.splitlines()] == list(memory.export())
    assert [method for method in methods() if is_rows(method)] == ["taught", "export"]


@pytest.mark.parametrize(
    ("method", "body"),
    [
        ("recall", {"query": "x", "limit": 0}),
        ("recall", {"query": "x", "limit": "5"}),
        ("recall", {"query": ""}),
        ("recall", {"query": "x", "depth": "bottomless"}),
        ("recall", {}),
        ("recall", {"query": "x", "colour": "red"}),
        ("remember", {"message": 5}),
        ("remember", {"message": "x", "importance": 2.0}),
        ("remember", {"message": "x", "visibility": "world"}),
        ("remember", {"message": {"role": "oracle", "content": "x"}}),
        ("forget", {"pointers": []}),
        ("about", {"name": " "}),
        ("memories", {"cursor": "%"}),
    ],
)
def test_both_doors_refuse_alike_and_name_the_field(
    http: As, service: Service, method: str, body: dict[str, Any]
) -> None:
    told = dict(body)
    with (
        service.tenants.memory(Scope(tenant="acme", user="ada")) as memory,
        pytest.raises(InvalidInput) as refused,
    ):
        getattr(memory, method)(*told.pop("pointers", ()), **told)
    answer = http("ada").post(f"/v1/{method}", json=body)
    assert (answer.status_code, answer.headers["content-type"]) == (422, "application/problem+json")
    assert answer.json()["field"] == refused.value.field
    assert answer.json()["fix"]


@pytest.mark.parametrize("moment", [5, "yesterday", "2026-03-02", "2026-03-02T09:00:00", ""])
def test_a_moment_without_its_offset_is_refused(http: As, moment: object) -> None:
    answer = http("ada").post("/v1/recall", json={"query": "x", "since": moment})
    assert (answer.status_code, answer.json()["field"]) == (422, "since")


def test_a_moment_is_understood(http: As) -> None:
    ada = http("ada")
    ada.post("/v1/remember", json={"message": TOLD, "at": "2026-03-01T09:00:00+08:00"})
    assert ada.post("/v1/turns", json={}).json()["items"][0]["at"] == "2026-03-01T09:00:00+08:00"


def test_a_dictionary_of_the_server_s_own_files_is_none(http: As) -> None:
    answer = http("root").post("/v1/learn", json={"dictionary": "/etc/passwd"})
    assert (answer.status_code, answer.json()["field"]) == (422, "dictionary")
    assert http("root").post("/v1/learn", json={"dictionary": NAMES}).status_code == 200
