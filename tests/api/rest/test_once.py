"""A write under an idempotency key is done once, however often and by however many it is sent."""

import json
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest

from mnemic import Conflict, ManualClock, Receipt
from mnemic.api.service.replies import KEPT, KIND, Replies
from mnemic.api.service.service import Service
from mnemic.graph.records import Which
from mnemic.graph.view import Scope
from tests.api.rest.conftest import As

ADA = Scope(tenant="acme", user="ada")
TOLD = {"message": "The payment service runs on MySQL."}


def test_the_same_write_gives_the_same_answer_and_has_one_effect(http: As, service: Service) -> None:
    ada = http("ada")
    first = ada.post("/v1/remember", json=TOLD, headers={"Idempotency-Key": "k1"})
    assert isinstance(service.tenants.clock, ManualClock)
    service.tenants.clock.now += timedelta(hours=1)
    again = ada.post("/v1/remember", json=TOLD, headers={"Idempotency-Key": "k1"})
    assert (again.status_code, again.json()) == (200, first.json())
    assert len(ada.get("/v1/turns").json()["items"]) == 1
    ada.post("/v1/remember", json=TOLD, headers={"Idempotency-Key": "k2"})
    assert len(ada.get("/v1/turns").json()["items"]) == 2


def test_another_body_under_the_same_key_is_a_conflict(http: As) -> None:
    ada = http("ada")
    ada.post("/v1/remember", json=TOLD, headers={"Idempotency-Key": "k1"})
    for method, body in (("remember", {"message": "Else."}), ("forget", {"pointers": ["x"]})):
        answer = ada.post(f"/v1/{method}", json=body, headers={"Idempotency-Key": "k1"})
        assert (answer.status_code, answer.json()["code"]) == (409, "Conflict")
    other = http("bob").post("/v1/remember", json={"message": "Else."}, headers={"Idempotency-Key": "k1"})
    assert other.status_code == 200


def test_a_write_that_was_refused_may_be_sent_again(http: As) -> None:
    ada, headers = http("ada"), {"Idempotency-Key": "k1"}
    body = {"pointers": ["The payment service runs on MySQL."]}
    assert ada.post("/v1/forget", json=body, headers=headers).status_code == 404
    ada.post("/v1/remember", json=TOLD)
    assert ada.post("/v1/forget", json=body, headers=headers).status_code == 200
    assert ada.post("/v1/forget", json=body, headers=headers).json()["rows"] == 2


@pytest.mark.parametrize("key", ["", " ", "k" * 201])
def test_a_key_that_is_none_is_refused(http: As, key: str) -> None:
    answer = http("ada").post("/v1/remember", json=TOLD, headers={"Idempotency-Key": key})
    assert (answer.status_code, answer.json()["field"]) == (422, "Idempotency-Key")


def test_of_many_at_once_one_does_it(http: As) -> None:
    ada = http("ada")

    def send(_: int) -> int:
        return ada.post("/v1/remember", json=TOLD, headers={"Idempotency-Key": "k"}).status_code

    with ThreadPoolExecutor(8) as pool:
        statuses = set(pool.map(send, range(24)))
    assert statuses <= {200, 409}
    assert len(ada.get("/v1/turns").json()["items"]) == 1


def test_what_died_between_the_write_and_its_answer_is_done_again_without_a_second_effect(
    service: Service,
) -> None:
    class Killed(BaseException):
        pass

    clock = service.tenants.clock
    assert isinstance(clock, ManualClock)
    with service.tenants.memory(ADA) as memory:
        replies = Replies(memory.core, ADA)
        store = memory.core.store
        original = store.drop

        def dies(at: object) -> tuple[Receipt, bytes]:
            memory.remember(TOLD["message"], at=at)  # type: ignore[arg-type]
            raise Killed

        store.drop = lambda *_: 0  # type: ignore[method-assign]  # a dead process clears nothing up
        with pytest.raises(Killed):
            replies.once("k", b"body", dies)
        store.drop = original  # type: ignore[method-assign]
        with pytest.raises(Conflict, match="under way"):
            replies.once("k", b"body", dies)
        clock.now += timedelta(minutes=5)

        def works(at: object) -> tuple[Receipt, bytes]:
            receipt = memory.remember(TOLD["message"], at=at)  # type: ignore[arg-type]
            return receipt, receipt.model_dump_json().encode()

        result, _ = replies.once("k", b"body", works)
        assert result.known == result.turns
        assert len(memory.turns().items) == 1


def test_a_kept_answer_goes_with_what_it_tells_of_and_with_its_day(http: As, service: Service) -> None:
    ada = http("ada")
    ada.post("/v1/remember", json=TOLD, headers={"Idempotency-Key": "k1"})
    with service.tenants.core("acme") as core:
        (kept,) = core.store.kept(KIND, Which(owners=None))
        assert "MySQL" in json.loads(kept.body)["answer"]
        ada.post("/v1/forget", json={"pointers": [TOLD["message"]]})
        assert core.store.kept(KIND, Which(owners=None)) == []
        ada.post("/v1/remember", json=TOLD, headers={"Idempotency-Key": "k2"})
        assert isinstance(service.tenants.clock, ManualClock)
        service.tenants.clock.now += KEPT + timedelta(seconds=1)
        ada.post("/v1/remember", json={"message": "Else."}, headers={"Idempotency-Key": "k3"})
        assert len(core.store.kept(KIND, Which(owners=None))) == 1
