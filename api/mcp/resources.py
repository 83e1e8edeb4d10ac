"""What assistants can read without a call: who is known, and what is known of each."""

from urllib.parse import quote, unquote

from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    ListResourcesResult,
    ListResourceTemplatesResult,
    ReadResourceResult,
    Resource,
    ResourceTemplate,
    TextResourceContents,
)

from mnemic.api.mcp import say
from mnemic.api.mcp.answers import Known, Thing, cut
from mnemic.api.mcp.texts import texts
from mnemic.api.mcp.tools import Do
from mnemic.errors import MnemicError

ENTITIES = "mnemic://entities"
_ABOUT = "mnemic://about/"
_MIME = "text/plain"
_PAGE, _MOST = 100, 500
"""So many names stand on a page of the list, and in the text of all of them."""


async def listed(do: Do, cursor: str) -> ListResourcesResult:
    """Return a page of what can be read: the list of names first, then each name."""
    page = await do("entities", lambda memory: memory.entities(limit=_PAGE, cursor=cursor))
    words = texts()["resources"]["entities"]
    first = Resource(
        uri=ENTITIES, name="entities", title=words["title"], description=words["says"], mime_type=_MIME
    )
    named = [
        Resource(uri=uri_of(thing.name), name=cut(thing.name), description=thing.kind, mime_type=_MIME)
        for thing in page.items
    ]
    return ListResourcesResult(resources=named if cursor else [first, *named], next_cursor=page.next)


def templates() -> ListResourceTemplatesResult:
    """Return the form of the addresses of names."""
    words = texts()["resources"]["about"]
    about = ResourceTemplate(
        uri_template=_ABOUT + "{name}",
        name="about",
        title=words["title"],
        description=words["says"],
        mime_type=_MIME,
    )
    return ListResourceTemplatesResult(resource_templates=[about])


async def content(do: Do, uri: str) -> ReadResourceResult:
    """Return what stands at an address, or raise ``MCPError`` where nothing does."""
    if uri == ENTITIES:
        page = await do("entities", lambda memory: memory.entities(limit=_MOST))
        text = say.names(map(Thing.of, page.items), more=page.next is not None)
    elif uri.startswith(_ABOUT):
        name = unquote(uri.removeprefix(_ABOUT))
        text = say.known(Known.of(await do("about", lambda memory: memory.about(name))))
    else:
        raise MCPError(
            INVALID_PARAMS,
            f"{cut(uri)} is no resource here; read {ENTITIES} or {_ABOUT}<name>",
            {"uri": cut(uri)},
        )
    return ReadResourceResult(contents=[TextResourceContents(uri=uri, mime_type=_MIME, text=text)])


def uri_of(name: str) -> str:
    """Return the address of what is known of ``name``."""
    return _ABOUT + quote(name, safe="")


def refused(error: MnemicError) -> MCPError:
    """Return an error of ours as one of the protocol, for what has no answer to put it in."""
    return MCPError(INVALID_PARAMS, f"{type(error).__name__}: {cut(str(error))}")
