"""From a configuration of mem0's form to the memory behind it."""

import inspect
import logging
from collections.abc import Mapping
from typing import Any

from mnemic.api.client.sync import Client
from mnemic.api.facade import Mnemic
from mnemic.errors import InvalidInput, UnknownName

logger = logging.getLogger(__name__)

_NOBODY = "nobody"
"""Whose door the engine is opened through; no call is for them."""

_PASSED_OVER = frozenset(
    {
        *("vector_store", "llm", "embedder", "graph_store", "reranker", "history_db_path", "version"),
        *(
            "custom_fact_extraction_prompt",
            "custom_update_memory_prompt",
            "custom_instructions",
            "custom_prompt",
        ),
    }
)
"""What mem0 is configured with and mnemic has no use for: it needs no model and keeps everything in one store."""


def opened(config: Mapping[str, Any] | None) -> Mnemic | Client:
    """Return the memory that a configuration names under ``mnemic``: arguments of ``Mnemic``, or of ``Client`` with a ``url``.

    Without that it is what the environment names: a service (``MNEMIC_URL``), else a store (``MNEMIC_PATH``).
    """
    if config is not None and not isinstance(config, Mapping):
        raise InvalidInput("config", f"is {type(config).__name__}", 'pass a dict, such as {"mnemic": {…}}')
    sections = dict(config or {})
    own = sections.pop("mnemic", None)
    for name in sections:
        if name not in _PASSED_OVER:
            raise UnknownName("config", str(name), {"mnemic", *_PASSED_OVER})
    if sections:
        logger.warning("passed over of mem0's configuration: %s", ", ".join(sorted(sections)))
    if own is None:
        return _of_environment()
    if not isinstance(own, Mapping):
        raise InvalidInput(
            "config.mnemic", f"is {type(own).__name__}", 'pass a dict, such as {"where": "memory.db"}'
        )
    door = Client if "url" in own else Mnemic
    _require_known(own, door)
    return Client(**own) if "url" in own else Mnemic(**{"user": _NOBODY, **own})


def _of_environment() -> Mnemic | Client:
    from mnemic.api.settings import (  # importing mnemic alone reads no environment
        ClientEnvironment,
        Environment,
    )

    if ClientEnvironment().url is not None:
        return Client()
    told = Environment(user=_NOBODY)
    key = told.key.get_secret_value() if told.key else None
    return Mnemic(told.path, user=_NOBODY, tenant=told.tenant, embedder=told.embedder, key=key)


def _require_known(own: Mapping[str, Any], door: type) -> None:
    known = inspect.signature(door).parameters
    for name in own:
        if name not in known:
            raise UnknownName("config.mnemic", str(name), known)
