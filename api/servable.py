"""Is everything here that a service needs? Its settings, its port, its record of who did what, keys, extras."""

import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path

from mnemic.api.checking import Check, Lack, tried
from mnemic.api.facade import Mnemic
from mnemic.api.opening import is_made
from mnemic.api.service import telemetry
from mnemic.api.service.keys import keys
from mnemic.api.settings import (
    Environment,
    ServiceEnvironment,
    configured_by,
    server_environment,
    service_environment,
    service_is_meant,
    unknown_variables,
    upstream_environment,
)
from mnemic.errors import InvalidInput, StoreError, StoreUnavailable

_WAIT = 2.0
_SHARED = ":memory:"


def service_checks(environment: Environment) -> Iterator[Check]:
    """Check what a service at this place needs; what only a service needs is no fault where none is meant."""
    yield tried("settings", _settings)
    yield (read := tried("service", lambda: _service(environment)))
    if read.status == "bad":
        return
    told = service_environment()
    yield tried("port", lambda: _port(told))
    yield tried("audit log", lambda: _audit(told))
    yield tried("extras", lambda: _extras(told))
    yield tried("keys", lambda: _keys(environment))


def _settings() -> str:
    if unknown := unknown_variables():
        raise Lack(f"{', '.join(unknown)}: no setting has such a name; correct it, or take it away")
    file = configured_by()
    return f"environment, and where that is silent {file}" if file else "environment; no file of settings"


def _service(environment: Environment) -> str:
    server_environment()
    upstream_environment()
    told = service_environment()
    if environment.path == _SHARED and told.processes > 1:
        raise InvalidInput(
            "MNEMIC_SERVICE_PROCESSES", "cannot share a store in memory", "name a folder with MNEMIC_PATH"
        )
    rate = f"{told.rate:g} calls a second for each key" if told.rate else "no bound on a key's calls"
    return f"{told.processes} process(es) of {told.threads} threads, {rate}, CORS {told.origins or 'off'}"


def _port(told: ServiceEnvironment) -> str:
    """Tell whether a service could listen where it is meant to, or does."""
    where = f"{told.host}:{told.port}"
    try:
        (family, kind, _, _, address), *_ = socket.getaddrinfo(told.host, told.port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise InvalidInput(
            "MNEMIC_SERVICE_HOST", f"{told.host!r} is no host", "name 127.0.0.1, or 0.0.0.0 for all"
        ) from error
    with socket.socket(family, kind) as tried_one:
        tried_one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            tried_one.bind(address)
        except OSError as error:
            if _answers(told):
                return f"a service answers at {where}"
            raise Lack(
                f"{where}: {error.strerror}; stop what listens there, or set MNEMIC_SERVICE_HOST, MNEMIC_SERVICE_PORT"
            ) from error
    return f"{where} is free"


def _answers(told: ServiceEnvironment) -> bool:
    """Tell whether it is mnemic that listens."""
    import httpx  # costs time that no other command need spend

    host = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(told.host, told.host)
    try:
        answer = httpx.get(f"http://{host}:{told.port}/healthz", timeout=_WAIT, trust_env=False)
    except (httpx.HTTPError, httpx.InvalidURL):
        return False
    return answer.status_code == httpx.codes.OK and answer.text.replace(" ", "") == '{"status":"ok"}'


def _audit(told: ServiceEnvironment) -> str:
    if told.audit is None:
        return "none is kept; MNEMIC_SERVICE_AUDIT names its folder"
    folder = Path(told.audit).absolute()
    there = next(each for each in (folder, *folder.parents) if each.exists())
    try:
        with tempfile.TemporaryFile(dir=there):
            pass
    except OSError as error:
        raise StoreUnavailable(
            f"{there} cannot be written to; give it to this user, or set MNEMIC_SERVICE_AUDIT"
        ) from error
    return f"kept in {folder}"


def _extras(told: ServiceEnvironment) -> str:
    there = telemetry.is_installed()
    if told.metrics and not there:
        raise InvalidInput(
            "MNEMIC_SERVICE_METRICS", "needs the extra telemetry", "pip install 'mnemic[telemetry]'"
        )
    return f"telemetry {'is' if there else 'is not'} installed, {'and' if told.metrics else 'not'} asked for"


def _keys(environment: Environment) -> str:
    """Tell how many keys work; to look for them makes no store."""
    try:
        count = _working(environment) if is_made(environment.path, environment.tenant) else 0
    except StoreError as error:
        raise Lack("they cannot be looked for while the store cannot be opened") from error
    told = f"{count} of tenant {environment.tenant!r} work"
    if not count and service_is_meant():
        raise Lack(f"{told}: nobody can ask the service; make one with `mnemic keys create`")
    return told


def _working(environment: Environment) -> int:
    key = environment.key.get_secret_value() if environment.key else None
    with Mnemic(
        environment.path, user=environment.user, tenant=environment.tenant, key=key, embedder="none"
    ) as memory:
        now = memory.core.clock()
        return sum(
            each.revoked_at is None and (each.expires_at is None or each.expires_at > now)
            for each in keys(memory.core)
        )
