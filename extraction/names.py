"""Where names come from: the dictionaries that ship, and a user's own file."""

import csv
import io
import json
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import yaml

from mnemic.errors import InvalidInput, UnknownName
from mnemic.extraction.lexicon import Entry, Lexicon
from mnemic.extraction.model import Source
from mnemic.extraction.text import fold

FIELDS = ("name", "kind", "aliases")

_PARTED = re.compile("[|;；、]")
"""What parts the aliases in a cell."""

Row = tuple[str, Any]
"""Where a row stands in its file ("line 3", "entry 2"), and what stands there."""


@cache
def shipped() -> tuple[Entry, ...]:
    """Return the entries of all dictionaries that ship, by file and line; read once per process."""
    folder = files("mnemic.dictionaries")
    names = sorted(each.name for each in folder.iterdir() if each.name.endswith(".jsonl"))
    return tuple(entry for name in names for entry in _shipped_file(name))


@cache
def technical_kinds() -> frozenset[str]:
    """Return the kinds that the shipped technology dictionary uses: ``database``, ``language`` and so on."""
    return frozenset(entry.kind for entry in _shipped_file("technologies.jsonl"))


@cache
def known_technologies() -> Mapping[str, str]:
    """Return the kind of every technology that ships, by each folded form of its name."""
    entries = _shipped_file("technologies.jsonl")
    forms = ((fold(form), entry.kind) for entry in entries for form in (*entry.aliases, entry.name))
    return dict(forms)


@cache
def _shipped_file(name: str) -> tuple[Entry, ...]:
    """Return the entries of one shipped dictionary; its first line is a header."""
    lines = files("mnemic.dictionaries").joinpath(name).read_text("utf-8").splitlines()[1:]
    return tuple(_shipped_entry(json.loads(line)) for line in lines)


@cache
def shipped_lexicon() -> Lexicon:
    """Return the matcher of the shipped names, to be the ``base`` of a tenant's own."""
    return Lexicon(shipped(), source=Source.SHIPPED)


def load_names(path: str | Path) -> list[Entry]:
    """Read a user's own names from a ``.yaml``, ``.yml``, ``.json`` or ``.csv`` file (UTF-8).

    YAML and JSON hold a list of ``{name, kind, aliases}``; CSV has these columns, with aliases parted by
    ``|``, ``;`` or ``、``. ``aliases`` may be missing. Raises ``InvalidInput`` that names the file, the line or entry, the
    field and the fix; nothing is skipped.
    """
    source = Path(path)
    reader = _READERS.get(source.suffix.lower())
    if reader is None:
        raise InvalidInput(
            str(source), f"has the unknown ending {source.suffix!r}", "use .yaml, .json or .csv"
        )
    entries: dict[tuple[str, str], Entry] = {}
    for place, row in reader(_read(source), str(source)):
        entry = _own_entry(row, f"{source}, {place}")
        key = (fold(entry.name), fold(entry.kind))
        if key in entries:
            raise InvalidInput(
                f"{source}, {place}, name",
                f"{entry.name!r} is there already as {entry.kind}",
                "put all its aliases into one entry",
            )
        entries[key] = entry
    return list(entries.values())


def _read(path: Path) -> str:
    """Return the text of a file, without a byte order mark."""
    try:
        return path.read_text("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidInput(
            str(path), f"is not UTF-8 (byte {error.start})", "save it as UTF-8, in Excel as 'CSV UTF-8'"
        ) from error
    except OSError as error:
        raise InvalidInput(str(path), f"cannot be read ({error.strerror})", "check the path") from error


def _yaml_rows(text: str, source: str) -> Iterator[Row]:
    try:
        loader = yaml.SafeLoader(text)
        root = loader.get_single_node()
        nodes = root.value if isinstance(root, yaml.SequenceNode) else None
        rows = [(node.start_mark.line + 1, loader.construct_object(node, deep=True)) for node in nodes or ()]
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = f"{source}, line {mark.line + 1}" if mark else source
        problem = getattr(error, "problem", None) or str(error)
        raise InvalidInput(place, problem, "correct the YAML there") from error
    except RecursionError as error:
        raise InvalidInput(source, "is nested too deeply", "write a flat list") from error
    if nodes is None:
        raise InvalidInput(source, "is not a list", "start each entry with '- name: …'")
    yield from ((f"line {line}", row) for line, row in rows)


def _json_rows(text: str, source: str) -> Iterator[Row]:
    try:
        rows = json.loads(text)
    except json.JSONDecodeError as error:
        raise InvalidInput(f"{source}, line {error.lineno}", error.msg, "correct the JSON there") from error
    except (ValueError, RecursionError) as error:  # a number or a nesting beyond all bounds
        raise InvalidInput(source, f"is no JSON ({error})", "write a flat list") from error
    if not isinstance(rows, list):
        raise InvalidInput(source, "is not a list", 'write [{"name": …, "kind": …}, …]')
    yield from ((f"entry {number}", row) for number, row in enumerate(rows, 1))


def _csv_rows(text: str, source: str) -> Iterator[Row]:
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        header = [cell.strip().lower() for cell in next(reader, [])]
        for cells in reader:
            if not any(cells):
                continue
            place = f"line {reader.line_num}"
            if len(cells) > len(header):
                raise InvalidInput(
                    f"{source}, {place}",
                    f"has {len(cells)} cells under {len(header)} columns",
                    'part aliases by | or ;, and put text with a comma into "quotes"',
                )
            row: dict[str, Any] = dict(zip(header, cells, strict=False))
            aliases = _PARTED.split(row.get("aliases", ""))
            yield place, {**row, "aliases": [alias.strip() for alias in aliases if alias.strip()]}
    except csv.Error as error:
        raise InvalidInput(
            f"{source}, line {reader.line_num}", str(error), "correct the quotes there"
        ) from error


_READERS: Mapping[str, Callable[[str, str], Iterator[Row]]] = {
    ".yaml": _yaml_rows,
    ".yml": _yaml_rows,
    ".json": _json_rows,
    ".csv": _csv_rows,
}


def _own_entry(row: Any, place: str) -> Entry:
    """Check a user's row and return its entry; ``place`` is the file and the line or entry."""
    if not isinstance(row, dict):
        raise InvalidInput(place, f"is {row!r}", "write an entry with the fields name, kind and aliases")
    for key in row:
        if key not in FIELDS:
            raise UnknownName(place, str(key), FIELDS)
    aliases = [] if row.get("aliases") is None else row["aliases"]
    if not isinstance(aliases, list):
        raise InvalidInput(f"{place}, aliases", f"is {aliases!r}", "write a list, even of one alias")
    return Entry(
        name=_words(row.get("name"), f"{place}, name"),
        kind=_words(row.get("kind"), f"{place}, kind"),
        aliases=tuple(_words(alias, f"{place}, aliases") for alias in aliases),
    )


def _words(value: Any, place: str) -> str:
    """Return ``value`` without outer blanks, or say what is wrong with it."""
    if value is None:
        raise InvalidInput(place, "is missing", "write a word there")
    if not isinstance(value, str):
        raise InvalidInput(place, f"is {value!r}, not text", "put it into quotes")
    if not fold(value):
        raise InvalidInput(place, "is blank", "write a word there")
    return value.strip()


def _shipped_entry(row: Mapping[str, Any]) -> Entry:
    return Entry(
        name=row["name"],
        kind=row["kind"],
        aliases=tuple(row.get("aliases", ())),
        ambiguous=tuple(row.get("ambiguous", ())),
    )
