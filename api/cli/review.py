"""The command ``dictionary review``: what may be a name, taken in or turned down."""

import sys
from collections.abc import Mapping, Sequence
from typing import Annotated

import typer
from rich.prompt import Prompt

from mnemic.api.cli.call import Call, command, console
from mnemic.api.cli.dictionary import names
from mnemic.api.cli.render import names as render
from mnemic.api.cli.upkeep import shown
from mnemic.api.facade import Mnemic
from mnemic.engine.results import Proposal
from mnemic.engine.touched import Progress
from mnemic.errors import NotFound

_MOST = 1_000


@command(
    names,
    "review",
    "mnemic dictionary review",
    "mnemic dictionary review --json",
    "mnemic dictionary review --accept Zephyr:service --accept Nadia --reject Sprint",
    "mnemic dictionary review --accept-all --from 10",
)
def review(
    call: Call,
    *,
    accept: Annotated[
        list[str] | None,
        typer.Option(help="Take a name in: NAME, or NAME:KIND for another kind than guessed."),
    ] = None,
    reject: Annotated[list[str] | None, typer.Option(help="Propose a word no more.")] = None,
    accept_all: Annotated[bool, typer.Option("--accept-all", help="Take in all that is proposed.")] = False,
    least: Annotated[
        int, typer.Option("--from", min=1, help="Only what stands in so many turns or more.")
    ] = 1,
    limit: Annotated[int, typer.Option(min=1, help="Show so many.")] = 20,
) -> None:
    """Show words that keep appearing where names stand, and take them in or turn them down.

    On a terminal, without options, each is asked about. What is taken in becomes your own name, and the history
    is read again with it.
    """
    with call.existing() as memory, shown(call.as_json) as show:
        given = dict(_named(each) for each in accept or ())
        whole = accept_all or any(not kind for kind in given.values()) or not (given or reject)
        proposed = [
            each
            for each in (memory.proposals(limit=_MOST, progress=show) if whole else ())
            if each.turns >= least
        ]
        if accept_all:
            given |= {each.name: each.kind for each in proposed if each.name not in (reject or ())}
        if given or reject or accept_all:
            _decide(call, memory, _with_kinds(given, proposed), reject or [], show)
            return
    if call.as_json or not proposed or not sys.stdin.isatty():
        call.show(proposed[:limit], lambda: render.proposed(proposed[:limit]))
        return
    kinds, refused = _asked(proposed[:limit])
    with call.existing() as memory, shown(call.as_json) as show:
        _decide(call, memory, kinds, refused, show)


def _named(word: str) -> tuple[str, str]:
    """Return name and kind of ``NAME:KIND``; the kind is empty where none is named."""
    name, _, kind = word.rpartition(":")
    return (name, kind) if name and kind else (word, "")


def _with_kinds(given: Mapping[str, str], proposed: Sequence[Proposal]) -> dict[str, str]:
    guessed = {each.name: each.kind for each in proposed}
    for name, kind in given.items():
        if not kind and name not in guessed:
            raise NotFound("proposal", name, list(guessed)[:3])
    return {name: kind or guessed[name] for name, kind in given.items()}


def _decide(
    call: Call, memory: Mnemic, kinds: Mapping[str, str], refused: Sequence[str], show: Progress
) -> None:
    taken = memory.accept(kinds, progress=show) if kinds else ()
    gone = memory.reject(*refused) if refused else ()
    told = {"accepted": [{"name": each.name, "kind": each.kind} for each in taken], "rejected": list(gone)}
    call.show(told, lambda: render.decided(taken, gone))


def _asked(proposed: Sequence[Proposal]) -> tuple[dict[str, str], list[str]]:
    """Ask about each proposal; what is skipped is asked another time."""
    screen, kinds, refused = console(), dict[str, str](), list[str]()
    for each in proposed:
        screen.print(render.proposed([each]))
        answer = Prompt.ask(
            f"{each.name}: a {each.kind}? y(es), n(o), s(kip), q(uit), or another kind",
            default="s",
            console=screen,
        ).strip()
        if answer == "q":
            break
        if answer == "n":
            refused.append(each.name)
        elif answer == "y":
            kinds[each.name] = each.kind
        elif answer not in ("s", ""):
            kinds[each.name] = answer
    return kinds, refused
