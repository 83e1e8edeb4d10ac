import json
from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import Result

from mnemic import About, Explored, Forgotten, Found, History, Receipt
from mnemic import Path as Way
from mnemic.api.cli import app

Run = Callable[..., Result]

MOVED = "We moved the payment service from MySQL to PostgreSQL."
COMMANDS = {
    *("remember", "forget", "recall", "why", "about", "explore", "path", "history", "tasks", "import", "export"),
    *("copy", "backup", "restore", "unreplace", "feedback export", "serve", "worker", "mcp", "erase"),
    *("keys create", "keys list", "keys rotate", "keys revoke", "audit verify", "audit show"),
    *(
        "dictionary add",
        "dictionary list",
        "dictionary remove",
        "dictionary import",
        "dictionary reread",
        "dictionary review",
        "doctor",
        "demo",
        "reembed",
    ),
}


def commands(group: typer.Typer, before: str = "") -> Iterator[str]:
    yield from (f"{before}{command.name}" for command in group.registered_commands)
    for inner in group.registered_groups:
        assert inner.typer_instance is not None
        yield from commands(inner.typer_instance, f"{before}{inner.name} ")


def document(done: Result) -> Any:
    return json.loads(done.stdout)


def refusal(done: Result) -> Any:
    assert done.exit_code != 0
    assert not done.stdout
    return json.loads(done.stderr)["error"]


@pytest.fixture
def told(run: Run) -> Run:
    """A command line whose store was told something."""
    assert run("dictionary", "add", "payment service", "project", "--alias", "支付服务").exit_code == 0
    assert run("remember", MOVED, "--at", "2026-03-02T10:00+08:00").exit_code == 0
    return run


def test_proposals_are_reviewed_in_bulk(told: Run) -> None:
    for number, text in enumerate(("We asked Quillon.", "Tea with Quillon.", "Then Quillon said no.")):
        for who in (text, text.replace("Quillon", "Brambly")):
            assert told("remember", who, "--session", f"s{number}").exit_code == 0
    (one, other) = document(told("dictionary", "review", "--json"))
    assert (one["name"], one["turns"], one["sessions"], other["name"]) == ("Brambly", 3, 3, "Quillon")
    assert "Brambly" in told("dictionary", "review").stdout
    done = document(
        told("dictionary", "review", "--accept", "Quillon:service", "--reject", "Brambly", "--json")
    )
    assert done == {"accepted": [{"name": "Quillon", "kind": "service"}], "rejected": ["Brambly"]}
    assert document(told("dictionary", "review", "--json")) == []
    assert document(told("dictionary", "review", "--accept-all", "--from", "3", "--json"))["accepted"] == []
    assert document(told("dictionary", "reread", "Quillon", "--json"))["found"] == 3


def test_the_commands_are_those_that_are_promised() -> None:
    assert set(commands(app)) == COMMANDS


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_every_command_explains_itself_with_an_example_and_has_json(run: Run, command: str) -> None:
    shown = run(*command.split(), "--help")
    assert shown.exit_code == 0
    assert "--json" in shown.stdout
    assert f"mnemic {command}" in shown.stdout.partition("Examples:")[2]


def test_what_was_remembered_is_recalled(told: Run) -> None:
    shown = told("recall", "What does the payment service run on?")
    assert shown.exit_code == 0
    assert "PostgreSQL" in shown.stdout


def test_why_shows_scores_ways_and_turns(told: Run) -> None:
    plain = told("recall", "What does the payment service run on?").stdout
    why = told("recall", "What does the payment service run on?", "--why").stdout
    assert "scores" not in plain
    assert "scores" in why


def test_text_is_read_from_standard_input(run: Run) -> None:
    receipt = Receipt.model_validate_json(run("remember", "-", "--json", stdin=MOVED).stdout)
    assert receipt.stored[0].text.startswith("We moved")


def test_documents_are_the_results_of_the_front_door(told: Run) -> None:
    Found.model_validate_json(told("recall", "payment service", "--json").stdout)
    About.model_validate_json(told("about", "支付服务", "--json").stdout)
    Explored.model_validate_json(told("explore", "payment service", "--json").stdout)
    Way.model_validate_json(told("path", "payment service", "PostgreSQL", "--json").stdout)
    History.model_validate_json(told("history", "payment service", "--json").stdout)
    Receipt.model_validate_json(told("remember", "I prefer tea.", "--json").stdout)
    Forgotten.model_validate_json(told("forget", "I prefer tea", "--yes", "--json").stdout)
    assert document(told("tasks", "--json")) == []


def test_a_path_is_drawn_in_arrows_and_the_surroundings_as_a_tree(told: Run) -> None:
    assert "→ PostgreSQL" in told("path", "payment service", "PostgreSQL").stdout
    assert "── ─" in told("explore", "payment service").stdout


def test_chinese_is_not_escaped_in_documents(told: Run) -> None:
    assert "支付服务归陈博" in told("remember", "支付服务归陈博", "--json").stdout


@pytest.mark.parametrize(
    ("args", "code", "kind"),
    [
        (("about", "nobody"), 3, "NotFound"),
        (("remember", " "), 2, "InvalidInput"),
        (("remember", "x", "--kind", "poem"), 2, "UnknownName"),
        (("remember", "x", "--at", "yesterday"), 2, "InvalidInput"),
        (("recall", "x", "--since", "2026-13-01"), 2, "InvalidInput"),
        (("recall", "x", "--limit", "0"), 2, "InvalidInput"),
        (("recall", "x", "--user", " "), 2, "MissingScope"),
        (("recall", "x", "--embedder", "word2vec"), 2, "UnknownName"),
        (("recall", "x", "--path", "nowhere/memory.db"), 2, "InvalidInput"),
        (("recall", "x", "--path", "noise.db"), 4, "StoreCorrupt"),
        (("dictionary", "remove", "nobody"), 3, "NotFound"),
        (("dictionary", "review", "--accept", "nobody"), 3, "NotFound"),
        (("dictionary", "import", "missing.yaml"), 2, "InvalidInput"),
        (("import", "missing.jsonl"), 2, "InvalidInput"),
        (("import", "."), 2, "InvalidInput"),
        (("import", "-", "--strict"), 2, "InvalidInput"),
        (("import", "-", "--offset", "8"), 2, "InvalidInput"),
        (("import", "-", "--visibility", "all"), 2, "UnknownName"),
        (("export", "missing/folder/out.jsonl"), 2, "InvalidInput"),
        *(
            ((name, file), 2, "InvalidInput")
            for name in ("import", "export", "backup", "restore")
            for file in ("", "a\x00b", "\ud800", "..", "/", "x" * 300)
        ),
    ],
)
def test_errors_are_one_line_or_one_document_and_a_code(
    told: Run, tmp_path: Path, args: tuple[str, ...], code: int, kind: str
) -> None:
    (tmp_path / "noise.db").write_bytes(b"no store at all, but longer than a header" * 100)
    shown = told(*args)
    assert shown.exit_code == code, shown.output
    assert shown.stderr.startswith("error: ")
    assert shown.stderr.count("\n") == 1
    assert "Traceback" not in shown.output
    machine = told(*args, "--json")
    assert machine.exit_code == code
    assert refusal(machine)["type"] == kind


def test_an_error_document_names_field_and_fix_or_what_is_near(told: Run) -> None:
    error = refusal(told("remember", " ", "--json"))
    assert (error["field"], error["fix"]) == ("content", "say something")
    assert refusal(told("about", "payment servise", "--json"))["nearest"] == ["payment service"]


@pytest.mark.parametrize(
    ("args", "field"),
    [
        (("recall", "x", "--limit", "many"), "limit"),
        (("recall",), "query"),
        (("recall", "x", "--colour"), "colour"),
        (("import",), "files"),
        (("recal", "x"), "command"),
        (("dictionary", "recal"), "command"),
    ],
)
def test_a_usage_error_has_the_shape_of_all_errors(run: Run, args: tuple[str, ...], field: str) -> None:
    machine = run(*args, "--json")
    assert machine.exit_code == run(*args).exit_code == 2
    error = refusal(machine)
    assert (error["type"], error["field"]) == ("UsageError", field)
    assert error["problem"]
    assert "--help" in error["fix"]


READING = [
    ("recall", "x"),
    ("about", "x"),
    ("explore", "x"),
    ("path", "x", "y"),
    ("history", "x"),
    ("tasks",),
    ("export",),
    ("forget", "x", "--yes"),
    ("dictionary", "list"),
    ("dictionary", "remove", "x"),
    ("dictionary", "review"),
    ("dictionary", "reread"),
    ("reembed", "--embedder", "e5-small-q4"),
    ("backup", "x.gz"),
]


@pytest.mark.parametrize("args", READING, ids=" ".join)
@pytest.mark.parametrize("place", ["other.db", "folder/", "."])
def test_what_only_reads_makes_no_store(run: Run, tmp_path: Path, args: tuple[str, ...], place: str) -> None:
    (tmp_path / "folder").mkdir()
    error = refusal(run(*args, "--path", place, "--json"))
    assert error["field"] == "path"
    assert place in error["problem"]
    assert "--path" in error["fix"]
    assert [each.name for each in tmp_path.rglob("*")] == ["folder"]


def test_the_store_of_another_tenant_is_none_to_read(run: Run, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    assert run("remember", MOVED, "--path", "folder", "--tenant", "acme").exit_code == 0
    assert refusal(run("tasks", "--path", "folder", "--tenant", "acmee", "--json"))["field"] == "path"
    assert run("tasks", "--path", "folder", "--tenant", "acme").exit_code == 0


def test_it_says_its_version(run: Run) -> None:
    assert run("--version").stdout == f"mnemic {version('mnemic')}\n"


def test_a_date_alone_is_midnight_here(told: Run) -> None:
    ask = ("recall", "payment service", "--depth", "warm", "--json", "--valid-as-of")
    assert document(told(*ask, "2026-03-04"))["items"]
    assert not document(told(*ask, "2026-03-01"))["items"]


def test_options_win_over_the_environment(told: Run) -> None:
    assert document(told("recall", "payment service", "--json"))["items"]
    assert not document(told("recall", "payment service", "--user", "tom", "--json"))["items"]
    assert told("remember", "I prefer tea.", "--path", "other.db").exit_code == 0
    assert not document(told("recall", "payment service", "--path", "other.db", "--json"))["items"]


def test_a_key_encrypts_the_file(run: Run, tmp_path: Path) -> None:
    assert run("remember", MOVED, "--key", "sesame").exit_code == 0
    assert b"payment" not in (tmp_path / "memory.db").read_bytes()
    assert document(run("recall", "payment service", "--key", "sesame", "--json"))["items"]
    assert run("recall", "payment service").exit_code == 4


def test_forgetting_shows_what_would_go_and_asks(told: Run) -> None:
    refused = told("forget", "payment service moved to PostgreSQL", stdin="n\n")
    assert refused.exit_code == 1
    assert MOVED in refused.output
    assert document(told("recall", "payment service", "--json"))["items"]
    agreed = told("forget", "payment service moved to PostgreSQL", stdin="y\n")
    assert agreed.exit_code == 0
    assert "gone for good" in agreed.stdout
    assert not document(told("recall", "payment service", "--json"))["items"]


def test_a_machine_is_not_asked_but_must_say_yes(told: Run) -> None:
    shown = told("forget", "payment service moved to PostgreSQL", "--json")
    assert shown.exit_code == 2
    assert refusal(shown)["field"] == "yes"


def test_names_are_added_listed_imported_and_removed(run: Run, tmp_path: Path) -> None:
    (tmp_path / "names.yaml").write_text("- name: 陈博\n  kind: person\n  aliases: [老陈]\n", "utf-8")
    assert run("dictionary", "add", "Pigeon", "project", "--alias", "信鸽").exit_code == 0
    assert run("dictionary", "import", "names.yaml").exit_code == 0
    assert document(run("dictionary", "list", "--json")) == [
        {"name": "Pigeon", "kind": "project", "aliases": ["信鸽"], "owner": ""},
        {"name": "陈博", "kind": "person", "aliases": ["老陈"], "owner": ""},
    ]
    assert "老陈" in run("dictionary", "list").stdout
    assert run("dictionary", "remove", "Pigeon").exit_code == 0
    assert [name["name"] for name in document(run("dictionary", "list", "--json"))] == ["陈博"]


def test_words_that_would_command_a_terminal_are_made_harmless(run: Run) -> None:
    run("remember", "I prefer \x1b[2Jtea\x07 with [bold]milk[/bold] :tea:.")
    shown = run("recall", "tea").stdout
    assert "\x1b" not in shown
    assert "\x07" not in shown
    assert "[bold]milk[/bold] :tea:" in shown


def test_the_doctor_finds_everything_well_and_makes_no_store(run: Run, tmp_path: Path) -> None:
    shown = run("doctor")
    assert shown.exit_code == 0, shown.output
    assert "none yet" in shown.stdout
    assert not list(tmp_path.iterdir())


def test_the_doctor_counts_what_is_stored(told: Run) -> None:
    health = document(told("doctor", "--json"))
    assert health["well"]
    [store] = [check for check in health["checks"] if check["name"] == "store"]
    assert "1 turns" in store["detail"]
    assert "not encrypted" in store["detail"]


def test_the_doctor_finds_a_broken_store(run: Run, tmp_path: Path) -> None:
    (tmp_path / "memory.db").write_bytes(b"no store at all, but longer than a header" * 100)
    shown = run("doctor", "--json")
    assert shown.exit_code == 1
    assert [check["name"] for check in document(shown)["checks"] if check["status"] == "bad"] == ["store"]


def test_what_was_wrongly_replaced_is_back_and_is_told_as_an_example(run: Run) -> None:
    run("remember", "I live in Berlin.")
    newer = (
        Receipt.model_validate_json(run("remember", "I live in Paris.", "--json").stdout).replaced[0].newer
    )
    shown = run("unreplace", newer)
    assert shown.exit_code == 0
    assert "holds again I live in Berlin." in shown.stdout
    assert "beside" in shown.stdout
    assert refusal(run("unreplace", newer, "--json"))["field"] == "newer"
    taught = run("feedback", "export").stdout.splitlines()
    assert [json.loads(line)["overrules"] for line in taught] == [False]
    assert run("feedback", "export", "taught.jsonl").exit_code == 0
