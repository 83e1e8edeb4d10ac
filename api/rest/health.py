"""Whether the process lives, whether it can do its work, how much of it it does; nothing of what is stored."""

import logging
from functools import partial
from typing import Annotated

from fastapi import APIRouter, Depends
from fastapi.responses import PlainTextResponse
from pydantic import BaseModel, Field
from starlette.responses import Response

from mnemic.api.rest.caller import on_thread, service_of
from mnemic.api.rest.problems import responses
from mnemic.api.service.service import Service
from mnemic.api.service.telemetry import Metrics
from mnemic.errors import StoreError, StoreUnavailable

logger = logging.getLogger(__name__)


class Health(BaseModel):
    """How the service is."""

    status: str = Field(description="`ok`; where it is not, the answer is a problem.", examples=["ok"])


def health() -> APIRouter:
    """Return the routes that a supervisor asks; they need no key."""
    router = APIRouter(tags=["health"])
    router.get("/healthz", response_model=Health)(healthz)
    router.get("/readyz", response_model=Health, responses=responses(503))(readyz)
    return router


def measured(metrics: Metrics) -> APIRouter:
    """Return the route that Prometheus asks; it needs no key, and is there only where it was asked for."""
    router = APIRouter(tags=["health"])

    @router.get("/metrics", response_class=PlainTextResponse)
    async def shown() -> Response:
        """Tell how many answers were given, and in what time, in Prometheus's own form."""
        return PlainTextResponse(metrics.text())

    return router


async def healthz() -> Health:
    """Tell that the process lives."""
    return Health(status="ok")


async def readyz(service: Annotated[Service, Depends(service_of)]) -> Health:
    """Tell that the stores can be reached and calls are taken in."""
    try:
        await on_thread(service, partial(service.tenants.require_reachable))
    except StoreError as error:
        logger.warning("not ready: %s", error)
        raise StoreUnavailable("the store cannot be used now; the log says why") from error
    return Health(status="ok")
