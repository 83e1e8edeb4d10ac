"""From an address to a store, and to the engine on it: the one place that knows which stores there are."""

import glob
import os
from pathlib import Path
from urllib.parse import urlsplit

from mnemic.engine.beside import require_storable
from mnemic.engine.core import Core
from mnemic.engine.settings import Settings
from mnemic.errors import InvalidInput, StoreUnavailable
from mnemic.extraction.embedders.base import Embedder
from mnemic.extraction.embedders.registry import default_embedder, known
from mnemic.extraction.embedders.registry import embedder as embedder_named
from mnemic.extraction.llm.base import STAGES, LanguageModel
from mnemic.graph.clock import Clock, system_clock
from mnemic.graph.embedded import EmbeddedStore
from mnemic.graph.embedded.lookout import FileLookout
from mnemic.graph.lookout import Lookout
from mnemic.graph.neo4j import SCHEMES, Entrance, Neo4jStore
from mnemic.graph.neo4j.lookout import ServerLookout
from mnemic.graph.store import Store

_NOBODY = "-"
"""A tenant to ask a server after, to see whether it answers."""

Credentials = tuple[str, str]
"""A server's user and password."""


def open_core(
    where: str,
    *,
    tenant: str,
    embedder: str | Embedder | None = None,
    key: str | None = None,
    credentials: Credentials | None = None,
    database: str | None = None,
    clock: Clock = system_clock,
    settings: Settings | None = None,
    model: LanguageModel | None = None,
) -> Core:
    """Open the store of ``tenant`` at ``where`` with an engine on it; the arguments are those of ``Mnemic``."""
    store = open_store(where, tenant=tenant, key=key, credentials=credentials, database=database)
    try:
        chosen = _chosen(embedder, store.head().embedder)
        return Core(store, chosen, clock, settings or Settings(), _checked_model(model))
    except BaseException:
        store.close()
        raise


def open_store(
    where: str,
    *,
    tenant: str,
    key: str | None = None,
    credentials: Credentials | None = None,
    database: str | None = None,
) -> Store:
    """Open the store at ``where``: a path, a folder with one file per tenant, ``":memory:"``, or a server.

    A server's address begins with one of ``SCHEMES``; ``credentials`` and ``database`` that are not given
    are taken from ``MNEMIC_NEO4J_USER``, ``MNEMIC_NEO4J_PASSWORD`` and ``MNEMIC_NEO4J_DATABASE``; there
    ``MNEMIC_NEO4J_TIMEOUT`` and ``MNEMIC_NEO4J_CONNECTIONS`` bound what one process asks of it, too.
    """
    require_storable(where, "where")
    if key is not None:
        require_storable(key, "key")
    if not on_server(where):
        if credentials is not None or database is not None:
            field = "credentials" if credentials is not None else "database"
            raise InvalidInput(field, "is for a server", f"name one, e.g. neo4j://host:7687, not {where!r}")
        return EmbeddedStore.open(where, tenant=tenant, key=key)
    _require_server(where)
    if key is not None:
        raise InvalidInput("key", "encrypts files, not servers", "leave it out; encrypt the server's disk")
    return Neo4jStore.open(where, tenant=tenant, **_entrance(credentials, database))


def _entrance(credentials: Credentials | None = None, database: str | None = None) -> Entrance:
    from mnemic.api.settings import server_environment  # importing mnemic alone reads no environment

    told = server_environment()
    user, password = credentials or (told.user, told.password.get_secret_value() if told.password else None)
    return Entrance(
        user=user,
        password=password,
        database=database or told.database,
        timeout=told.timeout,
        connections=told.connections,
    )


def _require_server(where: str) -> None:
    """Raise ``InvalidInput`` for what is no address of a server, or holds a password."""
    scheme, _, rest = where.partition("://")
    if scheme not in SCHEMES:
        raise InvalidInput("where", f"{scheme}:// is no kind of store", f"write one of {', '.join(SCHEMES)}")
    if not _has_host(where):
        raise InvalidInput("where", f"{where!r} names no host and port", "write neo4j://host:7687")
    if "@" in rest.partition("/")[0]:
        raise InvalidInput(
            "where",
            "holds a password, which logs would show",
            "pass credentials, or set MNEMIC_NEO4J_PASSWORD",
        )


def _has_host(where: str) -> bool:
    try:
        address = urlsplit(where)
        return address.hostname is not None and address.port != 0
    except ValueError:  # a port that is no number, a host in half a bracket
        return False


def on_server(where: str) -> bool:
    """Tell whether ``where`` is an address on the network."""
    return "://" in where


def is_made(where: str, tenant: str) -> bool:
    """Tell whether there is something to open at ``where`` that opening would not make."""
    if not on_server(where):
        return EmbeddedStore.is_made(where, tenant=tenant)
    _require_server(where)
    return Neo4jStore.is_made(where, tenant=tenant, **_entrance())


def plain_files(where: str, tenant: str, key: str | None) -> list[Path]:
    """Return the files of a store that can be looked into: none of a server, of memory, of an encrypted file."""
    if key is not None or on_server(where) or where == ":memory:":
        return []
    file = EmbeddedStore.file(where, tenant=tenant)
    return sorted(file.parent.glob(f"{glob.escape(file.name)}*"))


def lookout_at(where: str, *, key: str | None = None) -> Lookout:
    """Return who sees all tenants at ``where``: of a folder, of one file, of a server; of ``":memory:"`` none."""
    if not on_server(where):
        return FileLookout(where, key=key)
    _require_server(where)
    return ServerLookout.open(where, **_entrance())


def tenants_at(where: str, *, key: str | None = None) -> list[str]:
    """Return the tenants that have a store at ``where``, sorted; asking makes none."""
    with lookout_at(where, key=key) as lookout:
        return lookout.tenants()


def require_reachable(where: str) -> None:
    """Raise ``StoreError`` where no store could be opened at ``where`` now: its folder or its server is not there."""
    if on_server(where):
        _require_server(where)
        Neo4jStore.is_made(where, tenant=_NOBODY, **_entrance())
        return
    folder = Path(where) if Path(where).is_dir() else Path(where).absolute().parent
    if where != ":memory:" and not os.access(folder, os.W_OK | os.X_OK):
        raise StoreUnavailable(
            f"{folder} is not there or cannot be written to; make it, or give it to this user"
        )


def require_made(where: str, tenant: str) -> None:
    """Raise ``InvalidInput`` where there is nothing to read, before opening makes an empty store of a slip."""
    if not is_made(where, tenant):
        raise InvalidInput(
            "path",
            f"no store of tenant {tenant!r} is at {where}",
            "name one with --path or MNEMIC_PATH; `mnemic remember` and `mnemic import` make one",
        )


def _checked_model(model: LanguageModel | None) -> LanguageModel | None:
    """Return a language model that can be asked, or raise ``InvalidInput``."""
    asked = ("name", "stages", *STAGES)
    if model is not None and not all(hasattr(model, part) for part in asked):
        raise InvalidInput("model", f"is {type(model).__name__}", "pass an Endpoint, or what has its methods")
    return model


def _chosen(embedder: str | Embedder | None, filled_by: str) -> Embedder | None:
    """Return the embedder that is meant: the one named, else that of the store, else the default one."""
    if embedder is None:
        return embedder_named(filled_by) if filled_by else default_embedder()
    if isinstance(embedder, str):
        return embedder_named(embedder)
    if not hasattr(embedder, "passages") or not hasattr(embedder, "query"):
        raise InvalidInput(
            "embedder",
            f"is {type(embedder).__name__}",
            f"name one ({', '.join(known())}) or pass an Embedder",
        )
    return embedder
