"""The environment: the one place where it is read."""

import getpass
import os
from difflib import get_close_matches

from pydantic import Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from mnemic.errors import InvalidInput, MissingScope, UnknownName

_PREFIX, _SERVER_PREFIX = "MNEMIC_", "MNEMIC_NEO4J_"
_ALIKE = 0.8


def login_name() -> str:
    """Return the name that this process is logged in under, or raise ``MissingScope`` where it has none."""
    try:
        return getpass.getuser()
    except (KeyError, OSError) as error:
        raise MissingScope(
            "user", "is missing and nobody is logged in", "pass --user or set MNEMIC_USER"
        ) from error


class Environment(BaseSettings):
    """What ``MNEMIC_PATH``, ``MNEMIC_USER`` … say; an empty variable says nothing.

    ``key`` encrypts the file at rest and is never printed.
    """

    model_config = SettingsConfigDict(env_prefix=_PREFIX, env_ignore_empty=True, frozen=True)

    path: str = "./memory.db"
    user: str = Field(default_factory=login_name)
    tenant: str = "default"
    key: SecretStr | None = None
    embedder: str | None = None
    session: str | None = None


class ServerEnvironment(BaseSettings):
    """How to enter a Neo4j server: ``MNEMIC_NEO4J_USER``, ``MNEMIC_NEO4J_PASSWORD``, ``MNEMIC_NEO4J_DATABASE``.

    The password is never printed. ``timeout`` is how many seconds one transaction may take, ``connections`` how
    many may be open at once.
    """

    model_config = SettingsConfigDict(env_prefix=_SERVER_PREFIX, env_ignore_empty=True, frozen=True)

    user: str | None = None
    password: SecretStr | None = None
    database: str | None = None
    timeout: float = Field(default=30.0, gt=0)
    connections: int = Field(default=100, gt=0)


def server_environment() -> ServerEnvironment:
    """Read how to enter a server, or raise ``InvalidInput`` naming the variable that holds no number."""
    try:
        return ServerEnvironment()
    except ValidationError as error:
        (found, *_) = error.errors()
        name = _SERVER_PREFIX + str(found["loc"][0]).upper()
        raise InvalidInput(name, f"is {found['input']!r}", "write a number above 0") from error


def require_well_spelt() -> None:
    """Raise ``UnknownName`` for a variable that is nearly one of ours: it would be passed over in silence."""
    known = [
        prefix + field.upper()
        for prefix, settings in ((_PREFIX, Environment), (_SERVER_PREFIX, ServerEnvironment))
        for field in settings.model_fields
    ]
    for name in sorted(os.environ):
        if name.startswith(_PREFIX) and name not in known and get_close_matches(name, known, 1, _ALIKE):
            raise UnknownName(name, name, known)
