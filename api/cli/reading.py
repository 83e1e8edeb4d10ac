"""Commands that ask: recall, why, about, explore, path, history, tasks."""

from typing import Annotated

import typer

from mnemic.api.cli.app import app
from mnemic.api.cli.call import Call, command
from mnemic.api.cli.render import entity, explained, found, graph
from mnemic.api.cli.wishes import (
    DATE,
    Budget,
    Depth,
    Entities,
    Heard,
    Kinds,
    KnownAsOf,
    Limit,
    Profile,
    Query,
    Since,
    Tags,
    Until,
    ValidAsOf,
    Within,
    moment,
)

Name = Annotated[str, typer.Argument(help="An entity, by name or alias, in either language.")]


@command(
    app,
    "recall",
    'mnemic recall "What does the payment service run on?"',
    "mnemic recall 支付服务现在用什么数据库 --why",
    'mnemic recall "who owned payments?" --valid-as-of 2026-03-31',
    'mnemic recall "deadline" --kind event --since 2026-06-01 --limit 3 --json',
)
def recall(
    call: Call,
    query: Query,
    *,
    limit: Limit = 5,
    depth: Depth = "auto",
    profile: Profile = "assistant",
    why: Annotated[bool, typer.Option("--why", help="Show scores, ways, and what was kept back.")] = False,
    valid_as_of: ValidAsOf = None,
    known_as_of: KnownAsOf = None,
    since: Since = None,
    until: Until = None,
    kind: Kinds = None,
    entity: Entities = None,
    tag: Tags = None,
    within: Within = None,
    budget: Budget = None,
    heard: Heard = None,
) -> None:
    """Recall what fits a question; an answer without items is a good answer."""
    with call.existing() as memory:
        answer = memory.recall(
            query,
            limit=limit,
            depth=depth,
            profile=profile,
            valid_as_of=moment(valid_as_of, "valid_as_of"),
            known_as_of=moment(known_as_of, "known_as_of"),
            since=moment(since, "since"),
            until=moment(until, "until"),
            kinds=kind or (),
            entities=entity or (),
            tags=tag or (),
            session=within,
            budget=budget,
            conversation=heard or (),
        )
    call.show(answer, lambda: found.found(answer, why=why))


@command(
    app,
    "why",
    'mnemic why "What does the payment service run on?" "The payment service runs on MySQL."',
    "mnemic why 支付服务现在用什么数据库 m1f0c9 --limit 3",
    'mnemic why "who owns payments?" m77ab2 --depth deep --json',
)
def why(
    call: Call,
    query: Query,
    item: Annotated[str, typer.Argument(help="A memory or a turn, by id or by its words.")],
    *,
    limit: Limit = 5,
    depth: Depth = "auto",
    profile: Profile = "assistant",
    valid_as_of: ValidAsOf = None,
    known_as_of: KnownAsOf = None,
    since: Since = None,
    until: Until = None,
    kind: Kinds = None,
    entity: Entities = None,
    tag: Tags = None,
    within: Within = None,
    budget: Budget = None,
    heard: Heard = None,
) -> None:
    """Show why a question brings a memory or a turn back, or what keeps it out: channels, features, reasons."""
    with call.existing() as memory:
        told = memory.why(
            query,
            item,
            limit=limit,
            depth=depth,
            profile=profile,
            valid_as_of=moment(valid_as_of, "valid_as_of"),
            known_as_of=moment(known_as_of, "known_as_of"),
            since=moment(since, "since"),
            until=moment(until, "until"),
            kinds=kind or (),
            entities=entity or (),
            tags=tag or (),
            session=within,
            budget=budget,
            conversation=heard or (),
        )
    call.show(told, lambda: explained.explained(told))


@command(app, "about", 'mnemic about "payment service"', "mnemic about 灯塔 --valid-as-of 2026-04-01")
def about(call: Call, name: Name, *, valid_as_of: ValidAsOf = None, known_as_of: KnownAsOf = None) -> None:
    """Show what is known of an entity: profile, facts, changes, neighbours, tasks."""
    with call.existing() as memory:
        known = memory.about(
            name,
            valid_as_of=moment(valid_as_of, "valid_as_of"),
            known_as_of=moment(known_as_of, "known_as_of"),
        )
    call.show(known, lambda: entity.about(known))


@command(app, "explore", "mnemic explore Maya", "mnemic explore 灯塔 --hops 3 --limit 20")
def explore(
    call: Call,
    name: Name,
    *,
    hops: Annotated[int, typer.Option(help="How many edges far.")] = 2,
    limit: Annotated[int, typer.Option(help="So many entities at most, the nearest first.")] = 50,
    valid_as_of: ValidAsOf = None,
    known_as_of: KnownAsOf = None,
) -> None:
    """Show the graph around an entity as a tree."""
    with call.existing() as memory:
        around = memory.explore(
            name,
            hops=hops,
            limit=limit,
            valid_as_of=moment(valid_as_of, "valid_as_of"),
            known_as_of=moment(known_as_of, "known_as_of"),
        )
    call.show(around, lambda: graph.explored(around))


@command(app, "path", "mnemic path 周小满 PostgreSQL", "mnemic path Ada Kafka --max-hops 6 --json")
def path(
    call: Call,
    source: Name,
    target: Annotated[str, typer.Argument(help="The other entity.")],
    *,
    max_hops: Annotated[int, typer.Option(help="The longest way to look for.")] = 4,
    valid_as_of: ValidAsOf = None,
    known_as_of: KnownAsOf = None,
) -> None:
    """Show how two entities are connected."""
    with call.existing() as memory:
        way = memory.path(
            source,
            target,
            max_hops=max_hops,
            valid_as_of=moment(valid_as_of, "valid_as_of"),
            known_as_of=moment(known_as_of, "known_as_of"),
        )
    call.show(way, lambda: graph.path(way))


@command(
    app,
    "history",
    'mnemic history "payment service"',
    'mnemic history "Petrel integration" --predicate deadline --known-as-of 2026-05-01',
)
def history(
    call: Call,
    name: Name,
    *,
    predicate: Annotated[str | None, typer.Option(help="Only this slot, such as owner.")] = None,
    valid_as_of: Annotated[
        str | None, typer.Option(help=f"Without what began later: {DATE}.", metavar="WHEN")
    ] = None,
    known_as_of: KnownAsOf = None,
) -> None:
    """Show all that was ever held true of an entity, oldest first."""
    with call.existing() as memory:
        past = memory.history(
            name,
            predicate=predicate,
            valid_as_of=moment(valid_as_of, "valid_as_of"),
            known_as_of=moment(known_as_of, "known_as_of"),
        )
    call.show(past, lambda: entity.history(past))


@command(app, "tasks", "mnemic tasks", "mnemic tasks --valid-as-of 2026-02-01 --json")
def tasks(call: Call, *, valid_as_of: ValidAsOf = None, known_as_of: KnownAsOf = None) -> None:
    """Show what is to be done, oldest first."""
    with call.existing() as memory:
        opened = memory.tasks(
            valid_as_of=moment(valid_as_of, "valid_as_of"), known_as_of=moment(known_as_of, "known_as_of")
        )
    call.show(opened, lambda: entity.tasks(opened))
