"""The MCP server: the official SDK's, with our tools, resources and prompt, for whoever each request is from."""

from collections.abc import Awaitable, Callable, Mapping
from importlib.metadata import version
from typing import Any, TypeVar

from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp_types import (
    CallToolRequestParams,
    CallToolResult,
    GetPromptRequestParams,
    GetPromptResult,
    ListPromptsResult,
    ListResourcesResult,
    ListResourceTemplatesResult,
    ListToolsResult,
    PaginatedRequestParams,
    Prompt,
    PromptArgument,
    PromptMessage,
    ReadResourceRequestParams,
    ReadResourceResult,
    TextContent,
)
from starlette.requests import Request

from mnemic.api.mcp import resources, tools
from mnemic.api.mcp.texts import prompts, texts
from mnemic.api.mcp.tools import Do
from mnemic.errors import MnemicError, UnknownName

DoerOf = Callable[[Request | None], Do]
"""Tells who does the work of a request: None is not over HTTP. The request alone says whose memory is meant."""

_Context = ServerRequestContext[Any, Any]
T = TypeVar("T")


def create_server(doer_of: DoerOf) -> Server[Any]:
    """Return a server whose every request is worked on by what ``doer_of`` gives for it."""

    async def list_tools(context: _Context, params: PaginatedRequestParams | None) -> ListToolsResult:
        return ListToolsResult(tools=tools.tools())

    async def call_tool(context: _Context, params: CallToolRequestParams) -> CallToolResult:
        if params.name not in tools.names():
            raise resources.refused(UnknownName("tool", params.name, tools.names()))
        return await tools.use(doer_of(context.request), params.name, params.arguments or {})

    async def list_resources(context: _Context, params: PaginatedRequestParams | None) -> ListResourcesResult:
        cursor = (params.cursor if params else None) or ""
        return await _or_refused(resources.listed(doer_of(context.request), cursor))

    async def list_templates(
        context: _Context, params: PaginatedRequestParams | None
    ) -> ListResourceTemplatesResult:
        return resources.templates()

    async def read_resource(context: _Context, params: ReadResourceRequestParams) -> ReadResourceResult:
        return await _or_refused(resources.content(doer_of(context.request), params.uri))

    async def list_prompts(context: _Context, params: PaginatedRequestParams | None) -> ListPromptsResult:
        return ListPromptsResult(prompts=[_prompt()])

    async def get_prompt(context: _Context, params: GetPromptRequestParams) -> GetPromptResult:
        return _said(params.name, params.arguments or {})

    return Server(
        "mnemic",
        version=version("mnemic"),
        title=texts()["title"],
        instructions=texts()["instructions"].strip(),
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resources=list_resources,
        on_list_resource_templates=list_templates,
        on_read_resource=read_resource,
        on_list_prompts=list_prompts,
        on_get_prompt=get_prompt,
    )


async def _or_refused(answer: Awaitable[T]) -> T:
    try:
        return await answer
    except MnemicError as error:
        raise resources.refused(error) from error


def _prompt() -> Prompt:
    words = prompts()
    language = PromptArgument(name="language", description=words["language"], required=False)
    return Prompt(name=words["name"], title=words["title"], description=words["says"], arguments=[language])


def _said(name: str, arguments: Mapping[str, str]) -> GetPromptResult:
    """Return the instructions in the language asked for."""
    words = prompts()
    language = arguments.get("language") or "en"
    if name != words["name"]:
        raise resources.refused(UnknownName("prompt", name, [words["name"]]))
    if language not in words["words"]:
        raise resources.refused(UnknownName("language", language, words["words"]))
    text = TextContent(type="text", text=words["words"][language].strip())
    return GetPromptResult(description=words["says"], messages=[PromptMessage(role="user", content=text)])
