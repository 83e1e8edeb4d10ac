"""The environment: the one place where it is read."""

import getpass

from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict

from mnemic.errors import MissingScope


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

    model_config = SettingsConfigDict(env_prefix="MNEMIC_", env_ignore_empty=True, frozen=True)

    path: str = "./memory.db"
    user: str = Field(default_factory=login_name)
    tenant: str = "default"
    key: SecretStr | None = None
    embedder: str | None = None
    session: str | None = None


class ServerEnvironment(BaseSettings):
    """How to enter a Neo4j server: ``MNEMIC_NEO4J_USER``, ``MNEMIC_NEO4J_PASSWORD``, ``MNEMIC_NEO4J_DATABASE``.

    The password is never printed.
    """

    model_config = SettingsConfigDict(env_prefix="MNEMIC_NEO4J_", env_ignore_empty=True, frozen=True)

    user: str | None = None
    password: SecretStr | None = None
    database: str | None = None
