import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from typer.testing import CliRunner

from benchmarks.__main__ import app
from benchmarks.form import Told
from benchmarks.harness import Place
from benchmarks.suites import SUITES, changes, conversations, locomo, longmemeval, memdaily, software
from benchmarks.suites.case import Asker, Case, Outcome, Query, Ranking
from benchmarks.suites.figures import changing, ranked, silent
from benchmarks.suites.systems import SYSTEMS
from benchmarks.vectors import KeptVectors
from mnemic.extraction.embedders.base import Vectors

AT = datetime(2025, 3, 1, 9, tzinfo=UTC)


def outcome(gold: str, turns: str, *, stale: str = "", score: float = 0.5) -> Outcome:
    """Questions and answers by single letters; every turn has a session of its own."""
    query = Query(text="?", at=AT, gold=frozenset(gold), stale=frozenset(stale))
    return Outcome(query, Ranking(tuple(turns), score), {letter: letter for letter in gold + turns})


def case() -> Case:
    said = ["Ben moved to Oslo.", "I had soup.", "The keeper of Atlas is Kim."]
    turns = [
        Told(id=f"t{n}", session="s", at=AT + timedelta(minutes=n), speaker="Ann", role="user", text=text)
        for n, text in enumerate(said)
    ]
    query = Query(text="Who moved to Oslo?", at=AT + timedelta(days=1), gold=frozenset({"t0"}))
    return Case(id="case", turns=turns, queries=[query])


def test_the_share_of_the_evidence_is_counted_down_to_a_depth() -> None:
    figures = ranked([outcome("ab", "axxxxxxxxxb"), outcome("c", "c"), outcome("", "x")])
    assert figures["questions"] == 2
    assert figures["rec@5"] == figures["rec@10"] == 0.75
    assert figures["rec@20"] == 1.0
    assert figures["all@10"] == 0.5
    assert figures["mrr"] == 1.0


def test_nothing_found_counts_as_nothing() -> None:
    figures = ranked([outcome("a", "")])
    assert (figures["rec@20"], figures["mrr"], figures["session@10"]) == (0.0, 0.0, 0.0)


@pytest.mark.parametrize(
    ("turns", "first", "early"), [("na", 1, 1), ("an", 0, 1), ("n", 1, 0), ("a", 0, 1), ("xxxxxx", 0, 0)]
)
def test_a_stale_turn_may_not_stand_above_the_newest(turns: str, first: int, early: int) -> None:
    figures = changing([outcome("n", turns, stale="a"), outcome("n", "n")])
    assert (figures["changed"], figures["newest first"], figures["stale@5"]) == (1, first, early)


def test_what_nothing_answers_should_score_below_what_has_an_answer() -> None:
    figures = silent([outcome("a", "a", score=0.8), outcome("", "", score=0.1), outcome("", "x", score=0.8)])
    assert (figures["auroc"], figures["silent"], figures["answered"]) == (0.75, 0.5, 1.0)


def test_rivals_and_product_answer_through_one_form() -> None:
    for name in ("mnemic", "bm25"):
        with SYSTEMS[name](case(), Place(embedder="none")) as ask:
            answer = ask(case().queries[0])
        assert answer.turns[0] == "t0", name
        assert answer.score > 0


class _Letters:
    """An embedder that counts vowels, and how often it was asked."""

    name, dimension = "letters", 3

    def __init__(self) -> None:
        self.asked = 0

    def passages(self, texts: list[str]) -> Vectors:
        """Return counts of three vowels."""
        import numpy as np

        self.asked += len(texts)
        return np.array([[text.count(vowel) for vowel in "aeo"] for text in texts], np.float32).reshape(-1, 3)

    def query(self, text: str) -> Vectors:
        """Return the same of one text."""
        row: Vectors = self.passages([text])[0]
        return row


def test_vectors_are_made_once_and_kept_in_a_file(tmp_path: Path) -> None:
    model = _Letters()
    first = KeptVectors(model, tmp_path / "vectors.db").passages(["aa", "eo", "aa"])  # type: ignore[arg-type]
    again = KeptVectors(model, tmp_path / "vectors.db")  # type: ignore[arg-type]
    assert again.passages(["eo", "aa"]).tolist() == [first[1].tolist(), first[0].tolist()]
    assert again.passages([]).shape == (0, 3)
    assert model.asked == 3


def test_locomo_is_read(tmp_path: Path) -> None:
    sample = {
        "sample_id": "c1",
        "conversation": {
            "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_1": [{"speaker": "Ann", "dia_id": "D1:1", "text": "Look", "blip_caption": "a cat"}],
        },
        "qa": [
            {"question": "What?", "evidence": ["D1:1; D:1:9"], "category": 1},
            {"question": "No?", "evidence": [], "category": 5},
        ],
    }
    (tmp_path / "locomo10.json").write_text(json.dumps([sample]))
    (read,) = locomo.load(tmp_path)
    assert read.turns[0].text == "Look [image: a cat]"
    assert [(query.gold, query.groups) for query in read.queries] == [(frozenset({"D1:1"}), ("1 multi-hop",))]


def test_longmemeval_is_read_in_the_order_of_time(tmp_path: Path) -> None:
    entry = {
        "question_type": "single",
        "question": "What?",
        "question_date": "2023/05/30 (Tue) 23:40",
        "answer_session_ids": ["b"],
        "haystack_dates": ["2023/05/20 (Sat) 02:21", "2023/05/10 (Wed) 02:21"],
        "haystack_session_ids": ["b", "a"],
        "haystack_sessions": [
            [{"role": "user", "content": "yes", "has_answer": True}],
            [{"role": "assistant", "content": "no"}],
        ],
    }
    (tmp_path / "oracle.json").write_text(json.dumps([entry]))
    (read,) = longmemeval.load(tmp_path)
    assert [turn.id for turn in read.turns] == ["a:0", "b:0"]
    assert read.queries[0].gold == {"b:0"}


def test_strangers_are_mixed_in_without_touching_the_evidence(tmp_path: Path) -> None:
    def person(name: str) -> dict[str, object]:
        said = {"mid": 0, "message": f"我叫{name}", "time": "2024年04月01日 周一 08:30"}
        asked = {"question": "叫什么？", "target_step_id": [0], "time": "2024年04月04日 周四 07:42"}
        return {"tid": 0, "message_list": [said], "question_list": [asked]}

    for name in ("甲", "乙"):
        (tmp_path / f"01_simple_{name}.json").write_text(json.dumps([person(name)]))
    first, second = memdaily.mixed(tmp_path)
    assert {len(first.turns), len(second.turns)} == {2}
    assert [turn.text for turn in first.turns if turn.id == "0"] != [
        turn.text for turn in second.turns if turn.id == "0"
    ]


def test_an_update_of_beam_has_stale_turns(tmp_path: Path) -> None:
    turn = {"role": "user", "id": 7, "time_anchor": "March-15-2024", "content": "Go ->-> 1,1"}
    probe = {"question": "?", "source_chat_ids": {"original_info": [3], "updated_info": [7]}}
    (tmp_path / "1").mkdir()
    (tmp_path / "1" / "chat.json").write_text(json.dumps([{"batch_number": 1, "turns": [[turn]]}]))
    (tmp_path / "1" / "probing_questions.json").write_text(json.dumps({"knowledge_update": [probe]}))
    (read,) = changes.beam(tmp_path)
    assert read.turns[0].text == "Go"
    assert read.queries[0].gold == {"7"}
    assert read.queries[0].stale == {"3"}


def test_questions_of_another_history_have_no_answer(tmp_path: Path) -> None:
    for name in ("a", "b"):
        turn = {"id": f"{name}1", "speaker": "Ann", "role": "user", "text": name}
        asked = {"q": name, "evidence": [f"{name}1"], "category": "single"}
        body = {
            "id": name,
            "language": "en",
            "dictionary": [],
            "questions": [asked],
            "sessions": [{"id": "s", "at": "2025-03-04T19:20:00+01:00", "turns": [turn]}],
        }
        (tmp_path / f"{name}.json").write_text(json.dumps(body))
    first, _ = conversations.strangers(tmp_path)
    assert [(query.text, bool(query.gold)) for query in first.queries] == [("a", True), ("b", False)]


def test_spans_of_software_are_read_from_their_marks(tmp_path: Path) -> None:
    marks = "We\tO\nuse\tO\nVisual\tB-Application\nStudio\tI-Application\nand\tO\nC\tB-Language\n"
    path = tmp_path / "dev.txt"
    path.write_text(f"Question_ID\tO\n\n{marks}")
    ((text, spans),) = software._sentences(path)
    assert [text[start:end] for start, end in sorted(spans)] == ["Visual Studio", "C"]


def test_the_command_runs_a_suite_and_compares_results(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    @contextmanager
    def perfect(_: Case, __: Place) -> Iterator[Asker]:
        yield lambda query: Ranking(tuple(query.gold), 1.0)

    monkeypatch.setitem(SYSTEMS, "perfect", perfect)
    fact = {"serial": 0, "text": "The keeper of Atlas is Kim."}
    asked = {"question": "Who keeps Atlas?", "gold_serial": 0, "stale_serials": []}
    (tmp_path / "facts.json").write_text(json.dumps({"facts": [fact], "single_hop": [asked]}))
    one, two = tmp_path / "one.out", tmp_path / "two.out"
    for systems, path in (("bm25", one), ("bm25,perfect", two)):
        words = ["run", "factconsolidation_6k", "--data", str(tmp_path), "--systems", systems, "--json"]
        done = CliRunner().invoke(app, [*words, str(path), "--embedder", "none"])
        assert done.exit_code == 0, done.output
    assert json.loads(two.read_text())["perfect"]["all"]["rec@5"] == 1.0
    assert CliRunner().invoke(app, ["compare", str(one), str(two)]).exit_code == 0


def test_what_is_not_there_is_named() -> None:
    for words in (["run", "nosuch", "--data", "."], ["run", "locomo", "--data", ".", "--systems", "mem9"]):
        done = CliRunner().invoke(app, words)
        assert done.exit_code == 2
        assert "is none of" in done.output


def test_every_suite_says_what_it_is() -> None:
    listed = CliRunner().invoke(app, ["list"]).output
    assert all(name in listed for name in SUITES)
