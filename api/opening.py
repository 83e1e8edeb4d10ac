"""From an address to a store: the one place that knows which stores there are."""

from urllib.parse import urlsplit

from mnemic.engine.beside import require_storable
from mnemic.errors import InvalidInput
from mnemic.graph.embedded import EmbeddedStore
from mnemic.graph.neo4j import SCHEMES, Entrance, Neo4jStore
from mnemic.graph.store import Store

Credentials = tuple[str, str]
"""A server's user and password."""


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


def require_made(where: str, tenant: str) -> None:
    """Raise ``InvalidInput`` where there is nothing to read, before opening makes an empty store of a slip."""
    if not is_made(where, tenant):
        raise InvalidInput(
            "path",
            f"no store of tenant {tenant!r} is at {where}",
            "name one with --path or MNEMIC_PATH; `mnemic remember` and `mnemic import` make one",
        )
