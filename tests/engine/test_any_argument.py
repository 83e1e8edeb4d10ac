"""Every argument of every door, of every wrong type: an error of ours that names it, and nothing is written."""

import inspect
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from mnemic import InvalidInput, ManualClock, MissingScope, Mnemic, MnemicError, Settings, UnknownName
from tests.engine.told import START, unchanged

GOOD: dict[str, Any] = {
    "message": "Ben lives in Berlin.",
    "pointers": "Ben lives in Berlin",
    "newer": "Ben lives in Berlin",
    "item": "Ben lives in Berlin.",
    "query": "Where does Ben live?",
    "id": "no such id",
    "name": "Ben",
    "names": "Ben",
    "kinds": {"Zephyr": "service"},
    "source": "Ben",
    "target": "Berlin",
    "text": "Ben lives in Berlin.",
    "dictionary": [{"name": "Falkon", "kind": "service"}],
    "where": ":memory:",
    "user": "ada",
}
"""What stands for the arguments that must be there while another one is wrong."""

ODD: list[Any] = [
    *(None, 5, 1.5, True, " ", "no such thing", b"Ben", "\ud800", "a\x00", [], [object()], ["\ud800"]),
    *({"name": "Ben", "kind": "person"}, {"Ben"}, int),
]

DOORS = sorted(
    name
    for name, method in inspect.getmembers(Mnemic, inspect.isfunction)
    if name == "__init__" or not name.startswith("_")
)


def arguments() -> Iterator[tuple[str, str]]:
    for door in DOORS:
        for name in list(inspect.signature(getattr(Mnemic, door)).parameters)[1:]:
            yield door, name


def call(memory: Mnemic, door: str, chosen: dict[str, Any]) -> Any:
    """Call a door with what must be there, and with what is chosen."""
    act: Callable[..., Any] = Mnemic if door == "__init__" else getattr(memory, door)
    several = []
    given = {"embedder": "none", "clock": ManualClock(START)} if door == "__init__" else {}
    for name, parameter in inspect.signature(act).parameters.items():
        if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
            several.append(chosen.get(name, GOOD[name]))
        elif name in chosen or parameter.default is parameter.empty:
            given[name] = chosen.get(name, GOOD.get(name))
    return act(*several, **given)


@pytest.mark.parametrize(("door", "name"), list(arguments()))
def test_an_odd_argument_is_taken_or_refused_by_an_error_of_ours(
    memory: Mnemic, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, door: str, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    for value in ODD:
        try:
            call(memory, door, {name: value})
        except MnemicError:
            with unchanged(memory), pytest.raises(MnemicError):
                call(memory, door, {name: value})


@pytest.mark.parametrize(("door", "name"), list(arguments()))
def test_what_no_door_can_mean_is_refused_by_name(memory: Mnemic, door: str, name: str) -> None:
    with unchanged(memory), pytest.raises(InvalidInput) as caught:
        call(memory, door, {name: object()})
    assert caught.value.field.startswith((name, "content", "pointer"))
    assert caught.value.fix


def test_an_option_that_there_is_not_is_answered_with_what_is_near(memory: Mnemic) -> None:
    wrong: list[tuple[Any, str, str]] = [
        (lambda **given: memory.recall("x", **given), "limt", "limit"),
        (lambda **given: Mnemic(":memory:", user="ada", **given), "tennant", "tenant"),
        (lambda **given: Settings(**given), "keep_form", "keep_from"),
    ]
    for act, option, meant in wrong:
        with pytest.raises(UnknownName, match=f"did you mean '{meant}'"):
            act(**{option: 1})


def test_what_is_missing_is_named() -> None:
    opened: Any = Mnemic
    with pytest.raises(MissingScope, match=r"^user"):
        opened(":memory:")
    with pytest.raises(InvalidInput, match=r"^where"):
        opened(user="ada")


@pytest.mark.parametrize("where", [None, 5, b"memory.db", ["memory.db"], True])
def test_a_place_that_is_no_path_makes_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InvalidInput, match=r"^where"):
        Mnemic(where, user="ada", embedder="none")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("dictionary", [5, None, b"Ben", {"name": "Ben", "kind": "person"}, {"Ben"}, [], ()])
def test_what_is_no_dictionary_is_refused(memory: Mnemic, dictionary: Any) -> None:
    with unchanged(memory), pytest.raises(InvalidInput, match=r"^dictionary"):
        memory.learn(dictionary)


def test_a_key_for_a_store_that_is_no_file_is_refused() -> None:
    with pytest.raises(InvalidInput, match=r"^key"):
        Mnemic(":memory:", user="ada", embedder="none", key="sesame")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        *(("keep_from", value) for value in ("high", None, True, 1.5, float("nan"))),
        *((field, value) for field in ("hops", "seeds", "max_text") for value in (-1, 1.5, "2", True, None)),
        ("seeds", 0),
        ("candidates", 0),
    ],
)
def test_a_setting_that_cannot_be_used_is_refused_by_name(field: str, value: Any) -> None:
    with pytest.raises(InvalidInput) as caught:
        Settings(**{field: value})
    assert caught.value.field == field
