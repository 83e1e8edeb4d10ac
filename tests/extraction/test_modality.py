import pytest
from hypothesis import given

from mnemic.extraction.cues import by_class, shipped_cues
from mnemic.extraction.modality import is_off_record, is_question, sentence_modality, statement_modality
from mnemic.extraction.model import Modality
from tests.extraction.reading import analysed, brief, messages, patient


def meant(text: str) -> str:
    return sentence_modality(text, by_class(shipped_cues().hear(text))).value


def asks(text: str) -> bool:
    return is_question(text, by_class(shipped_cues().hear(text)))


def stated(cues: str = "", denials: str = "", **how: bool) -> str:
    """Return how an asserted statement is meant; ``cues`` are words of the clause, ``denials`` those before."""
    settled = {"ends": False, "replaced": False, "dated": False, "soon": False, **how}
    around, before = (by_class(shipped_cues().hear(words)) for words in (f"{cues} {denials}", denials))
    return statement_modality(Modality.ASSERTED, around, before, **settled).value


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Atlas runs on Kubernetes", "asserted"),
        ("支付系统用的是 PostgreSQL", "asserted"),
        ("does Atlas run on Kubernetes?", "asked"),
        ("支付系统用什么数据库呢", "asked"),
        ("should we move Atlas to Go?", "proposed"),
        ("要不支付换成 Go", "proposed"),
        ("we decided that we should move", "asserted"),
        ("if it breaks we would move to Go", "hypothetical"),
        ("要是有预算就换成 Go 了", "hypothetical"),
        ("lol we will rewrite it in COBOL", "hypothetical"),
        ("apparently Atlas runs on Swarm", "reported"),
        ("听说支付换成 Go 了", "reported"),
        ("it should be on Go", "asserted"),
    ],
)
def test_how_a_sentence_is_meant(text: str, expected: str) -> None:
    assert meant(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "who owns it?",
        "who owns it",
        "谁负责？🙏",
        "要不要换",
        "有没有人知道",
        "What’s it written in",
        "搬完了吗",
    ],
)
def test_questions(text: str) -> None:
    assert asks(text)


@pytest.mark.xfail(strict=True, reason="a Chinese question word alone, without a mark, makes no question yet")
@pytest.mark.parametrize("text", ["谁负责", "支付系统用什么数据库", "他来了没", "他来了没有"])
def test_chinese_questions_without_a_mark(text: str) -> None:
    assert asks(text)


@pytest.mark.parametrize(
    "text", ["I know who owns it", "Atlas is fine", "支付系统归林悦", "what a day it was, " + "really " * 10]
)
def test_no_questions(text: str) -> None:
    assert not asks(text)


@pytest.mark.parametrize(
    "text",
    [
        "$ git push",
        "2026-03-04 10:00 started",
        "GET /health",
        "Traceback (most recent call last)",
        "at com.acme.Main.run(Main.java:7)",
        "docker run redis",
        "pip install -U ruff",
        "import os",
        "SELECT 1",
        "```",
    ],
)
def test_code_commands_and_logs_are_off_record(text: str) -> None:
    assert is_off_record(text)


@pytest.mark.parametrize(
    "text",
    [
        "git is down today",
        "docker wasn't it",
        "I paid $5",
        "get the keys",
        "import duty is due",
        "at home.",
        "",
    ],
)
def test_talk_about_code_is_on_record(text: str) -> None:
    assert not is_off_record(text)


@pytest.mark.parametrize(
    ("cues", "denials", "how", "expected"),
    [
        ("", "", {}, "asserted"),
        ("", "not", {}, "negated"),
        ("", "not without", {}, "asserted"),
        ("", "no longer", {}, "ended"),
        ("不再", "", {}, "ended"),
        ("no longer", "", {"replaced": True}, "asserted"),
        ("", "", {"ends": True}, "ended"),
        ("", "never", {"ends": True}, "negated"),
        ("", "will", {}, "planned"),
        ("now", "will", {}, "asserted"),
        ("", "", {"soon": True}, "planned"),
        ("", "back then", {"soon": True}, "asserted"),
        ("", "", {"soon": True, "dated": True}, "asserted"),
    ],
)
def test_how_a_statement_is_meant(cues: str, denials: str, how: dict[str, bool], expected: str) -> None:
    assert stated(cues, denials, **how) == expected


FACTS = ["the spare key is under the blue pot", "Atlas runs on Kubernetes", "备用钥匙在蓝花盆下面"]
ASIDES = [
    "just in case",
    "in case somebody gets locked out",
    "in case you wonder",
    "if anyone asks",
    "if the landlord asks",
    "if you need it",
    "万一谁忘带了",
    "有人问的话",
]


@pytest.mark.parametrize("aside", ASIDES)
@pytest.mark.parametrize("fact", FACTS)
def test_what_says_when_a_fact_may_be_of_use_leaves_it_a_fact(fact: str, aside: str) -> None:
    assert meant(f"{fact}, {aside}") == "asserted"


@pytest.mark.parametrize("aside", ASIDES)
@pytest.mark.parametrize("supposed", ["maybe the key is under the pot", "钥匙可能在花盆下面"])
def test_an_aside_makes_no_fact_of_what_is_supposed_anyway(supposed: str, aside: str) -> None:
    assert meant(f"{supposed}, {aside}") == "hypothetical"


@pytest.mark.parametrize(
    "condition",
    [
        "if it rains, we meet indoors",
        "in case it rains we meet indoors",
        "if he asks nicely we open the gate",
        "万一下雨就在屋里",
    ],
)
def test_a_condition_is_no_aside(condition: str) -> None:
    assert meant(condition) == "hypothetical"


@pytest.mark.parametrize("base", [each for each in Modality if each is not Modality.ASSERTED])
def test_what_is_not_asserted_stays_as_its_sentence_is_meant(base: Modality) -> None:
    cues = {"end": ("no longer",), "negation": ("not",)}
    assert statement_modality(base, cues, cues, ends=True, replaced=False, dated=False, soon=True) is base


@patient
@given(messages)
def test_any_text_is_meant_in_some_way_of_a_sentence(text: str) -> None:
    assert meant(text) in {"asserted", "asked", "proposed", "hypothetical", "reported"}
    assert isinstance(is_off_record(text), bool)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("Tomas bought a submarine. Just kidding.", "hypothetical"),
        ("Tomas lives in Berlin, I'm only joking", "hypothetical"),
        ("I'm joking, Tomas lives in Berlin lol", "hypothetical"),
        ("Tomas lives in Berlin 😂 jk", "hypothetical"),
        ("Tomas lives in Berlin, not kidding", "asserted"),
        ("haha, Tomas lives in Berlin now", "asserted"),
        ("林悦住在北京，逗你玩的", "hypothetical"),
        ("林悦住在北京。开玩笑的。", "hypothetical"),
        ("哈哈，林悦住在北京", "asserted"),
        ("林悦住在北京，没开玩笑", "asserted"),
    ],
)
def test_a_joke_is_named_and_not_only_laughed_at(text: str, meant: str) -> None:
    assert {modality for *_, modality in brief(text)} == {meant}


@pytest.mark.parametrize(
    "text", ["I live in Berlin. Just kidding, I live in Lyon.", "我住在北京。逗你的，我住在上海。"]
)
def test_behind_a_joke_it_is_meant(text: str) -> None:
    assert [modality for *_, modality in brief(text)] == ["hypothetical", "asserted"]


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("the plan for Atlas costs $30 per month", "asserted"),
        ("the rent of the studio is 900 per month", "asserted"),
        ("per Tomas, Atlas uses Kafka", "reported"),
        ("as per Priya the plan for Atlas costs $30", "reported"),
        ("according to Priya, Atlas uses Kafka", "reported"),
    ],
)
def test_per_is_hearsay_only_before_somebody(text: str, meant: str) -> None:
    assert {modality for *_, modality in brief(text)} == {meant}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I'm planning to take up the cello", "planned"),
        ("I want to visit the lighthouse", "planned"),
        ("我打算学大提琴", "planned"),
        ("我想去看极光", "planned"),
        ("筹备婚礼中", "planned"),
        ("It snows tomorrow", "asserted"),
        ("明天停电", "asserted"),
        ("I never wanted to visit the lighthouse", "asserted"),
        ("我没打算学大提琴", "asserted"),
        ("The pump broke, we are going to look", "asserted"),
        ("我准备好了", "asserted"),
    ],
)
def test_what_fits_no_predicate_and_is_planned_is_not_so_yet(text: str, expected: str) -> None:
    (unit,) = analysed(text).units
    assert (unit.statements, unit.modality.value) == ((), expected)


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("We're rewriting Atlas in Rust.", ("Atlas", "written_in", "Rust", "planned")),
        ("Tomas is porting Marlin to Rust now.", ("Marlin", "written_in", "Rust", "planned")),
        ("We rewrote Atlas in Rust.", ("Atlas", "written_in", "Rust", "asserted")),
        ("我们正在用 Rust 重写支付系统", ("支付系统", "written_in", "Rust", "planned")),
        ("用 Rust 重写完支付系统了", ("支付系统", "written_in", "Rust", "asserted")),
        ("We decided against MongoDB.", ("Ada", "decided", "MongoDB", "negated")),
        ("The team voted against a new office.", ("Ada", "decided", "a new office", "negated")),
    ],
)
def test_a_change_under_way_is_a_plan_and_what_was_decided_against_is_denied(
    text: str, stated: tuple[str, ...]
) -> None:
    assert brief(text) == [stated]


@pytest.mark.parametrize(
    "text", ["Just joking, I won the Nobel prize.", "Only kidding, I bought a yacht.", "开玩笑的，我升职了"]
)
def test_a_joke_named_first_is_its_own_sentence_where_nothing_of_the_kind_was_told(text: str) -> None:
    found = brief(text)
    assert found
    assert {modality for *_, modality in found} == {"hypothetical"}


def test_a_joke_named_first_takes_back_what_was_told_of_the_slot() -> None:
    told = ("Ada", "I live in Berlin.")
    assert brief("Just kidding, I live in Lyon.", told) == [("Ada", "lives_in", "Lyon", "asserted")]


@pytest.mark.parametrize(
    "text",
    [
        "支付系统上周迁到 TiDB，老备份也停了",
        "没事，支付系统换成 TiDB 了，还在压测",
        "支付系统换成 TiDB 了，据说快很多",
        "支付系统换成 TiDB 了，林悦说是最后一次",
        "支付系统现在用 TiDB，要不监控也换掉？",
        "Atlas moved to TiDB last night, the old cluster was switched off",
        "Atlas is on TiDB now, I heard the old cluster gets sold off",
        "Atlas is on TiDB now, let's see how that goes",
    ],
)
def test_a_clause_beside_it_changes_nothing_of_how_a_statement_is_meant(text: str) -> None:
    stated = [s for unit in analysed(text).units for s in unit.statements if s.value == "TiDB"]
    assert [s.modality.value for s in stated] == ["asserted"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Atlas moved to TiDB, I heard", "reported"),
        ("Atlas moved to TiDB, I think", "reported"),
        ("支付系统换成 TiDB 了，听说", "reported"),
        ("支付系统换成 TiDB，怎么样？", "proposed"),
    ],
)
def test_a_few_words_behind_a_statement_say_how_it_is_meant(text: str, expected: str) -> None:
    stated = [s for unit in analysed(text).units for s in unit.statements if s.value == "TiDB"]
    assert [s.modality.value for s in stated] == [expected]
