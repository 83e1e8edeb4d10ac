"""`mnemic mcp` as assistants start it: a process of its own, asked on standard input."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp import StdioServerParameters

from mnemic import Mnemic
from tests.api.mcp.conftest import Assistant, talking

_COMMAND = ["-c", "from mnemic.api.cli import main; main()", "mcp"]
_SETTINGS = {"MNEMIC_USER": "ada", "MNEMIC_EMBEDDER": "none"}
_HELLO = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "test", "version": "1"},
}


def environment(**more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("MNEMIC_")}
    return {**kept, **_SETTINGS, **more}


@contextmanager
def started(folder: Path, *options: str, **settings: str) -> Iterator[Assistant]:
    command = StdioServerParameters(
        command=sys.executable, args=[*_COMMAND, *options], cwd=folder, env=environment(**settings)
    )
    with talking(command) as assistant:
        yield assistant


@pytest.fixture
def process(tmp_path: Path) -> Iterator["subprocess.Popen[bytes]"]:
    opened = subprocess.Popen(
        [sys.executable, *_COMMAND],
        cwd=tmp_path,
        env=environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        yield opened
    finally:
        opened.kill()
        opened.wait()


def send(process: "subprocess.Popen[bytes]", *messages: object) -> None:
    assert process.stdin is not None
    for message in messages:
        raw = message if isinstance(message, bytes) else json.dumps(message).encode()
        process.stdin.write(raw + b"\n")
    process.stdin.flush()


def request(id: int, method: str, **params: object) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": id, "method": method, "params": params}


def greet(process: "subprocess.Popen[bytes]") -> None:
    send(
        process, request(0, "initialize", **_HELLO), {"jsonrpc": "2.0", "method": "notifications/initialized"}
    )


def use(id: int, tool: str, **arguments: object) -> dict[str, Any]:
    return request(id, "tools/call", name=tool, arguments=arguments)


def answers(process: "subprocess.Popen[bytes]", many: int) -> dict[int, dict[str, Any]]:
    assert process.stdout is not None
    read = [json.loads(process.stdout.readline()) for _ in range(many)]
    return {answer["id"]: answer for answer in read}


def test_what_one_conversation_told_the_next_one_knows(tmp_path: Path) -> None:
    with started(tmp_path, "--path", "kept.db") as assistant:
        assistant.use("remember", text="We moved the checkout from MySQL to PostgreSQL.")
    with started(tmp_path, MNEMIC_PATH="kept.db") as assistant:
        assert "PostgreSQL" in assistant.use("recall", query="What does the checkout run on?")
    with started(tmp_path, "--path", "kept.db", "--user", "eve") as assistant:
        assert "Nothing is remembered" in assistant.use("recall", query="What does the checkout run on?")


def test_the_session_of_the_command_is_that_of_what_is_told(tmp_path: Path) -> None:
    with started(tmp_path, "--session", "claude") as assistant:
        assistant.use("remember", text="Ben owns the checkout.")
    with Mnemic(tmp_path / "memory.db", user="ada", embedder="none") as memory:
        assert [turn.session for turn in memory.turns().items] == ["claude"]


def test_several_assistants_share_one_file_at_once(tmp_path: Path) -> None:
    with started(tmp_path) as one, started(tmp_path) as other:
        one.use("remember", text="Ben owns the checkout.")
        assert "Ben owns the checkout." in other.use("recall", query="Who owns the checkout?")


def test_many_calls_at_once_are_all_answered_and_none_is_lost(tmp_path: Path) -> None:
    with started(tmp_path) as assistant, ThreadPoolExecutor(8) as pool:
        told = list(
            pool.map(
                lambda n: assistant.use("remember", text=f"Box {n} is in room {n}.", kind="fact"), range(40)
            )
        )
        assert all("Remembered" in said for said in told)
    with Mnemic(tmp_path / "memory.db", user="ada", embedder="none") as memory:
        assert len(memory.turns().items) == 40


def test_nothing_but_the_protocol_is_on_standard_output(process: "subprocess.Popen[bytes]") -> None:
    greet(process)
    send(
        process,
        use(1, "remember", text="Ben owns the checkout."),
        use(2, "recall", query="Who owns the checkout?"),
        use(3, "about", name="nobody"),
        use(4, "recall", query=7),
        b"this is no JSON",
        b"[1, 2",
        b'{"jsonrpc": "2.0", "id": 5}',
        request(6, "no/such/method"),
        request(7, "tools/call", name=5),
        request(8, "ping"),
    )
    assert process.stdout is not None
    by_id: dict[int | None, dict[str, Any]] = {}
    while not by_id.keys() >= {0, 1, 2, 3, 4, 6, 7, 8}:
        message = json.loads(process.stdout.readline())
        assert message["jsonrpc"] == "2.0"
        by_id[message.get("id")] = message
    assert not by_id[1]["result"]["isError"]
    assert by_id[3]["result"]["isError"]
    assert by_id[4]["result"]["isError"]
    assert "error" in by_id[6]
    assert "error" in by_id[7]
    assert process.stdin is not None
    process.stdin.close()
    assert process.stdout.read() == b""
    assert process.wait(10) == 0


def test_it_ends_when_its_assistant_does_and_what_was_being_told_is_whole(
    process: "subprocess.Popen[bytes]", tmp_path: Path
) -> None:
    greet(process)
    send(process, *(use(n, "remember", text=f"Box {n} is in room {n}.", kind="fact") for n in range(1, 31)))
    acknowledged = answers(process, 4)
    assert process.stdin is not None
    process.stdin.close()
    assert process.wait(20) == 0
    with Mnemic(tmp_path / "memory.db", user="ada", embedder="none") as memory:
        turns = {turn.text for turn in memory.turns().items}
        remembered = {row.text for row in memory.memories().items}
        assert turns == remembered
    for id in acknowledged.keys() - {0}:
        assert f"Box {id} is in room {id}." in turns


def test_killed_outright_it_has_kept_what_it_acknowledged(
    process: "subprocess.Popen[bytes]", tmp_path: Path
) -> None:
    greet(process)
    send(process, *(use(n, "remember", text=f"Box {n} is in room {n}.", kind="fact") for n in range(1, 31)))
    acknowledged = answers(process, 6)
    process.kill()
    process.wait()
    with Mnemic(tmp_path / "memory.db", user="ada", embedder="none") as memory:
        turns = {turn.text for turn in memory.turns().items}
        assert turns == {row.text for row in memory.memories().items}
    for id in acknowledged.keys() - {0}:
        assert f"Box {id} is in room {id}." in turns


def test_a_store_that_cannot_be_opened_is_said_on_standard_error_alone(tmp_path: Path) -> None:
    (tmp_path / "memory.db").write_bytes(b"not a store at all" * 1_000)
    done = subprocess.run(
        [sys.executable, *_COMMAND],
        cwd=tmp_path,
        env=environment(),
        input=b"",
        capture_output=True,
        check=False,
    )
    assert done.returncode == 4
    assert done.stdout == b""
    assert b"error:" in done.stderr
    assert b"Traceback" not in done.stderr


def test_a_host_that_others_reach_is_refused(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, *_COMMAND, "--http", "--host", "0.0.0.0"],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        check=False,
    )
    assert done.returncode == 2
    assert b"mnemic serve" in done.stderr
