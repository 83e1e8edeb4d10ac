"""The application: FastAPI over a service."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from importlib.metadata import version
from typing import Any

from anyio.to_thread import run_sync
from fastapi import APIRouter, FastAPI
from fastapi.middleware.cors import CORSMiddleware

from mnemic.api.mcp.door import assistants
from mnemic.api.rest.calls import calls
from mnemic.api.rest.forms import texts
from mnemic.api.rest.guard import Bounds, Guard
from mnemic.api.rest.health import health, measured
from mnemic.api.rest.jobs import jobs
from mnemic.api.rest.problems import Problem, add_handlers
from mnemic.api.rest.resources import resources
from mnemic.api.service.service import Service
from mnemic.api.service.telemetry import Metrics


def create_app(
    service: Service,
    *,
    bounds: Bounds | None = None,
    origins: Sequence[str] = (),
    metrics: Metrics | None = None,
    more: Sequence[APIRouter] = (),
) -> FastAPI:
    """Return the HTTP application over ``service``, which it closes when it ends.

    ``origins``: the web pages that may call it; none unless told. ``metrics`` are shown at ``/metrics``.
    ``more``: further routes, such as those of the chat proxy.
    """
    app = FastAPI(
        title=texts()["title"],
        description=texts()["description"],
        version=version("mnemic"),
        lifespan=_closing,
        redirect_slashes=False,
    )
    app.state.service = service
    add_handlers(app)
    app.include_router(calls())
    app.include_router(resources())
    app.include_router(jobs())
    app.include_router(health())
    for router in more:
        app.include_router(router)
    app.include_router(assistants())
    if metrics is not None:
        app.include_router(measured(metrics))
    if origins:
        app.add_middleware(
            CORSMiddleware, allow_origins=list(origins), allow_methods=["*"], allow_headers=["*"]
        )
    app.add_middleware(
        Guard, bounds=bounds or Bounds(), on_answer=metrics.observe if metrics is not None else None
    )
    _describe(app)
    return app


@asynccontextmanager
async def _closing(app: FastAPI) -> AsyncIterator[None]:
    yield
    await run_sync(app.state.service.close)


def _describe(app: FastAPI) -> None:
    """Put the form of problems into the document, in place of the framework's own form of errors."""
    made = app.openapi

    def openapi() -> dict[str, Any]:
        document = made()
        schemas = document["components"]["schemas"]
        schemas["Problem"] = Problem.model_json_schema()
        for unused in ("HTTPValidationError", "ValidationError"):
            schemas.pop(unused, None)
        return document

    app.openapi = openapi  # type: ignore[method-assign]
