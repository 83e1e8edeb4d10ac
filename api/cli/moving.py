"""Commands that move conversations in and memories out: import, export and feedback export."""

import json
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, tzinfo
from stat import S_ISREG
from typing import Annotated, Any, BinaryIO, TextIO

import typer
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

from mnemic.api.cli.app import app
from mnemic.api.cli.call import Call, command, console
from mnemic.api.cli.errors import BAD_INPUT
from mnemic.api.cli.render import receipt
from mnemic.api.filenames import require_file
from mnemic.api.importing import BadLine, Row, read_lines, read_log
from mnemic.api.intake import Total, take_in
from mnemic.engine.message import VISIBILITIES
from mnemic.errors import InvalidInput, UnknownName
from mnemic.graph.model import TEAM

feedback = typer.Typer(help="What you settled yourself about what replaces what.")
app.add_typer(feedback, name="feedback", no_args_is_help=True)

_STDIN = "-"
Advance = Callable[[int], None]


@command(
    app,
    "import",
    "mnemic import team.jsonl --visibility team",
    "mnemic import march.txt april.txt --offset +08:00 --strict",
    "zcat chat.jsonl.gz | mnemic import - --session archive",
)
def import_logs(
    call: Call,
    files: Annotated[list[str], typer.Argument(help="JSONL of messages, or chat logs; - is standard input.")],
    *,
    visibility: Annotated[str, typer.Option(help="private, or team for all users.")] = "private",
    offset: Annotated[
        str | None,
        typer.Option(help="UTC offset of times that have none, e.g. +08:00; default: this machine's."),
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Import nothing if any line is bad.")] = False,
) -> None:
    """Import conversations: JSONL of messages, or lines such as `2026-03-02 10:00 Name: text`.

    Bad lines are reported by number and left out, and the exit code is 2 then. The same file can be
    imported again, also after it has grown: nothing is doubled.
    """
    if visibility not in VISIBILITIES:
        raise UnknownName("visibility", visibility, VISIBILITIES)
    sizes = [_size(file) for file in files]
    if strict and None in sizes:
        raise InvalidInput("strict", "what is no file can be read only once", "save it to a file first")
    zone = _offset(offset) if offset is not None else None
    owner = TEAM if visibility == "team" else call.environment.user

    def logs(advance: Advance) -> Iterator[Row | BadLine]:
        for file in files:
            with _opened(file) as stream:
                yield from read_log(
                    read_lines(stream, advance),
                    owner=owner,
                    source="stdin" if file == _STDIN else file,
                    default_offset=zone,
                    session=call.environment.session,
                )

    total = Total(lambda bad: _report(call, bad))
    if strict:
        deque(total.readable(logs(lambda count: None)), maxlen=0)
    if not total.imported().bad:
        with call.memory() as memory, _progress(call, sizes) as advance:
            for done in take_in(memory, total.readable(logs(advance)), visibility=visibility):
                total.add(done)
    imported = total.imported()
    call.show(imported, lambda: receipt.imported(imported))
    if imported.bad:
        raise typer.Exit(BAD_INPUT)


@command(
    app, "export", "mnemic export > memories.jsonl", "mnemic export memories.jsonl", "mnemic export --json"
)
def export(
    call: Call,
    file: Annotated[str, typer.Argument(help="Where to write; - is standard output.")] = _STDIN,
) -> None:
    """Export everything you may read as JSONL: names, entities, turns, memories, replacements.

    With --json standard output gets one JSON array instead.
    """
    with call.existing() as memory:
        if file == _STDIN:
            _write(sys.stdout, memory.export(), as_array=call.as_json)
            return
        with _created(file) as stream:
            rows = _write(stream, memory.export(), as_array=False)
    call.show({"file": file, "rows": rows}, lambda: receipt.exported(file, rows))


@command(
    feedback,
    "export",
    "mnemic feedback export > taught.jsonl",
    "mnemic feedback export taught.jsonl --json",
)
def export_taught(
    call: Call,
    file: Annotated[str, typer.Argument(help="Where to write; - is standard output.")] = _STDIN,
) -> None:
    """Export the pairs that you settled, by `unreplace` or `--replaces`, as examples for fitting; without words.

    With --json standard output gets one JSON array instead.
    """
    with call.existing() as memory:
        if file == _STDIN:
            _write(sys.stdout, memory.taught(), as_array=call.as_json)
            return
        with _created(file) as stream:
            rows = _write(stream, memory.taught(), as_array=False)
    call.show({"file": file, "rows": rows}, lambda: receipt.exported(file, rows))


def _write(stream: TextIO, rows: Iterable[dict[str, Any]], *, as_array: bool) -> int:
    """Write rows one a line, as they are or as one array; returns how many."""
    count = 0
    for count, row in enumerate(rows, 1):
        line = json.dumps(row, ensure_ascii=False)
        stream.write((("[" if count == 1 else ",\n") + line) if as_array else line + "\n")
    if as_array:
        stream.write("]\n" if count else "[]\n")
    return count


def _report(call: Call, bad: BadLine) -> None:
    if not call.as_json:
        console(stderr=True).print(receipt.bad_line(bad), soft_wrap=True)


@contextmanager
def _progress(call: Call, sizes: Sequence[int | None]) -> Iterator[Advance]:
    """Show a bar by bytes on a terminal, and yield what moves it on."""
    columns = (TextColumn("reading"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    quiet = call.as_json or not sys.stderr.isatty()
    known = [size for size in sizes if size is not None]
    total = sum(known) if len(known) == len(sizes) else None
    with Progress(*columns, console=console(stderr=True), disable=quiet, transient=True) as bar:
        task = bar.add_task("reading", total=total)
        yield lambda count: bar.advance(task, count)


def _size(file: str) -> int | None:
    """Return the bytes of a file, None for a pipe; raises ``InvalidInput`` where there is nothing to read."""
    if file == _STDIN:
        return None
    with _reading(file):
        status = require_file(file).stat()
    return status.st_size if S_ISREG(status.st_mode) else None


@contextmanager
def _opened(file: str) -> Iterator[BinaryIO]:
    if file == _STDIN:
        yield sys.stdin.buffer
        return
    with _reading(file), open(file, "rb") as stream:
        yield stream


@contextmanager
def _created(file: str) -> Iterator[TextIO]:
    try:
        with require_file(file).open("w", encoding="utf-8") as stream:
            yield stream
    except OSError as error:
        raise InvalidInput(
            "file", f"{file} cannot be written ({error.strerror})", "check the path"
        ) from error


@contextmanager
def _reading(file: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise InvalidInput("file", f"{file} cannot be read ({error.strerror})", "check the path") from error


def _offset(written: str) -> tzinfo:
    """Return the zone of an offset such as ``+08:00``."""
    try:
        zone = datetime.fromisoformat(f"2026-01-01T00:00{written}").tzinfo
    except ValueError:
        zone = None
    if zone is None:
        raise InvalidInput("offset", f"{written!r} is no UTC offset", "write +08:00, -05:30 or Z")
    return zone
