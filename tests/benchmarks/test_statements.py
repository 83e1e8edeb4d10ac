import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from benchmarks import statements
from benchmarks.fake import FakeMemory
from benchmarks.harness import Place
from benchmarks.labels import Read, Row, Score
from benchmarks.statements import read, run
from mnemic.engine.results import Receipt, Stored
from mnemic.extraction.model import Analysis, Mention, Modality, Source, Statement, Unit, Value
from mnemic.graph.clock import ManualClock

TEXT = "moved from MySQL to PG last friday"


def row(**changes: object) -> Row:
    fields: dict[str, object] = {
        "id": "en-1",
        "language": "en",
        "speaker": "Ann",
        "at": "2026-03-02T10:00:00+08:00",
        "dictionary": [{"name": "Checkout", "kind": "project", "aliases": []}],
        "context": [{"speaker": "Bob", "text": "how is it"}, {"speaker": "Assistant", "text": "tell me"}],
        "text": TEXT,
        "keep": True,
        "statements": [
            {
                "subject": "Checkout",
                "predicate": "uses",
                "object": "PostgreSQL",
                "modality": "asserted",
                "replaces": "MySQL",
                "time": "2026-02-27",
            }
        ],
        "mentions": ["MySQL", "PG"],
    }
    return Row.model_validate(fields | changes)


def mention(text: str, name: str, source: Source = Source.SHIPPED) -> Mention:
    return Mention(start=0, end=1, text=text, name=name, kind="database", source=source)


def understood(**changes: object) -> Analysis:
    statement = Statement(
        subject=mention("it", "Checkout", Source.PHRASE),
        predicate="uses",
        value="PostgreSQL",
        modality=Modality.ASSERTED,
        replaces="mysql",
        since=datetime(2026, 2, 26, 16, tzinfo=UTC),
    )
    unsaid = Statement(subject=mention("I", "Ann", Source.SPEAKER), predicate="", value="moved")
    unit = Unit(
        start=0,
        end=1,
        text=TEXT,
        mentions=(
            mention("mysql", "MySQL"),
            mention("PG", "PostgreSQL"),
            mention("I", "Ann", Source.SPEAKER),
            mention("it", "it", Source.PHRASE),
        ),
        statements=(statement, statement, unsaid),
    )
    return Analysis(text=TEXT, units=(unit,))


def stored() -> Receipt:
    memory = Stored(
        id="m",
        kind="fact",
        text=TEXT,
        said=None,
        state="quarantined",
        importance=1,
        features={},
        turns=("T",),
    )
    return Receipt(turns=("T",), stored=(memory,))


def knowing() -> FakeMemory:
    return FakeMemory(receipts={TEXT: stored()}, analyses={TEXT: understood()})


def read_by(memory: FakeMemory, **changes: object) -> Read:
    return read(row(**changes), memory, ManualClock(datetime(2020, 1, 1, tzinfo=UTC)))


def test_the_context_is_told_before_the_message_is_understood_and_kept() -> None:
    memory = knowing()
    read_by(memory)
    assert memory.calls == [
        ("remember", "how is it"),
        ("remember", "tell me"),
        ("analyse", TEXT),
        ("remember", TEXT),
    ]


def test_a_message_is_kept_when_something_of_it_is_stored() -> None:
    assert read_by(knowing()).kept
    assert not read_by(FakeMemory()).kept


def test_mentions_are_what_the_text_names_and_statements_what_has_a_predicate() -> None:
    understood_by = read_by(knowing())
    assert understood_by.mentions == {"mysql", "pg"}
    assert [(said.predicate, said.object) for said in understood_by.statements] == [("uses", "PostgreSQL")]


def test_a_perfect_reading_scores_one_everywhere() -> None:
    score = Score()
    assert score.count("en", row(), read_by(knowing()))
    whole = {"p": 1.0, "r": 1.0, "f1": 1.0}
    figures = {
        "keep": whole,
        "mentions": whole,
        "statements": whole,
        "modality": {"accuracy": 1.0},
        "replaces": whole,
        "time": {"accuracy": 1.0},
    }
    assert score.as_json() == {
        "all": figures,
        "en": figures,
        "predicate": {"uses": whole},
        "confusion": {"asserted": {"asserted": 1}},
    }


def test_modality_replaces_and_time_are_judged_on_found_statements_only() -> None:
    score = Score()
    label = {"subject": "Checkout", "predicate": "uses", "object": "PostgreSQL", "modality": "planned"}
    other = {
        "subject": "Orion",
        "predicate": "owner",
        "object": "Ann",
        "modality": "asserted",
        "time": "2026",
    }
    assert not score.count("en", row(statements=[label, other]), read_by(knowing()))
    marks = score.marks["all"]
    assert (marks.statements.both, marks.statements.found, marks.statements.expected) == (1, 1, 2)
    assert (marks.modality.passed, marks.modality.checks) == (0, 1)
    assert (marks.replaces.both, marks.replaces.found, marks.replaces.expected) == (0, 1, 0)
    assert marks.time.checks == 0
    assert score.confusion == {"planned": {"asserted": 1}}


def test_a_time_is_compared_at_the_offset_of_the_message() -> None:
    score = Score()
    score.count("en", row(at="2026-03-02T02:00:00+00:00"), read_by(knowing(), at="2026-03-02T02:00:00+00:00"))
    assert score.marks["all"].time.passed == 0


def test_the_words_for_a_time_are_another_wording_of_the_object() -> None:
    when = Value(start=0, end=1, text="next wed, noon", kind="time", normal="2026-10-28T12:00")
    statement = Statement(
        subject=mention("grant", "grant"), predicate="deadline", value="2026-10-28T12:00", when=when
    )
    unit = Unit(start=0, end=1, text=TEXT, statements=(statement,))
    memory = FakeMemory(analyses={TEXT: Analysis(text=TEXT, units=(unit,))})
    assert read_by(memory).statements[0].other == ("next wed, noon",)


@pytest.fixture
def fake_stores(monkeypatch: pytest.MonkeyPatch) -> None:
    @contextmanager
    def fresh(
        self: Place, case: str, clock: ManualClock, dictionary: Sequence[Mapping[str, object]]
    ) -> Iterator[FakeMemory]:
        yield knowing() if case == "en-1" else FakeMemory()

    monkeypatch.setattr(Place, "fresh", fresh)


@pytest.mark.usefixtures("fake_stores")
def test_messages_read_otherwise_than_labelled_are_handed_back() -> None:
    score, wrong = run([("en", row()), ("zh", row(id="zh-1"))], Place(), quiet=True)
    assert [one.id for one, _ in wrong] == ["zh-1"]
    assert list(score.marks) == ["all", "en", "zh"]


@pytest.mark.usefixtures("fake_stores")
def test_the_command_prints_tables_and_writes_figures(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("en", "zh"):
        line = row(id=f"{name}-1").model_dump_json(exclude_unset=True)
        (tmp_path / f"{name}.jsonl").write_text(line, encoding="utf-8")
    out = tmp_path / "out.json"
    statements.main(tmp_path, failed=True, json=out, quiet=True)
    assert set(json.loads(out.read_text(encoding="utf-8"))) == {"all", "en", "zh", "predicate", "confusion"}
    printed = capsys.readouterr().out
    assert "zh-1" in printed
    assert "en-1" not in printed
