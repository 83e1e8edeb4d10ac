"""What is stored, as resources: read page by page, edited and removed with the version that was read."""

from functools import partial
from typing import Annotated

from fastapi import APIRouter, Header, Path, Query
from pydantic import BaseModel, Field
from starlette.responses import Response

from mnemic.api.erasing import Erasure, erase_user
from mnemic.api.facade import Mnemic
from mnemic.api.rest.answers import lines, rows_described, shown
from mnemic.api.rest.caller import Calling
from mnemic.api.rest.problems import responses
from mnemic.engine.results import About, Forgotten, Page, Receipt, Remembered, Spoken, Task, Thing
from mnemic.errors import NotFound
from mnemic.graph.model import Name

Limit = Annotated[int, Query(ge=1, le=1000, description="At most so many.")]
Cursor = Annotated[str, Query(description="`next` of the page before.")]
Hidden = Annotated[bool, Query(description="Also what no longer counts.")]
Id = Annotated[str, Path(description="The id of the row.")]
Called = Annotated[str, Path(description="A name or an alias.")]
IfMatch = Annotated[
    str | None, Header(description="The ETag that was read: what was changed since is left alone (412).")
]


class Edit(BaseModel):
    """New words for a memory."""

    text: str = Field(description="What the memory says from now on.", examples=["The door code is 4711."])


class Entry(BaseModel):
    """A name of the tenant's dictionary, besides the name itself."""

    kind: str = Field(description="What it names, such as `project` or `person`.", examples=["project"])
    aliases: list[str] = Field(default=[], description="What else it is called.", examples=[["支付系统"]])


class Whom(BaseModel):
    """Whom to erase, once more, so that nobody is erased by a slip."""

    user: str = Field(description="The user whose memory the call is for.", examples=["ada"])


def resources() -> APIRouter:
    """Return the routes of all resources."""
    router = APIRouter(prefix="/v1", tags=["resources"], responses=responses(401, 403, 404, 422, 429, 503))
    router.get("/memories", response_model=Page[Remembered])(memories)
    router.get("/memories/{id}", response_model=Remembered)(memory)
    router.patch("/memories/{id}", response_model=Receipt, responses=responses(409, 412))(edit)
    router.delete("/memories/{id}", response_model=Forgotten, responses=responses(409, 412))(forget)
    router.get("/turns", response_model=Page[Spoken])(turns)
    router.get("/turns/{id}", response_model=Spoken)(turn)
    router.get("/entities", response_model=Page[Thing])(entities)
    router.get("/entities/{name:path}", response_model=About)(about)
    router.get("/tasks", response_model=tuple[Task, ...])(tasks)
    router.get("/dictionary", response_model=tuple[Name, ...])(dictionary)
    router.get("/dictionary/{name:path}", response_model=Name)(entry)
    router.put("/dictionary/{name:path}", response_model=Name)(define)
    router.delete("/dictionary/{name:path}", status_code=204, response_class=Response)(undefine)
    router.get("/export", response_class=Response, responses=rows_described())(export)
    router.post("/erase", response_model=Erasure)(erase)
    return router


async def memories(
    caller: Calling, hidden: Hidden = False, limit: Limit = 100, cursor: Cursor = ""
) -> Response:
    """List memories: those that count now, or all with `hidden`."""
    return await shown(
        caller,
        "memories",
        Page[Remembered],
        lambda memory: memory.memories(hidden=hidden, limit=limit, cursor=cursor),
    )


async def memory(caller: Calling, id: Id) -> Response:
    """Show one memory; its ETag is its version."""
    row = await caller.do("memory", lambda memory: memory.memory(id))
    return Response(
        row.model_dump_json(), media_type="application/json", headers={"ETag": f'"{row.version}"'}
    )


async def edit(caller: Calling, id: Id, change: Edit, if_match: IfMatch = None) -> Response:
    """Have new words replace a memory; the old one stays in its history."""
    version = _version(if_match)
    return await shown(caller, "edit", Receipt, lambda memory: memory.edit(id, change.text, version=version))


async def forget(caller: Calling, id: Id, if_match: IfMatch = None) -> Response:
    """Remove a memory for good, with the turns that it came from."""
    version = _version(if_match)

    def work(memory: Mnemic) -> Forgotten:
        return memory.forget(memory.memory(id).id, version=version)

    return await shown(caller, "forget", Forgotten, work)


async def turns(
    caller: Calling,
    session: Annotated[str | None, Query(description="Only this session's, in its order.")] = None,
    limit: Limit = 100,
    cursor: Cursor = "",
) -> Response:
    """List turns."""
    return await shown(
        caller,
        "turns",
        Page[Spoken],
        lambda memory: memory.turns(session=session, limit=limit, cursor=cursor),
    )


async def turn(caller: Calling, id: Id) -> Response:
    """Show one turn."""
    return await shown(caller, "turn", Spoken, lambda memory: memory.turn(id))


async def entities(caller: Calling, limit: Limit = 100, cursor: Cursor = "") -> Response:
    """List entities."""
    return await shown(
        caller, "entities", Page[Thing], lambda memory: memory.entities(limit=limit, cursor=cursor)
    )


async def about(caller: Calling, name: Called) -> Response:
    """Tell what is known about an entity."""
    return await shown(caller, "about", About, lambda memory: memory.about(name))


async def tasks(caller: Calling) -> Response:
    """List the open tasks, oldest first."""
    return await shown(caller, "tasks", tuple[Task, ...], lambda memory: memory.tasks())


async def dictionary(caller: Calling) -> Response:
    """List the tenant's names, and the caller's own."""
    return await shown(caller, "names", tuple[Name, ...], lambda memory: memory.names())


async def entry(caller: Calling, name: Called) -> Response:
    """Show one name of the dictionary."""
    return await shown(caller, "names", Name, partial(_entry, name=name))


async def define(caller: Calling, name: Called, value: Entry) -> Response:
    """Add a name to the tenant's dictionary, or change it, and read the history again for it."""

    def work(memory: Mnemic) -> Name:
        (learnt,) = memory.learn([{"name": name, "kind": value.kind, "aliases": value.aliases}])
        return learnt

    return await shown(caller, "learn", Name, work)


async def undefine(caller: Calling, name: Called) -> Response:
    """Remove a name from the tenant's dictionary, and take back what was understood by it alone."""
    await caller.do("unlearn", lambda memory: memory.unlearn(name))
    return Response(status_code=204)


async def erase(caller: Calling, whom: Whom) -> Response:
    """Erase everything that the user owns, their keys too, and give the signed report. It cannot be undone."""

    def work(memory: Mnemic) -> Erasure:
        files = caller.service.tenants.plain_files(caller.scope.tenant)
        return erase_user(memory, whom.user, files)

    return await shown(caller, "erase", Erasure, work)


async def export(caller: Calling) -> Response:
    """Give everything that the caller may read, row by row."""
    return await lines(caller, "export", Mnemic.export)


def _entry(memory: Mnemic, name: str) -> Name:
    found = next((each for each in memory.names() if each.name == name), None)
    if found is None:
        raise NotFound("name", name)
    return found


def _version(if_match: str | None) -> str | None:
    """Return the version that a precondition names; none for a wildcard or where there is none."""
    return None if if_match in (None, "*") else str(if_match).strip().removeprefix("W/").strip('"')
