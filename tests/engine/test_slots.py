"""What gives way to what: the rules of one-valued and many-valued slots."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemic import Chain, Mnemic
from tests.engine.told import clock_of, day, door, recalled, tell, values


def chain(memory: Mnemic, name: str, predicate: str) -> Chain:
    """Return the only chain of a slot."""
    (chain,) = memory.history(name, predicate=predicate).chains
    return chain


@pytest.mark.parametrize(
    ("first", "second", "name", "predicate", "value"),
    [
        ("Ben lives in Berlin.", "Ben lives in Paris.", "Ben", "lives_in", "Paris"),
        ("小王住在上海。", "小王住在北京。", "小王", "lives_in", "北京"),
        ("Sam owns checkout.", "Checkout is owned by Lea.", "checkout", "owner", "Lea Moss"),
        ("账本服务的负责人是李雷。", "账本服务的负责人是小王。", "ledger", "owner", "王小明"),
        ("Sam owns checkout.", "结算服务的负责人是小王。", "checkout", "owner", "王小明"),
        ("Ben is 41.", "Ben turned 42.", "Ben", "age", "42"),
        (
            "Ben owns the rollout project.",
            "Now Lea owns the rollout project.",
            "rollout project",
            "owner",
            "Lea Moss",
        ),
        ("李雷负责迁移项目。", "现在迁移项目归小王负责了。", "迁移项目", "owner", "王小明"),
        ("My car is a Volvo.", "My car is a Fiat now.", "ada", "owns", "Fiat"),
        ("我的车是沃尔沃。", "我的车现在是比亚迪了。", "ada", "owns", "比亚迪"),
        ("李雷28岁。", "李雷29岁了。", "李雷", "age", "29岁"),
    ],
)
def test_the_newest_value_of_a_one_valued_slot_replaces(
    memory: Mnemic, first: str, second: str, name: str, predicate: str, value: str
) -> None:
    older, newer = tell(memory, first, second)
    (replaced,) = newer.replaced
    assert (replaced.older, replaced.older_text) == (older.stored[0].id, first)
    assert replaced.newer == newer.stored[0].id
    assert values(memory, name, predicate) == [value]
    assert memory.about(name).profile[predicate] == (value,)


@pytest.mark.parametrize(
    ("texts", "name", "predicate", "held"),
    [
        (
            ["Checkout uses Postgres.", "Checkout uses RabbitMQ."],
            "checkout",
            "uses",
            {"PostgreSQL", "RabbitMQ"},
        ),
        (["结算服务用 Postgres。", "结算服务用 RabbitMQ。"], "checkout", "uses", {"PostgreSQL", "RabbitMQ"}),
        (["My car is a Volvo.", "My phone is a Pixel now."], "ada", "owns", {"Volvo", "Pixel"}),
        (["Ben likes green tea.", "Ben likes coffee."], "Ben", "likes", {"green tea", "coffee"}),
        (["小王喜欢绿茶。", "小王喜欢咖啡。"], "小王", "likes", {"绿茶", "咖啡"}),
        (["Ben works on Atlas.", "Ben works on ledger."], "Ben", "works_on", {"Atlas", "ledger"}),
    ],
)
def test_a_many_valued_slot_adds(
    memory: Mnemic, texts: list[str], name: str, predicate: str, held: set[str]
) -> None:
    assert not any(receipt.replaced for receipt in tell(memory, *texts))
    assert set(values(memory, name, predicate)) == held


@pytest.mark.parametrize(
    ("override", "held"),
    [
        ("Checkout switched to MySQL.", {"MySQL", "RabbitMQ"}),
        ("结算服务换成了 MySQL。", {"MySQL", "RabbitMQ"}),
        ("Checkout switched from RabbitMQ to Kafka.", {"PostgreSQL", "Kafka"}),
        ("结算服务从 RabbitMQ 换成 Kafka。", {"PostgreSQL", "Kafka"}),
    ],
)
def test_an_override_replaces_what_is_of_the_same_kind_alone(
    memory: Mnemic, override: str, held: set[str]
) -> None:
    tell(memory, "Checkout uses Postgres.", "Checkout uses RabbitMQ.", override)
    assert set(values(memory, "checkout", "uses")) == held


@pytest.mark.parametrize(
    "texts",
    [
        ("My wife Clara is a baker.", "My daughter Ida moved to Lyon."),
        ("My brother Kurt is a pilot.", "My sister Jana joined Initech."),
        ("My brother Kurt is a pilot.", "My cousin Olga switched schools."),
        ("我老婆小兰是护士。", "我儿子小宝换到腾讯了。"),
        ("我爸叫李国强。", "我妹妹小丽搬到北京了。"),
    ],
)
def test_what_another_statement_of_the_sentence_changes_overrides_nothing(
    memory: Mnemic, texts: tuple[str, str]
) -> None:
    _, newer = tell(memory, *texts)
    assert newer.replaced == ()


@pytest.mark.parametrize(
    ("first", "second", "name", "held"),
    [
        ("I like tea.", "I don't like tea anymore.", "ada", {"dislikes": ("tea",)}),
        ("Ben hates opera.", "Ben loves opera now.", "Ben", {"likes": ("opera",)}),
        ("我喜欢喝绿茶。", "我现在不喜欢喝绿茶了。", "ada", {"dislikes": ("喝绿茶",)}),
        ("小王讨厌爬山。", "小王现在喜欢爬山了。", "王小明", {"likes": ("爬山",)}),
        (
            "Ben hates opera.",
            "Ben loves chess.",
            "Ben",
            {"dislikes": ("opera",), "likes": ("chess",)},
        ),
    ],
)
def test_of_opposites_the_newest_replaces(
    memory: Mnemic, first: str, second: str, name: str, held: dict[str, tuple[str, ...]]
) -> None:
    tell(memory, first, second)
    assert memory.about(name).profile == held


def test_a_question_for_what_gave_way_is_answered_by_its_opposite(memory: Mnemic) -> None:
    tell(memory, "Ben likes opera.", "Ben hates opera now.")
    assert recalled(memory, "Does Ben like opera?") == ["Ben hates opera now."]


def test_an_override_by_a_known_value_still_ends_the_old_one(memory: Mnemic) -> None:
    tell(memory, "Checkout uses Postgres.", "Checkout uses MySQL.", "Checkout moved from Postgres to MySQL.")
    assert values(memory, "checkout", "uses") == ["MySQL"]


@pytest.mark.parametrize(
    ("told", "ended", "name", "predicate"),
    [
        ("Checkout uses Postgres.", "Checkout stopped using Postgres.", "checkout", "uses"),
        ("结算服务用 Postgres。", "结算服务不用 Postgres 了，性能太差。", "checkout", "uses"),
        ("Ben lives in Berlin.", "Ben no longer lives in Berlin.", "Ben", "lives_in"),
        ("小王住在上海。", "小王已经不住在上海了。", "小王", "lives_in"),
        ("Ben works on Atlas.", "Ben left Atlas.", "Ben", "works_on"),
        ("Checkout uses Postgres.", "Checkout no longer uses Postgres.", "checkout", "uses"),
        ("Checkout uses Postgres.", "Checkout doesn't use Postgres anymore.", "checkout", "uses"),
    ],
)  # fmt: skip
def test_what_is_no_longer_so_ends(memory: Mnemic, told: str, ended: str, name: str, predicate: str) -> None:
    tell(memory, told)
    clock_of(memory).now = day(10)
    memory.remember(ended)
    clock_of(memory).now = day(20)
    assert values(memory, name, predicate) == []
    assert predicate not in memory.about(name).profile
    assert len(values(memory, name, predicate, valid_as_of=day(5))) == 1
    (first, *_) = chain(memory, name, predicate).versions
    assert first.valid_to == day(10)


def test_what_ended_may_begin_again(memory: Mnemic) -> None:
    tell(memory, "Checkout uses Postgres.", "Checkout dropped Postgres.", "Checkout uses Postgres.")
    assert values(memory, "checkout", "uses") == ["PostgreSQL"]
    assert values(memory, "checkout", "uses", valid_as_of=day(1.5)) == []


def test_ending_one_value_leaves_the_others(memory: Mnemic) -> None:
    tell(memory, "Checkout uses Postgres.", "Checkout uses RabbitMQ.", "Checkout dropped Postgres.")
    assert values(memory, "checkout", "uses") == ["RabbitMQ"]


def test_slots_of_other_subjects_and_predicates_are_left_alone(memory: Mnemic) -> None:
    tell(memory, "Ben lives in Berlin.", "Lea lives in Berlin.", "Sam owns checkout.", "Sam owns ledger.")
    tell(memory, "Ben lives in Paris.", "Checkout is owned by Lea.")
    assert values(memory, "Lea", "lives_in") == ["Berlin"]
    assert values(memory, "ledger", "owner") == ["Sam Reed"]
    assert values(memory, "checkout", "owner") == ["Lea Moss"]


@pytest.mark.parametrize(
    "said",
    [
        "Ben plans to move to Paris.",
        "Ben will move to Paris next month.",
        "Should Ben move to Paris?",
        "Does Ben live in Paris?",
        "Ben might live in Paris.",
        "If Ben lives in Paris, we meet there.",
        "I heard that Ben lives in Paris.",
        "Apparently Ben lives in Paris.",
        "Sam says Ben lives in Paris.",
        "Ben 打算搬到上海。",
        "要不 Ben 搬到上海吧。",
        "Ben 住在上海吗？",
        "Ben 可能住在上海。",
        "听说 Ben 住在上海。",
        "如果 Ben 住在上海，我们就去看他。",
    ],
)
def test_plans_proposals_questions_and_hearsay_change_nothing_that_is_current(
    memory: Mnemic, said: str
) -> None:
    _, receipt = tell(memory, "Ben lives in Berlin.", said)
    assert receipt.replaced == ()
    assert memory.about("Ben").profile == {"lives_in": ("Berlin",)}
    assert values(memory, "Ben", "lives_in") == ["Berlin"]
    assert recalled(memory, "Where does Ben live?")[0] == "Ben lives in Berlin."


def test_a_value_that_comes_back_is_one_current_value_with_an_unbroken_chain(memory: Mnemic) -> None:
    tell(memory, "Ben lives in Berlin.", "Ben lives in Paris.", "Ben lives in Berlin.")
    first, second, third = chain(memory, "Ben", "lives_in").versions
    assert [v.value for v in (first, second, third)] == ["Berlin", "Paris", "Berlin"]
    assert (first.replaced_by, second.replaced_by, third.replaced_by) == (second.memory, third.memory, "")
    assert values(memory, "Ben", "lives_in") == ["Berlin"]


SLOTS = {
    "en": (
        "Ben lives in {}.",
        "Ben",
        "lives_in",
        "Where does Ben live?",
        ["Berlin", "Paris", "Rome", "Oslo"],
    ),
    "zh": (
        "账本服务的负责人是{}。",
        "账本服务",
        "owner",
        "账本服务的负责人是谁？",
        ["李雷", "赵敏", "王小明"],
    ),
}


@pytest.mark.parametrize("tongue", SLOTS)
@given(data=st.data())
@settings(max_examples=15, deadline=None, derandomize=True)
def test_a_slot_holds_exactly_one_value_at_every_moment_since_the_first(
    tongue: str, data: st.DataObject
) -> None:
    sentence, name, predicate, question, choices = SLOTS[tongue]
    told = data.draw(st.lists(st.sampled_from(choices), min_size=1, max_size=6), label="told")
    gaps = data.draw(
        st.lists(st.integers(1, 3), min_size=len(told), max_size=len(told)), label="days between"
    )
    days = [sum(gaps[:number]) for number in range(len(told))]
    with door() as memory:
        for number, value in zip(days, told, strict=True):
            clock_of(memory).now = day(number)
            memory.remember(sentence.format(value))
        clock_of(memory).now = day(days[-1] + 1)
        runs = [(d, v) for i, (d, v) in enumerate(zip(days, told, strict=True)) if i == 0 or told[i - 1] != v]
        for moment in sorted({m + half for m in days for half in (0, 0.5)}):
            expected = [value for since, value in runs if since <= moment][-1]
            assert values(memory, name, predicate, valid_as_of=day(moment)) == [expected]
        assert values(memory, name, predicate, valid_as_of=day(-1)) == []
        _check_chain(chain(memory, name, predicate), runs)
        said = [item.said for item in memory.recall(question, limit=50).items if item.said is not None]
        assert [s.value for s in said if s.predicate == predicate] == [told[-1]]


def _check_chain(chain: Chain, runs: list[tuple[int, str]]) -> None:
    """The chain lists the runs in order, each beginning where the one before it ends, joined by REPLACES."""
    versions = chain.versions
    assert [(version.valid_from, version.value) for version in versions] == [(day(d), v) for d, v in runs]
    assert [version.valid_to for version in versions] == [*(day(d) for d, _ in runs[1:]), None]
    assert [version.replaced_by for version in versions] == [*(v.memory for v in versions[1:]), ""]


@pytest.mark.parametrize("told", [["Berlin", "Paris"], ["Paris", "Berlin"], ["Rome", "Oslo", "Rome"]])
def test_of_what_was_told_at_one_moment_the_last_counts(memory: Mnemic, told: list[str]) -> None:
    memory.remember(
        [
            {"content": f"Ben lives in {city}.", "id": str(number), "at": day(0)}
            for number, city in enumerate(told)
        ]
    )
    assert values(memory, "Ben", "lives_in") == told[-1:]
    assert memory.about("Ben").profile == {"lives_in": (told[-1],)}


def test_one_message_tells_closer_and_replaces_nothing_of_itself() -> None:
    with door() as memory:
        receipt = memory.remember("I moved to Bern, I live in the old town. I live right by the river.")
        assert not receipt.replaced
        assert not memory.recall("Where do I live?").notes


@pytest.mark.parametrize(
    ("debts", "settled", "name"),
    [
        (["Ben owes me 30 euros.", "Ben owes me $5."], "Ben paid me back.", "Ben"),
        (["李雷欠我500块。"], "李雷还我钱了。", "李雷"),
    ],
)
def test_a_debt_holds_until_it_is_paid(memory: Mnemic, debts: list[str], settled: str, name: str) -> None:
    tell(memory, *debts)
    assert len(values(memory, name, "owes")) == len(debts)
    tell(memory, settled)
    assert values(memory, name, "owes") == []


@pytest.mark.parametrize(
    "told",
    [
        "Checkout moved its queue to Kafka.",
        "We moved Checkout's queue to Kafka.",
        "结算服务的队列换成 Kafka 了。",
    ],
)
@pytest.mark.parametrize("end", ["Checkout no longer uses Kafka.", "结算服务不用 Kafka 了。"])
def test_a_tool_is_given_up_in_whatever_words(memory: Mnemic, told: str, end: str) -> None:
    _, receipt = tell(memory, told, end)
    assert [each.older_text for each in receipt.replaced] == [told]
    assert values(memory, "checkout", "uses") == []


@pytest.mark.parametrize(
    ("told", "over", "name", "predicate"),
    [
        ("Ben works at Siemens.", "Ben quit Siemens.", "Ben", "employer"),
        ("小王住在上海。", "小王已经不住在上海了。", "王小明", "lives_in"),
    ],
)
def test_an_end_stands_in_the_row_of_what_it_ends(
    memory: Mnemic, told: str, over: str, name: str, predicate: str
) -> None:
    tell(memory, told, over)
    (version,) = chain(memory, name, predicate).versions
    assert (version.text, version.valid_from, version.valid_to) == (told, day(0), day(1))
    assert version.reason == "ended"


def test_the_end_of_what_was_never_told_is_no_value_that_holds(memory: Mnemic) -> None:
    tell(memory, "Ben no longer works at Initech.")
    (version,) = chain(memory, "Ben", "employer").versions
    assert (version.modality, version.valid_to) == ("ended", day(0))
    assert version.valid_from < day(0)
