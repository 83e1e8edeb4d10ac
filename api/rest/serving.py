"""A service as the environment describes it, and the server that runs it."""

from pathlib import Path

import uvicorn
from fastapi import APIRouter, FastAPI

from mnemic.api.facade import Mnemic
from mnemic.api.modelled import model_meant
from mnemic.api.proxy.beside import Habits
from mnemic.api.proxy.router import proxy_router
from mnemic.api.proxy.upstream import Upstream
from mnemic.api.rest.app import create_app
from mnemic.api.rest.caller import caller
from mnemic.api.rest.guard import Bounds
from mnemic.api.service.audit import Audit
from mnemic.api.service.keys import Doorkeeper
from mnemic.api.service.limits import Limits
from mnemic.api.service.logs import log_to_stderr
from mnemic.api.service.service import Service
from mnemic.api.service.telemetry import Metrics
from mnemic.api.service.tenants import Tenants
from mnemic.api.service.worker import Worker
from mnemic.api.settings import (
    Environment,
    ServiceEnvironment,
    UpstreamEnvironment,
    configure,
    hand_down,
    service_environment,
    upstream_environment,
)
from mnemic.engine.settings import Settings

_NOBODY = "nobody"
_DRAIN = 30
"""So many seconds a stopping server waits for the calls that are under way."""


def service_meant(environment: Environment, told: ServiceEnvironment) -> Service:
    """Return the service that these settings describe."""
    tenants = Tenants(
        environment.path,
        key=environment.key.get_secret_value() if environment.key else None,
        embedder=environment.embedder,
        settings=Settings(answers=told.answers),
        model=model_meant(),
    )
    limits = Limits(
        rate=told.rate, burst=told.burst, seconds=told.seconds, threads=told.threads, waiting=told.waiting
    )
    audit = Audit(Path(told.audit), tenants.clock) if told.audit else None
    worker = Worker(tenants, threads=told.workers).start() if told.workers else None
    return Service(tenants, Doorkeeper(tenants), limits, audit, worker)


def application() -> FastAPI:
    """Return the application that the environment describes; each process of a server makes its own."""
    log_to_stderr()
    configure()
    environment, told = Environment(user=_NOBODY), service_environment()
    _warm_up(environment)
    origins = [origin.strip() for origin in told.origins.split(",") if origin.strip()]
    return create_app(
        service_meant(environment, told),
        bounds=Bounds(body=told.body),
        origins=origins,
        metrics=Metrics() if told.metrics else None,
        more=proxies_meant(upstream_environment()),
    )


def _warm_up(environment: Environment) -> None:
    """Load what the first call would wait for: dictionaries, pipelines, the embedding model."""
    with Mnemic(":memory:", user=_NOBODY, embedder=environment.embedder) as memory:
        memory.remember("The cold engine runs warm now. 冷引擎现在热了。")
        memory.recall("What does the cold engine do?")


def proxies_meant(told: UpstreamEnvironment) -> list[APIRouter]:
    """Return the routes of the chat proxy, none where no upstream is named."""
    if told.url is None:
        return []
    upstream = Upstream(told.url, key=told.key.get_secret_value() if told.key else None, timeout=told.timeout)
    habits = Habits(limit=told.limit, budget=told.budget, seconds=told.seconds, strict=told.strict)
    return [proxy_router(upstream, caller, habits)]


def serve(environment: Environment, told: ServiceEnvironment) -> None:
    """Run the server until it is stopped; then it finishes what is under way."""
    hand_down(environment, told)
    uvicorn.run(
        "mnemic.api.rest.serving:application",
        factory=True,
        host=told.host,
        port=told.port,
        workers=told.processes,
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=_DRAIN,
    )
