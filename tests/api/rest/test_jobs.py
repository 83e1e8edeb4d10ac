"""What is told to be remembered later: on disk when it is acknowledged, its owner's alone, followed to its end."""

import json
from pathlib import Path
from threading import Thread

import pytest
from fastapi.testclient import TestClient

from mnemic.api.rest.app import create_app
from mnemic.api.service.service import Service
from mnemic.api.service.worker import Worker
from mnemic.engine.working import run_next
from tests.api.rest.conftest import As, authenticate

TOLD = {"message": "The payment service runs on MySQL."}
LATER = "/v1/remember?wait=false"


def work(service: Service) -> None:
    with service.tenants.core("acme") as core:
        while run_next(core) is not None:
            pass


def test_a_job_is_kept_told_and_shown(http: As, service: Service, tmp_path: Path) -> None:
    ada = http("ada")
    answer = ada.post(LATER, json=TOLD)
    job = answer.json()
    assert (answer.status_code, job["state"], job["receipt"]) == (202, "waiting", None)
    assert answer.headers["location"] == f"/v1/jobs/{job['id']}"
    assert b"payment service" in (tmp_path / "data" / "acme.db-wal").read_bytes()
    assert ada.get("/v1/turns").json()["items"] == []
    work(service)
    done = ada.get(answer.headers["location"]).json()
    assert done["state"] == "done"
    assert done["receipt"]["stored"][0]["text"] == TOLD["message"]
    assert [each["id"] for each in ada.get("/v1/jobs", params={"state": "done"}).json()["items"]] == [
        job["id"]
    ]


def test_what_would_be_refused_is_refused_at_once(http: As) -> None:
    ada = http("ada")
    for body in ({"message": ""}, {"message": "x", "importance": 3.0}, {"message": "x", "visibility": "all"}):
        now, later = (ada.post(path, json=body) for path in ("/v1/remember", LATER))
        assert later.status_code == now.status_code == 422
        assert later.json()["detail"] == now.json()["detail"]
    assert ada.get("/v1/jobs").json()["items"] == []


def test_a_job_is_nobody_elses(http: As, service: Service) -> None:
    id = http("ada").post(LATER, json=TOLD).json()["id"]
    for other in ("bob", "eve"):
        assert http(other).get(f"/v1/jobs/{id}").status_code == 404
        assert http(other).get(f"/v1/jobs/{id}/events").status_code == 404
        assert http(other).post(f"/v1/jobs/{id}/retry").status_code == 404
        assert http(other).delete(f"/v1/jobs/{id}").status_code == 404
        assert http(other).get("/v1/jobs").json()["items"] == []
    assert http("ada").delete(f"/v1/jobs/{id}").status_code == 204
    work(service)
    assert http("ada").get("/v1/turns").json()["items"] == []


def test_a_job_is_followed_to_its_end(http: As, service: Service) -> None:
    ada = http("ada")
    id = ada.post(LATER, json=TOLD).json()["id"]
    worker = Thread(target=work, args=[service])
    with ada.stream("GET", f"/v1/jobs/{id}/events") as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        worker.start()
        told = [json.loads(line[6:]) for line in answer.iter_lines() if line.startswith("data: ")]
    worker.join()
    assert told[-1]["state"] == "done"
    assert all(each["id"] == id for each in told)


@pytest.mark.parametrize("key", [None, "k1"])
def test_what_is_sent_again_is_one_job_where_it_has_a_key_or_an_id(
    http: As, service: Service, key: str | None
) -> None:
    ada, headers = http("ada"), {"Idempotency-Key": key} if key else {}
    body = TOLD if key else {**TOLD, "id": "t1"}
    first, again = (ada.post(LATER, json=body, headers=headers) for _ in range(2))
    assert again.status_code == 202
    assert again.headers["location"] == first.headers["location"]
    work(service)
    assert len(ada.get("/v1/turns").json()["items"]) == 1


def test_a_service_with_a_worker_does_it_by_itself(service: Service) -> None:
    worker = Worker(service.tenants, interval=3600).start()
    own = Service(service.tenants, authenticate, worker=worker)
    with TestClient(create_app(own), headers={"Authorization": "Bearer ada"}) as client:
        id = client.post(LATER, json=TOLD).json()["id"]
        with client.stream("GET", f"/v1/jobs/{id}/events") as answer:
            told = [json.loads(line[6:]) for line in answer.iter_lines() if line.startswith("data: ")]
        assert told[-1]["state"] == "done"
