"""mnemic: a graph-centric knowledge memory for assistants, Chinese and English.

>>> from mnemic import Mnemic
>>> with Mnemic(":memory:", user="ada", embedder="none") as memory:
...     receipt = memory.remember("We moved the payment service from MySQL to PostgreSQL.")
...     memory.recall("What does the payment service run on?").items[0].said.value
'PostgreSQL'

A name is imported when it is first asked for; ``import mnemic`` itself costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mnemic.api.aio import AsyncMnemic
    from mnemic.api.client.aio import AsyncClient
    from mnemic.api.client.sync import Client
    from mnemic.api.facade import Mnemic
    from mnemic.engine.results import (
        About,
        Asked,
        Chain,
        Changed,
        Channel,
        Doomed,
        Edge,
        Evidence,
        Explained,
        Explored,
        Fact,
        Forgotten,
        Found,
        Hidden,
        History,
        Ignored,
        Item,
        Job,
        Neighbour,
        Nothing,
        Page,
        Part,
        Path,
        Proposal,
        Receipt,
        Reinforced,
        Remembered,
        Replaced,
        Reread,
        Said,
        Spoken,
        Stored,
        Suppressed,
        Task,
        Thing,
        Unreplaced,
        Version,
        Why,
    )
    from mnemic.engine.settings import Settings
    from mnemic.errors import (
        AccessDenied,
        Conflict,
        EmbedderError,
        EmbedderMismatch,
        Forbidden,
        InvalidInput,
        MissingScope,
        MnemicError,
        ModelError,
        NotFound,
        ServiceError,
        StoreBusy,
        StoreCorrupt,
        StoreError,
        StoreFull,
        StoreTooNew,
        StoreUnavailable,
        TooManyRequests,
        Unauthorized,
        UnknownName,
        WrongKey,
        WrongTenant,
    )
    from mnemic.extraction.embedders.fixed import FixedEmbedder
    from mnemic.extraction.llm.base import LanguageModel
    from mnemic.extraction.llm.endpoint import Endpoint
    from mnemic.extraction.llm.scripted import ScriptedModel
    from mnemic.extraction.model import Analysis
    from mnemic.graph.clock import ManualClock
    from mnemic.graph.model import Name
    from mnemic.graph.store import Stats
    from mnemic.graph.view import Scope

__all__ = [
    "About",
    "AccessDenied",
    "Analysis",
    "Asked",
    "AsyncClient",
    "AsyncMnemic",
    "Chain",
    "Changed",
    "Channel",
    "Client",
    "Conflict",
    "Doomed",
    "Edge",
    "EmbedderError",
    "EmbedderMismatch",
    "Endpoint",
    "Evidence",
    "Explained",
    "Explored",
    "Fact",
    "FixedEmbedder",
    "Forbidden",
    "Forgotten",
    "Found",
    "Hidden",
    "History",
    "Ignored",
    "InvalidInput",
    "Item",
    "Job",
    "LanguageModel",
    "ManualClock",
    "MissingScope",
    "Mnemic",
    "MnemicError",
    "ModelError",
    "Name",
    "Neighbour",
    "NotFound",
    "Nothing",
    "Page",
    "Part",
    "Path",
    "Proposal",
    "Receipt",
    "Reinforced",
    "Remembered",
    "Replaced",
    "Reread",
    "Said",
    "Scope",
    "ScriptedModel",
    "ServiceError",
    "Settings",
    "Spoken",
    "Stats",
    "StoreBusy",
    "StoreCorrupt",
    "StoreError",
    "StoreFull",
    "StoreTooNew",
    "StoreUnavailable",
    "Stored",
    "Suppressed",
    "Task",
    "Thing",
    "TooManyRequests",
    "Unauthorized",
    "UnknownName",
    "Unreplaced",
    "Version",
    "Why",
    "WrongKey",
    "WrongTenant",
]


_HOMES = {
    "mnemic.api.aio": ("AsyncMnemic",),
    "mnemic.api.client.aio": ("AsyncClient",),
    "mnemic.api.client.sync": ("Client",),
    "mnemic.api.facade": ("Mnemic",),
    "mnemic.engine.results": ("About", "Asked", "Chain", "Changed", "Channel", "Doomed", "Edge", "Evidence", "Explained", "Explored", "Fact", "Forgotten", "Found", "Hidden", "History", "Ignored", "Item", "Job", "Neighbour", "Nothing", "Page", "Part", "Path", "Proposal", "Receipt", "Reinforced", "Remembered", "Replaced", "Reread", "Said", "Spoken", "Stored", "Suppressed", "Task", "Thing", "Unreplaced", "Version", "Why",),
    "mnemic.engine.settings": ("Settings",),
    "mnemic.errors": ("AccessDenied", "Conflict", "EmbedderError", "EmbedderMismatch", "Forbidden", "InvalidInput", "MissingScope", "MnemicError", "ModelError", "NotFound", "ServiceError", "StoreBusy", "StoreCorrupt", "StoreError", "StoreFull", "StoreTooNew", "StoreUnavailable", "TooManyRequests", "Unauthorized", "UnknownName", "WrongKey", "WrongTenant",),
    "mnemic.extraction.embedders.fixed": ("FixedEmbedder",),
    "mnemic.extraction.llm.base": ("LanguageModel",),
    "mnemic.extraction.llm.endpoint": ("Endpoint",),
    "mnemic.extraction.llm.scripted": ("ScriptedModel",),
    "mnemic.extraction.model": ("Analysis",),
    "mnemic.graph.clock": ("ManualClock",),
    "mnemic.graph.model": ("Name",),
    "mnemic.graph.store": ("Stats",),
    "mnemic.graph.view": ("Scope",),
}  # fmt: skip
"""In which module each name lives."""

if not TYPE_CHECKING:  # a type checker takes the imports above, and then knows what there is not

    def __getattr__(name: str) -> object:
        """Import ``name`` from the module where it lives, and keep it."""
        for module, names in _HOMES.items():
            if name in names:
                value = globals()[name] = getattr(import_module(module), name)
                return value
        raise AttributeError(f"module 'mnemic' has no attribute {name!r}")


def __dir__() -> list[str]:
    """List the public names, imported or not."""
    return sorted({*globals(), *__all__})
