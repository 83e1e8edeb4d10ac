"""Commands that move a whole tenant: copy, backup, restore."""

from collections.abc import Iterable
from typing import Annotated

import typer

from mnemic.api.cli.app import app
from mnemic.api.cli.call import Call, command
from mnemic.api.cli.upkeep import progress
from mnemic.api.copying import Step, backup, copy, restore
from mnemic.api.opening import on_server, open_store, require_made
from mnemic.api.settings import Environment, TargetEnvironment
from mnemic.graph.store import Store

_PLACE = ("path", "tenant", "key")


@command(
    app,
    "copy",
    "mnemic copy memory.db neo4j://localhost:7687",
    "mnemic copy neo4j://localhost:7687 back.db --tenant acme",
    options=("tenant", "key"),
)
def copy_store(
    call: Call,
    source: Annotated[str, typer.Argument(help="The store to read: a file, a folder, or neo4j://host:7687.")],
    target: Annotated[str, typer.Argument(help="The store to fill; its tenant should be empty.")],
    *,
    target_tenant: Annotated[str | None, typer.Option(help="The target's tenant. Default: the same.")] = None,
    target_key: Annotated[str | None, typer.Option(help="Encrypts the target's file.")] = None,
    target_database: Annotated[
        str | None,
        typer.Option(
            help="The target server's database. Default: MNEMIC_NEO4J_TARGET_DATABASE, else MNEMIC_NEO4J_DATABASE."
        ),
    ] = None,
) -> None:
    """Copy everything of all users of a tenant into another store, and compare both in the end.

    May be stopped and run again: what is there already is left alone.

    A target server's own credentials: MNEMIC_NEO4J_TARGET_USER, MNEMIC_NEO4J_TARGET_PASSWORD.
    """
    place = call.environment
    with (
        _existing(source, place) as one,
        _target(target, target_tenant or place.tenant, target_key, target_database) as other,
    ):
        done = _followed(call, "copying", copy(one, other))
    call.show({"rows": done}, lambda: f"{done:,} rows copied; both stores hold the same")


@command(app, "backup", "mnemic backup acme.jsonl.gz --tenant acme", options=_PLACE)
def backup_store(call: Call, file: Annotated[str, typer.Argument(help="The archive to make.")]) -> None:
    """Write everything of all users of a tenant into one archive, which any store can be restored from."""
    with _existing(call.environment.path, call.environment) as store:
        done = _followed(call, "saving", backup(store, file))
    call.show({"file": file, "rows": done}, lambda: f"{done:,} rows in {file}")


@command(
    app,
    "restore",
    "mnemic restore acme.jsonl.gz --path new.db",
    "mnemic restore acme.jsonl.gz --path neo4j://localhost:7687 --tenant acme",
    options=_PLACE,
)
def restore_store(call: Call, file: Annotated[str, typer.Argument(help="The archive.")]) -> None:
    """Fill a store from an archive, and check in the end that all of it is there; may be run again."""
    place = call.environment
    with open_store(place.path, tenant=place.tenant, key=_key(place)) as store:
        done = _followed(call, "restoring", restore(file, store))
    call.show({"file": file, "rows": done}, lambda: f"{done:,} rows restored from {file}")


def _existing(where: str, place: Environment) -> Store:
    require_made(where, place.tenant)
    return open_store(where, tenant=place.tenant, key=_key(place))


def _target(where: str, tenant: str, key: str | None, database: str | None) -> Store:
    if not on_server(where):
        return open_store(where, tenant=tenant, key=key, database=database)
    told = TargetEnvironment()
    return open_store(
        where, tenant=tenant, key=key, credentials=told.credentials, database=database or told.database
    )


def _key(place: Environment) -> str | None:
    return place.key.get_secret_value() if place.key else None


def _followed(call: Call, doing: str, steps: Iterable[Step]) -> int:
    """Take all steps behind a progress bar; return how many rows were done."""
    done = 0
    with progress(call.as_json) as bar:
        task = bar.add_task(doing, total=None)
        for done, total in steps:
            bar.update(task, completed=done, total=total or None)
    return done
