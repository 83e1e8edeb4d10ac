"""The environment: the one place where it is read."""

import getpass
import os
from collections.abc import Iterator
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import AliasChoices, Field, SecretStr, TypeAdapter, ValidationError
from pydantic.fields import FieldInfo
from pydantic_settings import BaseSettings, SettingsConfigDict

from mnemic.api.configuring import Check, settings_of
from mnemic.errors import InvalidInput, MissingScope, UnknownName

_PREFIX, _SERVER_PREFIX, _TARGET_PREFIX = "MNEMIC_", "MNEMIC_NEO4J_", "MNEMIC_NEO4J_TARGET_"
_MODEL_PREFIX, _SERVICE_PREFIX = "MNEMIC_MODEL_", "MNEMIC_SERVICE_"
_UPSTREAM_PREFIX = "MNEMIC_UPSTREAM_"
_ALIKE = 0.8
_CONFIG = "MNEMIC_CONFIG"

S = TypeVar("S", bound=BaseSettings)


def _read(kind: type[S], prefix: str, **told: Any) -> S:
    """Read the environment as settings of this ``kind``, with what is ``told`` laid over it."""
    try:
        return kind(**{name: value for name, value in told.items() if value is not None})
    except ValidationError as error:
        (found, *_) = error.errors()
        wanted = str(found["msg"]).removeprefix("Input should be ").removeprefix("Input ")
        name = prefix + str(found["loc"][0]).upper()
        raise InvalidInput(name, f"is {found['input']!r}", f"write {wanted}") from error


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
    """Read how to enter a server; raises ``InvalidInput`` naming the variable that cannot be used."""
    return _read(ServerEnvironment, _SERVER_PREFIX)


class ClientEnvironment(BaseSettings):
    """Where a client's service is and what lets one in: ``MNEMIC_URL``, ``MNEMIC_API_KEY``, which is never printed."""

    model_config = SettingsConfigDict(env_prefix=_PREFIX, env_ignore_empty=True, frozen=True)

    url: str | None = None
    api_key: SecretStr | None = None


class UpstreamEnvironment(BaseSettings):
    """What the chat proxy forwards to: ``MNEMIC_UPSTREAM_URL``, ``…_KEY``, ``…_TIMEOUT``, and how it uses the memory.

    Without ``url`` there is no proxy. At most ``limit`` memories of ``budget`` tokens are put in; a chat waits
    ``seconds`` for the memory and goes on without it, unless ``strict``. The key is never printed.
    """

    model_config = SettingsConfigDict(env_prefix=_UPSTREAM_PREFIX, env_ignore_empty=True, frozen=True)

    url: str | None = None
    key: SecretStr | None = None
    timeout: float = Field(default=600.0, gt=0, le=3_600)
    limit: int = Field(default=8, ge=1, le=100)
    budget: int = Field(default=800, ge=20, le=100_000)
    seconds: float = Field(default=5.0, gt=0, le=600)
    strict: bool = False


def upstream_environment() -> UpstreamEnvironment:
    """Read what the chat proxy forwards to; raises ``InvalidInput`` naming the variable that cannot be used."""
    return _read(UpstreamEnvironment, _UPSTREAM_PREFIX)


class ModelEnvironment(BaseSettings):
    """A language model beside the rules: ``MNEMIC_MODEL_URL``, ``…_NAME``, ``…_KEY``, ``…_STAGES``, ``…_TIMEOUT``.

    Without ``url`` there is none. ``stages`` are parted by commas; the key is never printed.
    """

    model_config = SettingsConfigDict(
        env_prefix=_MODEL_PREFIX, env_ignore_empty=True, frozen=True, protected_namespaces=()
    )

    url: str | None = None
    name: str | None = None
    key: SecretStr | None = None
    stages: str = "extract,judge,summarise"
    timeout: float = Field(default=5.0, gt=0, le=600)


def model_environment() -> ModelEnvironment:
    """Read which language model is meant; raises ``InvalidInput`` naming the variable that cannot be used."""
    return _read(ModelEnvironment, _MODEL_PREFIX)


class ServiceEnvironment(BaseSettings):
    """How a service runs: ``MNEMIC_SERVICE_HOST``, ``…_PORT``, ``…_PROCESSES``, and its bounds.

    ``rate`` calls a second for each key (0: without bound) with bursts of ``burst``; ``seconds`` that a call
    may take, ``threads`` that work in a process, ``waiting`` calls that may queue for them; ``body`` bytes that a
    request may have, ``answers`` that are kept ready for each tenant. ``origins``: web pages that may call it (CORS), parted by commas; none unless told. ``audit``: the folder of
    the record of who did what; none is kept unless told. ``metrics``: whether ``/metrics`` is there.
    ``workers`` threads of each process tell what is to be remembered later (0: `mnemic worker` does it all).
    """

    model_config = SettingsConfigDict(env_prefix=_SERVICE_PREFIX, env_ignore_empty=True, frozen=True)

    host: str = "127.0.0.1"
    port: int = Field(default=8420, ge=0, le=65_535)
    processes: int = Field(default=1, ge=1, le=256)
    rate: float = Field(default=0.0, ge=0)
    burst: int = Field(default=100, ge=1)
    seconds: float = Field(default=60.0, gt=0)
    threads: int = Field(default=16, ge=1, le=1000)
    waiting: int = Field(default=256, ge=1)
    body: int = Field(default=8_000_000, ge=1_000)
    answers: int = Field(default=1_024, ge=0)
    origins: str = ""
    audit: str | None = None
    metrics: bool = False
    workers: int = Field(default=1, ge=0, le=256)


def service_environment(**told: object) -> ServiceEnvironment:
    """Read how a service runs, with what is ``told`` laid over it; raises ``InvalidInput`` naming the variable."""
    return _read(ServiceEnvironment, _SERVICE_PREFIX, **told)


def hand_down(*settings: BaseSettings) -> None:
    """Put settings into the environment, where the processes that this one starts read them."""
    for each in settings:
        prefix = str(each.model_config["env_prefix"])
        for name, value in each.model_dump(exclude_none=True).items():
            plain = value.get_secret_value() if isinstance(value, SecretStr) else value
            os.environ[prefix + name.upper()] = str(plain)


def _of_target(name: str) -> AliasChoices:
    return AliasChoices(_TARGET_PREFIX + name, _SERVER_PREFIX + name)


class TargetEnvironment(BaseSettings):
    """How to enter the server that a copy fills: ``MNEMIC_NEO4J_TARGET_USER``, ``…_PASSWORD``, ``…_DATABASE``.

    Each that says nothing is as ``ServerEnvironment`` says.
    """

    model_config = SettingsConfigDict(env_ignore_empty=True, frozen=True)

    user: str | None = Field(default=None, validation_alias=_of_target("USER"))
    password: SecretStr | None = Field(default=None, validation_alias=_of_target("PASSWORD"))
    database: str | None = Field(default=None, validation_alias=_of_target("DATABASE"))

    @property
    def credentials(self) -> tuple[str, str] | None:
        """User and password, if either is told."""
        if self.user is None and self.password is None:
            return None
        return self.user or "neo4j", self.password.get_secret_value() if self.password else ""


_READ: tuple[tuple[str, type[BaseSettings]], ...] = (
    (_PREFIX, Environment),
    (_PREFIX, ClientEnvironment),
    (_UPSTREAM_PREFIX, UpstreamEnvironment),
    (_SERVER_PREFIX, ServerEnvironment),
    (_TARGET_PREFIX, TargetEnvironment),
    (_MODEL_PREFIX, ModelEnvironment),
    (_SERVICE_PREFIX, ServiceEnvironment),
)


def configure(file: str | None = None) -> None:
    """Have what the environment leaves open be as ``file`` says, else as the one that ``MNEMIC_CONFIG`` names.

    Raises ``InvalidInput`` or ``UnknownName`` naming file and key, and then nothing of it counts.
    """
    if not (chosen := file or os.environ.get(_CONFIG)):
        return
    path = Path(chosen).absolute()
    told = settings_of(path, {name: _check(field) for name, field in _fields()})
    for name, value in told.items():
        if value and not os.environ.get(name):
            os.environ[name] = value
    os.environ[_CONFIG] = str(path)


def configured_by() -> str | None:
    """Return the file of settings that counts, if there is one."""
    return os.environ.get(_CONFIG) or None


def unknown_variables() -> list[str]:
    """Return the variables that look like ours and mean nothing."""
    known = _known()
    return sorted(name for name in os.environ if name.startswith(_PREFIX) and name not in known)


def service_is_meant() -> bool:
    """Tell whether anything is said about how a service runs."""
    return any(name.startswith(_SERVICE_PREFIX) and value for name, value in os.environ.items())


def require_well_spelt() -> None:
    """Raise ``UnknownName`` for a variable that is nearly one of ours: it would be passed over in silence."""
    known = _known()
    for name in unknown_variables():
        if get_close_matches(name, known, 1, _ALIKE):
            raise UnknownName(name, name, known)


def _known() -> list[str]:
    return [_CONFIG, *(name for name, _ in _fields())]


def _fields() -> Iterator[tuple[str, FieldInfo]]:
    """Yield every variable that is read, with the field that it fills."""
    for prefix, settings in _READ:
        yield from ((prefix + name.upper(), field) for name, field in settings.model_fields.items())


def _check(field: FieldInfo) -> Check:
    kind: TypeAdapter[Any] = TypeAdapter(Annotated[(field.annotation, Field(), *field.metadata)])  # type: ignore[arg-type]

    def check(value: str) -> None:
        try:
            kind.validate_python(value)
        except ValidationError as error:
            raise ValueError(str(error.errors()[0]["msg"]).removeprefix("Input ")) from error

    return check
