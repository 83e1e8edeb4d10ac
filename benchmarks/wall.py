"""Fire random calls of many users at every route and tool, and see whether anything of somebody else comes back.

    python -m benchmarks.wall [--calls 10000] [--seed 7]

Every owner's memories hold a word of their own. An answer that holds the word of another tenant, or of another
user's private memory, is a leak; so is an answer by which an id of somebody else differs from one that there is not.
The exit code tells whether there was none.
"""

import json
import random
import re
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import quote

import typer
from fastapi.testclient import TestClient
from rich.progress import track

from mnemic.api.rest.app import create_app
from mnemic.api.rest.forms import form, methods
from mnemic.api.service.keys import Doorkeeper, create
from mnemic.api.service.service import Service
from mnemic.api.service.tenants import Tenants
from mnemic.engine.settings import Settings
from mnemic.graph.clock import ManualClock
from mnemic.graph.model import TEAM

TENANTS = ("acme", "acme2", "小店")
USERS = ("ada", "bob", "小王")
_START = datetime(2026, 3, 2, 9, tzinfo=UTC)
_ID = re.compile(r"\b(?:[emt][0-9a-f]{20}|j[0-9a-f]{20})\b")
_OF_REQUEST = re.compile(r'"request_id":\s?"[0-9a-f]+"')
_SPEAKS = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-06-18"}
_BY_TOOL = 0.2
"""The share of the calls that go through the assistants' door."""
_STAYS = ("erase",)
"""Calls that would end the game: the users are fired at for as long as it goes."""


@dataclass(slots=True)
class Person:
    """A key's holder: the words that they may see, the ids that they were told, and those of nobody else."""

    tenant: str
    user: str
    headers: dict[str, str]
    sees: frozenset[str]
    ids: set[str] = field(default_factory=set)
    secret: set[str] = field(default_factory=set)


@dataclass(slots=True)
class Report:
    """What was fired, what came back, and what should not have."""

    calls: int = 0
    leaks: list[str] = field(default_factory=list)
    statuses: Counter[int] = field(default_factory=Counter)
    routes: Counter[str] = field(default_factory=Counter)


def _asked(method: str, parameters: dict[str, Any]) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": parameters}


def word_of(tenant: str, owner: str) -> str:
    """Return the word that only the memories of this owner hold."""
    return f"quokka{TENANTS.index(tenant)}{(*USERS, TEAM).index(owner)}zz"


class Wall:
    """A service with several tenants and users, and what is fired at it."""

    def __init__(self, client: TestClient, people: list[Person], seed: int) -> None:
        self._client, self._people, self._random = client, people, random.Random(seed)
        self._routes = [
            (verb.upper(), path)
            for path, operations in client.app.openapi()["paths"].items()  # type: ignore[attr-defined]
            for verb in operations
            if not path.endswith(_STAYS)
        ]
        headers = {**people[0].headers, **_SPEAKS}
        listed = client.post("/mcp", json=_asked("tools/list", {}), headers=headers).json()
        self._tools: list[dict[str, Any]] = listed["result"]["tools"]
        self.report = Report()

    def fill(self) -> None:
        """Have everybody tell something for themselves and for their team."""
        for person in self._people:
            own, team = word_of(person.tenant, person.user), word_of(person.tenant, TEAM)
            for text, visibility in ((own, "private"), (team, TEAM)):
                body = {
                    "message": f"The vault of Atlas is opened by the word {text}.",
                    "visibility": visibility,
                    "importance": 0.9,
                    "session": "standup",
                }
                answer = self._client.post("/v1/remember", json=body, headers=person.headers)
                assert answer.status_code == 200, answer.text
                self._learn(person, answer.text)
                if visibility != TEAM:
                    person.secret.update(_ID.findall(answer.text))

    def fire(self) -> None:
        """Send one random call of somebody, with anybody's ids, and look at what comes back."""
        person = self._random.choice(self._people)
        if self._random.random() < _BY_TOOL:
            self._use_tool(person)
            return
        verb, path = self._random.choice(self._routes)
        if self._random.random() < 0.2 and "{id}" in path:
            self._compare(person, verb, path)
            return
        filled = re.sub(r"\{(\w+)\}", lambda part: quote(self._value(part[1]), safe=""), path)
        body = self._body(path.removeprefix("/v1/")) if verb in ("POST", "PUT", "PATCH") else None
        answer = self._send(person, verb, path, filled, body)
        self._learn(person, answer)

    def _use_tool(self, person: Person) -> None:
        """Call a tool as an assistant does."""
        tool = self._random.choice(self._tools)
        schema = tool["inputSchema"]
        chosen = [
            name
            for name in schema["properties"]
            if name in schema["required"] or self._random.random() < 0.25
        ]
        arguments = {name: self._argument(name) for name in chosen}
        told = _asked("tools/call", {"name": tool["name"], "arguments": arguments})
        self._learn(person, self._send(person, "TOOL", str(tool["name"]), "/mcp", told))

    def _send(self, person: Person, verb: str, path: str, filled: str, body: Any) -> str:
        headers = {**person.headers, **(_SPEAKS if verb == "TOOL" else {})}
        answer = self._client.request("POST" if verb == "TOOL" else verb, filled, json=body, headers=headers)
        self.report.calls += 1
        self.report.statuses[answer.status_code] += 1
        self.report.routes[f"{verb} {path}"] += 1
        sent = f"{filled} {json.dumps(body, ensure_ascii=False)}"
        told = f"{answer.text} {dict(answer.headers)}"
        for word in _all_words() - person.sees:
            if word in told and word not in sent:
                self.report.leaks.append(f"{person.tenant}/{person.user} {verb} {filled}: {word}")
        if answer.status_code >= 500:
            self.report.leaks.append(f"{verb} {filled} failed: {answer.text[:200]}")
        return answer.text

    def _compare(self, person: Person, verb: str, path: str) -> None:
        """See whether an id of somebody else is answered as one that there is not."""
        strangers = [each.secret for each in self._people if each.sees != person.sees]
        foreign = self._random.choice(sorted(set().union(*strangers)))
        made_up = foreign[0] + f"{self._random.getrandbits(80):020x}"
        body = {"text": "The word is none."} if verb == "PATCH" else None
        answers = [
            _OF_REQUEST.sub("", self._send(person, verb, path, path.replace("{id}", id), body)).replace(
                id, "ID"
            )
            for id in (foreign, made_up)
        ]
        if answers[0] != answers[1]:
            self.report.leaks.append(f"{verb} {path} tells {foreign} from {made_up}: {answers}")

    def _learn(self, person: Person, answer: str) -> None:
        person.ids.update(_ID.findall(answer))

    def _body(self, method: str) -> dict[str, Any]:
        if method not in methods():
            return {
                "text": "The vault of Atlas is opened by no word.",
                "kind": "project",
                "aliases": ["Atlas Two"],
            }
        body = {}
        for name, kind in form(method).model_fields.items():
            if kind.is_required() or self._random.random() < 0.25:
                body[name] = self._argument(name)
        return body

    def _argument(self, name: str) -> Any:
        draw = self._random
        match name:
            case "message":
                return draw.choice(("Atlas has a new vault.", "Lea owns Atlas.", "Tom lives in Bern."))
            case "limit" | "hops" | "max_hops":
                return draw.choice((1, 3, 50))
            case "importance" | "confidence":
                return draw.random()
            case "valid_as_of" | "known_as_of" | "since" | "until" | "at":
                return (_START + timedelta(days=draw.randrange(-3, 4))).isoformat()
            case "hidden" | "reread" | "confirm":
                return draw.random() < 0.5
            case "dictionary":
                return [{"name": draw.choice(("Atlas", "Tom")), "kind": "project"}]
            case "kinds":
                return draw.choice((["fact"], {"Atlas": "project"}))
            case "metadata":
                return {"a": 1}
            case "pointers" | "names" | "entities" | "tags" | "conversation":
                return [self._value(name) for _ in range(draw.randrange(3))]
            case "budget":
                return draw.choice((10, 200))
            case "visibility":
                return draw.choice(("private", TEAM))
            case "depth":
                return draw.choice(("warm", "deep", "auto"))
            case _:
                return self._value(name)

    def _value(self, name: str) -> str:
        """Return anybody's id, or words that anybody may say."""
        draw = self._random
        if draw.random() < 0.5 and (known := sorted(set().union(*(each.ids for each in self._people)))):
            return draw.choice(known)
        return draw.choice(
            (
                "Atlas",
                "the vault of Atlas",
                "standup",
                "Which word opens the vault?",
                "Tom",
                *USERS,
                *TENANTS,
                "team",
            )
        )


def _all_words() -> frozenset[str]:
    return frozenset(word_of(tenant, owner) for tenant in TENANTS for owner in (*USERS, TEAM))


@contextmanager
def wall(folder: Path, seed: int) -> Iterator[Wall]:
    """Give a filled service in ``folder``, with real keys: of every user, and of a backend for each tenant."""
    tenants = Tenants(f"{folder}/", embedder="none", clock=ManualClock(_START), settings=Settings(answers=64))
    people = []
    for tenant in TENANTS:
        with tenants.core(tenant) as core:
            backend = create(core, tenant, user=None, may=["write"])
            for user in USERS:
                may = ["admin"] if user == USERS[0] else ["write"]
                key = create(core, tenant, user=user, may=may).plain
                sees = frozenset({word_of(tenant, user), word_of(tenant, TEAM)})
                headers = {"Authorization": f"Bearer {key}"}
                people.append(Person(tenant, user, headers, sees))
                named = {"Authorization": f"Bearer {backend.plain}", "Mnemic-User": quote(user)}
                people.append(Person(tenant, user, named, sees))
    service = Service(tenants, Doorkeeper(tenants))
    with TestClient(create_app(service), raise_server_exceptions=False) as client:
        filled = Wall(client, people, seed)
        filled.fill()
        yield filled


def main(
    calls: Annotated[int, typer.Option(min=1, help="So many calls.")] = 10_000,
    seed: Annotated[int, typer.Option(help="What the calls are drawn from.")] = 7,
) -> None:
    """Fire, and print what came back."""
    with tempfile.TemporaryDirectory() as folder, wall(Path(folder), seed) as fired:
        while fired.report.calls < calls:
            for _ in track(range(calls - fired.report.calls), "firing", transient=True):
                fired.fire()
        report = fired.report
    typer.echo(f"{report.calls} calls over {len(report.routes)} routes, {len(report.leaks)} leaks")
    typer.echo(", ".join(f"{status}: {count}" for status, count in sorted(report.statuses.items())))
    for leak in report.leaks[:20]:
        typer.echo(leak)
    raise typer.Exit(1 if report.leaks else 0)


if __name__ == "__main__":
    typer.run(main)
