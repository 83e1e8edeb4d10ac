"""Every call through the service is recorded: who, what, the ids, the outcome, and none of the words."""

import json
from pathlib import Path

from mnemic.api.service.audit import entries, verify
from tests.api.rest.conftest import As


def test_what_is_done_and_what_is_refused_is_recorded_without_words(http: As, tmp_path: Path) -> None:
    receipt = http("ada").post("/v1/remember", json={"message": "The payment service runs on MySQL."}).json()
    id = receipt["stored"][0]["id"]
    http("ada").post("/v1/recall", json={"query": "What does the payment service run on?"})
    http("bob").get(f"/v1/memories/{id}")
    http("reader").delete(f"/v1/memories/{id}")
    http("ada").delete(f"/v1/memories/{id}")
    told = list(entries(tmp_path / "audit"))
    assert [(each["user"], each["action"], each["outcome"]) for each in told] == [
        ("ada", "remember", "done"),
        ("ada", "recall", "done"),
        ("bob", "memory", "NotFound"),
        ("ada", "forget", "Forbidden"),
        ("ada", "forget", "done"),
    ]
    assert told[1]["ids"] == [id]
    assert "MySQL" not in json.dumps(told)
    assert verify(tmp_path / "audit")[0].broken == 0
