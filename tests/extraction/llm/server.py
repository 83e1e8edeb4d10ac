"""A real endpoint on this machine that answers as it is told to, and keeps every byte that it got."""

import json
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any

Answer = Callable[[BaseHTTPRequestHandler, dict[str, Any]], None]


class Fake:
    """The endpoint: ``url`` to ask at, ``got`` all request bytes; set ``answer`` to what it is to do."""

    def __init__(self) -> None:
        self.got: list[bytes] = []
        self.headers: list[str] = []
        self.answer: Answer = saying({})
        self.over = Event()
        self.url = ""

    @property
    def heard(self) -> bytes:
        return b"\n".join(self.got)


def stage_of(body: dict[str, Any]) -> str:
    return str(body["response_format"]["json_schema"]["name"])


def asked_of(body: dict[str, Any]) -> dict[str, str]:
    """Return the texts of a request."""
    texts: dict[str, str] = json.loads(body["messages"][-1]["content"])
    return texts


def send(handler: BaseHTTPRequestHandler, payload: bytes, status: int = 200) -> None:
    handler.send_response(status)
    handler.send_header("Content-Length", str(len(payload)))
    handler.end_headers()
    handler.wfile.write(payload)


def envelope(content: Any) -> bytes:
    text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
    return json.dumps({"choices": [{"message": {"role": "assistant", "content": text}}]}).encode()


def saying(answers: dict[str, Any]) -> Answer:
    """Answer each stage with its JSON (or text, or what a function makes of the texts)."""

    def answer(handler: BaseHTTPRequestHandler, body: dict[str, Any]) -> None:
        chosen = answers.get(stage_of(body), {"statements": []})
        send(handler, envelope(chosen(asked_of(body)) if callable(chosen) else chosen))

    return answer


def raw(payload: bytes, status: int = 200) -> Answer:
    return lambda handler, _: send(handler, payload, status)


def breaks_off(handler: BaseHTTPRequestHandler, _: dict[str, Any]) -> None:
    """Promise a long answer and close half way."""
    handler.send_response(200)
    handler.send_header("Content-Length", "5000")
    handler.end_headers()
    handler.wfile.write(b'{"choices": [')
    handler.wfile.flush()
    handler.connection.shutdown(socket.SHUT_RDWR)


def floods(handler: BaseHTTPRequestHandler, _: dict[str, Any]) -> None:
    """Send 50 MB."""
    handler.send_response(200)
    handler.send_header("Content-Length", str(50_000_000))
    handler.end_headers()
    for _number in range(50):
        handler.wfile.write(b" " * 1_000_000)


@contextmanager
def endpoint() -> Iterator[Fake]:
    fake = Fake()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            data = self.rfile.read(int(self.headers["Content-Length"]))
            fake.got += [self.requestline.encode(), str(self.headers).encode(), data]
            try:
                fake.answer(self, json.loads(data))
            except (BrokenPipeError, ConnectionResetError):
                self.close_connection = True  # who asked did not want more

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    fake.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    try:
        yield fake
    finally:
        fake.over.set()
        server.shutdown()
        server.server_close()
        thread.join()


def hangs(fake: Fake) -> Answer:
    """Say nothing until the test is over."""

    def answer(handler: BaseHTTPRequestHandler, _: dict[str, Any]) -> None:
        fake.over.wait(30)
        handler.close_connection = True

    return answer


def drips(fake: Fake) -> Answer:
    """Send a byte now and then, for ever."""

    def answer(handler: BaseHTTPRequestHandler, _: dict[str, Any]) -> None:
        handler.send_response(200)
        handler.send_header("Content-Length", "100000")
        handler.end_headers()
        while not fake.over.is_set():
            handler.wfile.write(b" ")
            handler.wfile.flush()
            time.sleep(0.05)

    return answer
