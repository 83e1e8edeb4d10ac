"""The tools: few, each with the words, the forms and the hints by which an assistant chooses and calls it."""

import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Protocol, TypeVar

from mcp_types import CallToolResult, TextContent, Tool, ToolAnnotations
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaMode, JsonSchemaValue
from pydantic_core import CoreSchema

from mnemic.api.facade import Mnemic
from mnemic.api.mcp import say
from mnemic.api.mcp.answers import Answer, Around, Forgetting, Kept, Known, Past, Recalled, cut
from mnemic.api.mcp.calls import (
    AboutCall,
    ExploreCall,
    ForgetCall,
    HistoryCall,
    RecallCall,
    RememberCall,
    ToolCall,
    read,
)
from mnemic.api.mcp.texts import texts
from mnemic.engine.results import Doomed
from mnemic.errors import InvalidInput, MnemicError
from mnemic.extraction.requests import find_request
from mnemic.extraction.segment import sentences

logger = logging.getLogger(__name__)

R = TypeVar("R")
_CONTENT = "content"
"""What the front door calls the text of a message, which it takes in many forms."""


class Do(Protocol):
    """Does work, which is what ``action`` says, with the memory of whoever asks, off the event loop."""

    async def __call__(self, action: str, work: Callable[[Mnemic], R], /) -> R:
        """Return what the work returns, or raise what it raises; ``Forbidden`` where they may not."""


Told = tuple[str, Answer]
"""An answer in words, and as data."""


async def _remember(do: Do, call: RememberCall) -> Told:
    request = find_request(call.text, sentences(call.text))
    if request is not None and request.kind == "forget":
        fix = "call the tool forget with what is meant; it shows first what would go"
        raise InvalidInput("text", "asks to forget something, and this tool removes nothing", fix)
    given = {name: value for name, value in call.told().items() if name != "text"}
    try:
        answer = Kept.of(await do("remember", lambda memory: memory.remember(call.text, **given)))
    except InvalidInput as error:
        if error.field != _CONTENT:
            raise
        raise InvalidInput("text", error.problem, error.fix) from error
    return say.kept(answer), answer


async def _recall(do: Do, call: RecallCall) -> Told:
    given = {**call.told(), "budget": call.budget}
    found = await do("recall", lambda memory: memory.recall(**given))
    answer = Recalled.of(found)
    return say.recalled(answer, found), answer


async def _about(do: Do, call: AboutCall) -> Told:
    answer = Known.of(await do("about", lambda memory: memory.about(**call.told())))
    return say.known(answer), answer


async def _explore(do: Do, call: ExploreCall) -> Told:
    given = {**call.told(), "hops": call.hops, "limit": call.limit}
    answer = Around.of(await do("explore", lambda memory: memory.explore(**given)))
    return say.around(answer), answer


async def _history(do: Do, call: HistoryCall) -> Told:
    answer = Past.of(await do("history", lambda memory: memory.history(**call.told())))
    return say.past(answer), answer


async def _forget(do: Do, call: ForgetCall) -> Told:
    going: Doomed
    if call.confirm is None:
        going = await do("doomed", lambda memory: memory.doomed(*call.pointers))
        answer = Forgetting(memories=going.memories, turns=going.turns, confirm=_code(going))
    else:
        shown: list[Doomed] = []

        def work(memory: Mnemic) -> object:
            shown.append(memory.doomed(*call.pointers))
            if _code(shown[0]) != call.confirm:
                fix = "call forget without confirm, show what it gives, and send its code"
                raise InvalidInput("confirm", "is not the code of what would go now", fix)
            return memory.forget(*call.pointers)

        await do("forget", work)
        answer = Forgetting(memories=shown[0].memories, turns=shown[0].turns, gone=True)
    return say.forgetting(answer), answer


def _code(going: Doomed) -> str:
    """Return a short code of exactly what would go, so that nobody confirms what was not shown."""
    return sha256(going.model_dump_json().encode()).hexdigest()[:8]


@dataclass(frozen=True, slots=True)
class _Kind:
    """A tool: what it takes, what it answers, how it works, and what it does to the memory."""

    call: type[ToolCall]
    answer: type[Answer]
    work: Callable[[Do, Any], Awaitable[Told]]
    reads: bool = True
    destroys: bool = False


_TOOLS: Mapping[str, _Kind] = {
    "remember": _Kind(RememberCall, Kept, _remember, reads=False),
    "recall": _Kind(RecallCall, Recalled, _recall),
    "about": _Kind(AboutCall, Known, _about),
    "explore": _Kind(ExploreCall, Around, _explore),
    "history": _Kind(HistoryCall, Past, _history),
    "forget": _Kind(ForgetCall, Forgetting, _forget, reads=False, destroys=True),
}


def names() -> tuple[str, ...]:
    """Return the names of the tools."""
    return tuple(_TOOLS)


def tools() -> list[Tool]:
    """Return the tools as they are told to an assistant."""
    return [_tool(name, kind) for name, kind in _TOOLS.items()]


async def use(do: Do, name: str, arguments: Mapping[str, Any]) -> CallToolResult:
    """Return what the tool ``name`` answers; what goes wrong is an answer too, which says what would do."""
    kind = _TOOLS[name]
    try:
        words, answer = await kind.work(do, read(kind.call, dict(arguments)))
    except MnemicError as error:
        return _result(f"{type(error).__name__}: {cut(str(error))}", failed=True)
    except Exception:
        logger.exception("the tool %s failed", name)
        return _result(
            "Something failed inside the memory; its log knows more. Nothing is wrong with the call.",
            failed=True,
        )
    return _result(words, answer.model_dump(mode="json"))


def _result(words: str, data: object = None, *, failed: bool = False) -> CallToolResult:
    return CallToolResult(
        content=[TextContent(type="text", text=words)], structured_content=data, is_error=failed
    )


def _tool(name: str, kind: _Kind) -> Tool:
    told = texts()["tools"][name]
    takes = kind.call.model_json_schema(schema_generator=_Plain)
    for field, form in takes["properties"].items():
        form |= {"description": told["fields"][field]["says"], "examples": told["fields"][field]["examples"]}
    takes.pop("description", None)
    return Tool(
        name=name,
        title=told["title"],
        description=told["says"].strip(),
        input_schema=takes,
        output_schema=kind.answer.model_json_schema(mode="serialization", schema_generator=_Plain),
        annotations=ToolAnnotations(
            title=told["title"],
            read_only_hint=kind.reads,
            destructive_hint=kind.destroys,
            idempotent_hint=kind.reads,
            open_world_hint=False,
        ),
    )


class _Plain(GenerateJsonSchema):
    """JSON schemas without titles and without defaults of None, which cost tokens and confuse some assistants."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        """Set none."""
        return False

    def generate(self, schema: CoreSchema, mode: JsonSchemaMode = "validation") -> JsonSchemaValue:
        """Return the schema, without the titles of its models too."""
        made = super().generate(schema, mode)
        for model in (made, *made.get("$defs", {}).values()):
            model.pop("title", None)
            for form in model.get("properties", {}).values():
                if form.get("default", "") is None:
                    del form["default"]
        return made
