"""What is stored, as resources: pages, versions, the dictionary, who may what."""

import pytest
from fastapi import FastAPI

from tests.api.rest.conftest import As

READING = [
    *("/v1/memories", "/v1/turns", "/v1/entities", "/v1/tasks", "/v1/dictionary", "/v1/export"),
]


def remembered(http: As, message: str, **told: object) -> str:
    answer = http("ada").post("/v1/remember", json={"message": message, **told})
    return str(answer.json()["stored"][0]["id"])


def test_a_memory_is_edited_with_the_version_that_was_read(http: As) -> None:
    ada, id = http("ada"), remembered(http, "The payment service runs on MySQL.")
    tag = ada.get(f"/v1/memories/{id}").headers["etag"]
    changed = ada.patch(
        f"/v1/memories/{id}",
        json={"text": "The payment service runs on PostgreSQL."},
        headers={"If-Match": tag},
    )
    assert changed.json()["replaced"][0]["older"] == id
    again = ada.patch(
        f"/v1/memories/{id}", json={"text": "The payment service runs on Oracle."}, headers={"If-Match": tag}
    )
    assert (again.status_code, again.json()["code"]) == (412, "Conflict")
    assert ada.delete(f"/v1/memories/{id}", headers={"If-Match": tag}).status_code == 412
    assert ada.get(f"/v1/memories/{id}").json()["state"] == "superseded"


def test_a_memory_is_removed_by_its_id_alone(http: As) -> None:
    ada, id = http("ada"), remembered(http, "The payment service runs on MySQL.")
    assert ada.delete("/v1/memories/The payment service runs on MySQL.").status_code == 404
    assert ada.delete(f"/v1/memories/{id}").json()["memories"] == [id]
    assert ada.get(f"/v1/memories/{id}").status_code == 404
    assert ada.get("/v1/turns").json() == {"items": [], "next": None}


def test_lists_are_paged(http: As) -> None:
    for number in range(5):
        remembered(http, f"Line {number} of many.", importance=0.9)
    found, cursor = [], ""
    while cursor is not None:
        page = http("ada").get("/v1/memories", params={"limit": 2, "cursor": cursor}).json()
        found += [row["id"] for row in page["items"]]
        cursor = page["next"]
    assert len(found) == len(set(found)) == 5


def test_a_name_with_any_letters_is_defined_shown_and_removed(http: As) -> None:
    root = http("root")
    for name in ("支付系统", "CI/CD", "C++", "a b?c#d", ".NET"):
        path = "/v1/dictionary/" + name.replace("?", "%3F").replace("#", "%23")
        assert root.put(path, json={"kind": "service"}).json()["name"] == name
        assert root.get(path).json() == {"name": name, "kind": "service", "aliases": [], "owner": ""}
        assert root.delete(path).status_code == 204
        assert root.get(path).status_code == 404


@pytest.mark.parametrize("path", READING)
def test_a_reader_reads_and_nothing_more(http: As, path: str) -> None:
    assert http("reader").get(path).status_code == 200
    id = remembered(http, "The payment service runs on MySQL.")
    for answer in (
        http("reader").delete(f"/v1/memories/{id}"),
        http("reader").post("/v1/remember", json={"message": "x"}),
        http("ada").put("/v1/dictionary/Atlas", json={"kind": "project"}),
        http("ada").post("/v1/stats", json={}),
    ):
        assert (answer.status_code, answer.json()["code"]) == (403, "Forbidden")
    assert http("ada").get(f"/v1/memories/{id}").status_code == 200


def test_without_a_key_nothing_is_told_but_that_the_service_lives(http: As, app: FastAPI) -> None:
    paths = app.openapi()["paths"]
    for path, operations in paths.items():
        for verb in operations:
            answer = http("nobody").request(verb, path.replace("{", "").replace("}", ""), json={})
            open_to_all = path in ("/healthz", "/readyz")
            assert answer.status_code == (200 if open_to_all else 401), (verb, path)


def test_a_backend_names_whom_it_asks_for(http: As) -> None:
    id = remembered(http, "The payment service runs on MySQL.")
    backend = http("backend")
    assert backend.get(f"/v1/memories/{id}").json()["field"] == "Mnemic-User"
    assert backend.get(f"/v1/memories/{id}", headers={"Mnemic-User": "ada"}).status_code == 200
    assert backend.get(f"/v1/memories/{id}", headers={"Mnemic-User": "bob"}).status_code == 404
    assert http("bob").get(f"/v1/memories/{id}", headers={"Mnemic-User": "ada"}).status_code == 403
    other = {"Mnemic-User": "%E5%B0%8F%E7%8E%8B", "Mnemic-Session": "%E6%99%A8%E4%BC%9A"}
    backend.post("/v1/remember", json={"message": "支付系统用的是 MySQL。"}, headers=other)
    turn = backend.get("/v1/turns", headers=other).json()["items"][0]
    assert (turn["owner"], turn["session"]) == ("小王", "晨会")
