"""What is a client's own: keys, users, errors of the way, calls that are put off, rows that come piece by piece."""

import json
from collections.abc import Callable, Iterator
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
from anyio.from_thread import BlockingPortal

import mnemic
from mnemic import (
    AsyncClient,
    Client,
    Conflict,
    Forbidden,
    InvalidInput,
    Job,
    MissingScope,
    Mnemic,
    MnemicError,
    NotFound,
    StoreBusy,
    StoreError,
    StoreFull,
    StoreUnavailable,
    TooManyRequests,
    Unauthorized,
)
from mnemic.api.rest.problems import problem
from mnemic.engine.core import Core
from mnemic.engine.working import run_next
from tests.api.client.conftest import Blocking, World

Answer = Callable[[httpx.Request], httpx.Response]
NOTHING = {"query": "x", "text": "", "nothing": {"reason": "empty"}}
MOVED = "We moved the payment service from MySQL to PostgreSQL."


class Told:
    """A service that answers as a list says, and keeps what it was sent; both colours of client may ask it."""

    def __init__(self, portal: BlockingPortal, colour: str) -> None:
        self.portal, self.colour = portal, colour
        self.answers: list[httpx.Response | Exception] = []
        self.sent: list[httpx.Request] = []
        self.slept: list[float] = []

    def answer(self, request: httpx.Request) -> httpx.Response:
        self.sent.append(request)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)

    def client(self, **options: Any) -> Any:
        transport = httpx.MockTransport(self.answer)
        given: dict[str, Any] = {"url": "http://host:8420", "key": "key", "transport": transport} | options
        if self.colour == "client":
            return Client(sleep=self.slept.append, **given)
        return Blocking(self.portal, AsyncClient(sleep=self.sleep, **given))


@pytest.fixture(params=["client", "async client"])
def told(request: pytest.FixtureRequest, portal: BlockingPortal) -> Told:
    return Told(portal, request.param)


def said(content: object, status: int = 200, **headers: str) -> httpx.Response:
    return httpx.Response(status, json=content, headers=headers)


def put_off(status: int, after: str) -> httpx.Response:
    return said({"code": "StoreBusy", "detail": "busy"}, status, **{"Retry-After": after})


def test_a_key_says_whose_memory_it_is_and_a_user_is_told_where_it_serves_many(
    world: World, core: object, tenant: str
) -> None:
    names = ("ada", "名前 50%25", "Ünal", "a/b+c")
    with Client(world.url, f"{tenant}..write", user=names[0], session="standup") as memory:
        doors = [memory, *(memory.as_user(name) for name in names[1:])]
        for name, door in zip(names, doors, strict=True):
            door.remember(f"{name} prefers tea.")
        for name, door in zip(names, doors, strict=True):
            (turn,) = door.turns().items
            assert (turn.speaker, turn.owner, turn.text) == (name, name, f"{name} prefers tea.")
        assert memory.turns().items[0].session == "standup"


def test_a_key_without_its_user_or_of_another_or_of_nobody_is_refused(
    world: World, core: object, tenant: str
) -> None:
    wrong: list[tuple[dict[str, Any], type[MnemicError]]] = [
        ({"key": f"{tenant}..write"}, InvalidInput),
        ({"key": f"{tenant}.ada.write", "user": "bob"}, Forbidden),
        ({"key": "nobody"}, Unauthorized),
    ]
    for options, error in wrong:
        with Client(world.url, **options) as client, pytest.raises(error):
            client.recall("tea?")
    with Client(world.url, f"{tenant}.ada.read") as client, pytest.raises(Forbidden, match="'write'"):
        client.remember("I prefer tea.")


@pytest.mark.parametrize("wrong", ["", " "])
def test_a_user_of_no_name_is_a_missing_scope(wrong: str) -> None:
    with pytest.raises(MissingScope):
        Client("http://host", "key", user=wrong)
    with Client("http://host", "key") as client, pytest.raises(MissingScope):
        client.as_user(wrong)


def test_url_and_key_are_those_of_the_environment_unless_given(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("URL", "API_KEY"):
        monkeypatch.delenv(f"MNEMIC_{name}", raising=False)
    for door in (Client, AsyncClient):
        with pytest.raises(InvalidInput, match=r"^url.*MNEMIC_URL"):
            door()
        with pytest.raises(InvalidInput, match=r"^key.*MNEMIC_API_KEY"):
            door("http://host")
    monkeypatch.setenv("MNEMIC_URL", "https://memory.example/")
    monkeypatch.setenv("MNEMIC_API_KEY", "sesame")
    sent: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        sent.append(request)
        return said(NOTHING)

    with Client(transport=httpx.MockTransport(answer)) as client:
        client.recall("x")
        assert "sesame" not in repr(client) + repr(vars(client))
    assert str(sent[0].url) == "https://memory.example/v1/recall"
    assert sent[0].headers["Authorization"] == "Bearer sesame"


@pytest.mark.parametrize(
    ("argument", "value"),
    [
        *(("url", url) for url in ("", "host:8420", "ftp://host", "http://", "http://host:x", "http://a:b@host", "http://host?x=1", "http://hö st", "http://host\nX: y")),
        *(("key", key) for key in ("", "a b", "ключ", "a\r\nX: y")),
        *(("timeout", value) for value in (0, -1, float("nan"), 10**6)),
        *(("retries", value) for value in (-1, 11)),
    ],
)  # fmt: skip
def test_what_a_client_cannot_be_made_of_is_refused_by_name(argument: str, value: Any) -> None:
    for door in (Client, AsyncClient):
        with pytest.raises(InvalidInput) as caught:
            door(**{"url": "http://host", "key": "key"} | {argument: value})
        assert caught.value.field == argument


def errors() -> Iterator[MnemicError]:
    """Yield an error of every class."""
    special: dict[str, MnemicError] = {
        "NotFound": NotFound("entity", "chekout", ["checkout"]),
        "UnknownName": mnemic.UnknownName("depth", "dep", ["deep"]),
        "InvalidInput": InvalidInput("limit", "is 0", "choose 1"),
        "MissingScope": MissingScope("user", "is missing", "name one"),
        "TooManyRequests": TooManyRequests("slowly", 2.5),
    }
    for name in mnemic.__all__:
        kind = getattr(mnemic, name)
        if isinstance(kind, type) and issubclass(kind, MnemicError):
            yield special.get(name) or kind("it went wrong")


@pytest.mark.parametrize("error", list(errors()), ids=lambda error: type(error).__name__)
def test_each_error_comes_as_it_was_raised(told: Told, error: MnemicError) -> None:
    answer = problem(error, "r1")
    told.answers = [
        httpx.Response(answer.status_code, content=bytes(answer.body), headers=dict(answer.headers))
    ]
    with pytest.raises(MnemicError) as caught:
        told.client(retries=0).recall("x")
    assert type(caught.value) is type(error)
    wanted = vars(error)
    known = {name: value for name, value in vars(caught.value).items() if name != "__notes__"}
    assert (str(caught.value), caught.value.args, known) == (str(error), error.args, wanted)


@pytest.mark.parametrize(
    ("status", "body", "error"),
    [
        (502, {"text": "<html>Bad gateway"}, StoreUnavailable),
        (503, {"text": "down"}, StoreUnavailable),
        (504, {"text": "slow"}, StoreBusy),
        (401, {"text": "who?"}, Unauthorized),
        (429, {"text": "slowly"}, TooManyRequests),
        (404, {"text": "no such page"}, MnemicError),
        (302, {"headers": {"Location": "http://elsewhere"}}, MnemicError),
        (500, {"json": ["no", "problem"]}, MnemicError),
        (500, {"json": {"code": "close", "detail": "x"}}, MnemicError),
        (400, {"json": {"code": "Exception", "detail": "x"}}, MnemicError),
        (200, {"text": "<html>Please log in"}, MnemicError),
        (200, {"json": {"query": 5}}, MnemicError),
        (200, {"json": None}, MnemicError),
        (500, {"content": b"[" * 100_000}, MnemicError),
    ],
)
def test_what_is_no_answer_of_a_service_is_an_error_of_ours(
    told: Told, status: int, body: dict[str, Any], error: type[MnemicError]
) -> None:
    told.answers = [httpx.Response(status, **body)]
    with pytest.raises(error) as caught:
        told.client().recall("x")
    assert type(caught.value) is error


@pytest.mark.parametrize(
    ("raised", "error"),
    [
        (httpx.ConnectError("refused"), StoreUnavailable),
        (httpx.ConnectTimeout("no answer"), StoreUnavailable),
        (httpx.RemoteProtocolError("closed"), StoreUnavailable),
        (httpx.ReadTimeout("slow"), StoreBusy),
        (httpx.WriteTimeout("slow"), StoreBusy),
        (httpx.PoolTimeout("all taken"), StoreBusy),
    ],
)
def test_an_error_of_the_way_is_one_of_ours_and_nothing_is_sent_again(
    told: Told, raised: Exception, error: type[MnemicError]
) -> None:
    told.answers = [raised]
    with pytest.raises(error) as caught:
        told.client().remember("I prefer tea.")
    assert caught.value.__cause__ is raised
    assert len(told.sent) == 1


def test_nobody_at_the_url_is_a_store_that_is_unavailable() -> None:
    with Client("http://127.0.0.1:9", "key") as client, pytest.raises(StoreUnavailable, match="mnemic serve"):
        client.recall("x")


def test_what_newer_services_tell_besides_is_passed_over(told: Told) -> None:
    told.answers = [said({**NOTHING, "mood": "good", "nothing": {"reason": "empty", "since": 5}})]
    assert told.client().recall("x").nothing.reason == "empty"


@pytest.mark.parametrize("status", [429, 503])
def test_what_is_put_off_is_asked_again_after_the_time_told(told: Told, status: int) -> None:
    told.answers = [put_off(status, "3"), put_off(status, "1.5"), said(NOTHING)]
    told.client().recall("x")
    assert told.slept == [3.0, 1.5]
    assert len({request.content for request in told.sent}) == 1


@pytest.mark.parametrize(
    ("after", "options", "sent"),
    [
        (["3", "3", "3"], {}, 3),  # twice again, not more
        (["3"], {"retries": 0}, 1),
        (["31"], {}, 1),  # longer than one waits for an answer
        (["20", "20"], {}, 2),  # both together are
        (["soon"], {}, 1),
    ],
)
def test_putting_off_is_bounded(told: Told, after: list[str], options: dict[str, Any], sent: int) -> None:
    told.answers = [put_off(503, seconds) for seconds in after]
    with pytest.raises(StoreBusy):
        told.client(**options).recall("x")
    assert len(told.sent) == sent


def test_a_write_goes_by_one_key_however_often_it_is_sent_and_each_write_by_another(told: Told) -> None:
    keys = iter("abc")
    client = told.client(idempotency=partial(next, keys))
    told.answers = [put_off(503, "1"), said({"turns": []}), said({"turns": []}), said(NOTHING)]
    client.remember("I prefer tea.")
    client.remember("I prefer tea.")
    client.recall("tea?")
    assert [request.headers.get("Idempotency-Key") for request in told.sent] == ["a", "a", "b", None]


@pytest.mark.parametrize(
    "error", [InvalidInput("x", "is y", "z"), Conflict("changed"), StoreFull("full"), Forbidden("no")]
)
def test_what_would_fail_again_is_not_asked_again(told: Told, error: MnemicError) -> None:
    answer = problem(error, "r1")
    told.answers = [
        httpx.Response(answer.status_code, content=bytes(answer.body), headers={"Retry-After": "1"})
    ]
    with pytest.raises(type(error)):
        told.client().recall("x")
    assert len(told.sent) == 1


def test_rows_are_cut_at_line_feeds_alone_wherever_the_pieces_end(told: Told) -> None:
    rows = [{"type": "turn", "text": text} for text in ("a\u2028b", "c\x85d\x0be", "王小明", "")]
    whole = b"".join(json.dumps(row, ensure_ascii=False).encode() + b"\n" for row in rows)
    for size in (1, 2, 7, len(whole)):
        pieces = [whole[at : at + size] for at in range(0, len(whole), size)]

        class Pieces(httpx.SyncByteStream, httpx.AsyncByteStream):
            def __iter__(self, pieces: list[bytes] = pieces) -> Iterator[bytes]:
                return iter(pieces)

            async def __aiter__(self, pieces: list[bytes] = pieces) -> Any:
                for piece in pieces:
                    yield piece

        told.answers = [httpx.Response(200, stream=Pieces())]
        assert list(told.client().export()) == rows


def test_rows_that_break_off_are_no_whole_answer(told: Told) -> None:
    class Breaks(httpx.SyncByteStream, httpx.AsyncByteStream):
        def __iter__(self) -> Iterator[bytes]:
            yield b'{"type": "turn"}\n{"ty'
            raise httpx.RemoteProtocolError("closed")

        async def __aiter__(self) -> Any:
            for piece in self:
                yield piece

    told.answers = [httpx.Response(200, stream=Breaks())]
    with pytest.raises(StoreUnavailable, match="broke off"):
        list(told.client().export())


def test_rows_that_are_refused_are_the_error_told(told: Told) -> None:
    answer = problem(Forbidden("not this one"), "r1")
    told.answers = [httpx.Response(answer.status_code, content=bytes(answer.body))]
    with pytest.raises(Forbidden, match="not this one"):
        list(told.client().export())


def test_an_export_that_is_left_half_way_gives_its_connection_back(client: Client, beside: Mnemic) -> None:
    beside.remember([{"role": "user", "content": f"I prefer tea number {number}."} for number in range(300)])
    for _ in range(5):
        rows = client.export()
        assert next(rows)["type"] == "name"
        del rows
    assert client.stats().turns == 300


def test_an_export_is_the_same_through_both_doors(client: Client, beside: Mnemic) -> None:
    beside.remember(
        [{"role": "user", "content": text} for text in (MOVED, "I prefer tea\u2028and 茶.", "👩‍👩‍👧")]
    )
    assert list(client.export()) == list(beside.export())


def test_a_job_is_asked_for_and_followed(told: Told) -> None:
    job = {"id": "j1", "state": "waiting", "attempts": 0, "reason": "", "receipt": None, "created_at": "2026-03-02T09:00:00Z", "finished_at": None}  # fmt: skip
    told.answers = [said(job, 202), said({**job, "state": "done", "receipt": {"turns": ["t1"]}})]
    client = told.client()
    waiting = client.remember_later("I prefer tea.", session="s")
    assert isinstance(waiting, Job)
    assert (waiting.state, waiting.receipt) == ("waiting", None)
    assert client.job("a/../b?c").receipt.turns == ("t1",)
    assert [str(request.url.raw_path, "ascii") for request in told.sent] == [
        "/v1/remember?wait=false",
        "/v1/jobs/a%2F..%2Fb%3Fc",
    ]
    assert json.loads(told.sent[0].content) == {"message": "I prefer tea.", "session": "s"}
    assert told.sent[0].headers["Idempotency-Key"]


def test_what_is_remembered_later_is_remembered_by_the_service(
    client: Client, world: World, core: Core
) -> None:
    waiting = client.remember_later(MOVED, session="standup")
    assert (client.job(waiting.id).state, client.stats().turns) == ("waiting", 0)
    run_next(core)
    done = client.job(waiting.id)
    assert (done.state, done.receipt is not None) == ("done", True)
    assert client.turns().items[0].session == "standup"
    with pytest.raises(InvalidInput, match=r"^content"):
        client.remember_later(" ")
    with pytest.raises(NotFound):
        client.job("no such job")


class Loses(httpx.HTTPTransport):
    """Delivers each request, and loses the first answer of each."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: set[bytes] = set()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        answer = super().handle_request(request)
        if request.content not in self.seen:
            self.seen.add(request.content)
            answer.read()
            return put_off(503, "0")
        return answer


def test_a_write_whose_answer_was_lost_is_done_once(world: World, core: Core, tenant: str) -> None:
    with Client(world.url, f"{tenant}.ada.admin", transport=Loses()) as client:
        for text in (MOVED, "Ben lives in Berlin."):
            receipt = client.remember(text)
            assert receipt.stored
            assert receipt.known == ()
            world.clock.now += timedelta(days=1)
        assert client.stats().turns == 2
        gone = client.forget("Ben lives in Berlin.")
        assert len(gone.memories) == 1
        later = client.remember_later("Lea lives in Rome.")
        assert client.job(later.id) == later
        run_next(core)
        assert client.stats().turns == 2


def test_a_key_of_a_write_that_comes_with_another_write_is_a_conflict(
    world: World, core: Core, tenant: str
) -> None:
    with Client(world.url, f"{tenant}.ada.write", idempotency=lambda: "same") as client:
        receipt = client.remember(MOVED)
        assert client.remember(MOVED) == receipt
        with pytest.raises(Conflict):
            client.remember("Ben lives in Berlin.")


def test_names_are_read_from_a_file_of_this_machine(client: Client, tmp_path: Path) -> None:
    (tmp_path / "names.csv").write_text("name,kind,aliases\nFalkon,service,falk|猎鹰\n", "utf-8")
    learnt = client.learn(tmp_path / "names.csv")
    assert [(name.name, name.aliases) for name in learnt] == [("Falkon", ("falk", "猎鹰"))]
    assert client.resolve("猎鹰").name == "Falkon"


def test_progress_is_taken_and_told_nothing(client: Client) -> None:
    heard: list[object] = []
    client.learn([{"name": "Falkon", "kind": "service"}], progress=lambda *told: heard.append(told))
    client.reread(progress=lambda *told: heard.append(told))
    assert heard == []


def test_a_body_that_is_too_large_for_the_service_is_refused_as_such(client: Client) -> None:
    with pytest.raises((InvalidInput, StoreUnavailable)):
        client.recall("王" * 3_000_000)
    assert client.recall("tea?").nothing is not None


def test_one_client_serves_many_threads(client: Client, portal: BlockingPortal) -> None:
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(8) as pool:
        list(
            pool.map(
                lambda number: client.remember(f"I prefer tea number {number}.", id=f"t{number}"), range(40)
            )
        )
    assert client.stats().turns == 40


def test_a_closed_client_says_so(client: Client) -> None:
    client.as_user("ada").close()
    client.close()
    with pytest.raises(StoreError, match="closed"):
        client.recall("x")
    with pytest.raises(StoreError, match="closed"):
        list(client.export())
