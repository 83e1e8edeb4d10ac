"""Whether the process lives, and whether it can do its work; both say nothing of what is stored."""

from functools import partial
from typing import Annotated

from fastapi import APIRouter, Depends
from pydantic import BaseModel, Field

from mnemic.api.rest.caller import on_thread, service_of
from mnemic.api.rest.problems import responses
from mnemic.api.service.service import Service


class Health(BaseModel):
    """How the service is."""

    status: str = Field(description="`ok`; where it is not, the answer is a problem.", examples=["ok"])


def health() -> APIRouter:
    """Return the routes that a supervisor asks; they need no key."""
    router = APIRouter(tags=["health"])
    router.get("/healthz", response_model=Health)(healthz)
    router.get("/readyz", response_model=Health, responses=responses(503))(readyz)
    return router


async def healthz() -> Health:
    """Tell that the process lives."""
    return Health(status="ok")


async def readyz(service: Annotated[Service, Depends(service_of)]) -> Health:
    """Tell that the stores can be reached and calls are taken in."""
    await on_thread(service, partial(service.tenants.require_reachable))
    return Health(status="ok")
