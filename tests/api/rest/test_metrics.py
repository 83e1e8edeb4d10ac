"""Metrics and traces: there where they were asked for, and without a word of what is stored."""

from fastapi.testclient import TestClient
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from mnemic.api.rest.app import create_app
from mnemic.api.service.service import Service
from mnemic.api.service.telemetry import Metrics
from tests.api.rest.conftest import As


def test_answers_are_counted_by_route_and_nothing_else_is_told(service: Service) -> None:
    client = TestClient(create_app(service, metrics=Metrics()), headers={"Authorization": "Bearer ada"})
    id = client.post("/v1/remember", json={"message": "The payment service runs on MySQL."}).json()["turns"][
        0
    ]
    client.get(f"/v1/turns/{id}")
    client.get("/v1/turns/nothing")
    client.get(f"/somewhere/{id}")
    told = client.get("/metrics").text
    assert 'mnemic_answers_total{method="GET",route="/v1/turns/{id}",status="200"} 1.0' in told
    assert 'mnemic_answers_total{method="GET",route="/v1/turns/{id}",status="404"} 1.0' in told
    assert 'route="unknown",status="404"' in told
    assert id not in told
    assert "MySQL" not in told


def test_nothing_is_shown_unless_it_was_asked_for(http: As) -> None:
    assert http("ada").get("/metrics").status_code == 404


def test_a_call_is_a_span(http: As) -> None:
    spans, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(spans))
    trace.set_tracer_provider(provider)
    http("ada").post("/v1/recall", json={"query": "What does the payment service run on?"})
    told = [span for span in spans.get_finished_spans() if span.name == "mnemic.recall"]
    assert len(told) == 1
    assert "payment" not in str(told[0].attributes)
