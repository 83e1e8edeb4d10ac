import pytest

from mnemic.extraction.lexicon import Entry, Lexicon
from mnemic.extraction.model import Source

SHIPPED = [
    Entry("Go", "language", ("Golang",), ("Go",)),
    Entry("R", "language", (), ("R",)),
    Entry("C", "language", (), ("C",)),
    Entry("Swift", "language", (), ("Swift",)),
    Entry("Rust", "language", (), ("Rust",)),
    Entry("Spring", "framework", (), ("Spring",)),
    Entry("Express", "framework", (), ("Express",)),
    Entry("Slack", "chat", (), ("Slack",)),
    Entry("Excel", "docs", (), ("Excel",)),
    Entry("Python", "language"),
    Entry("Java", "language"),
    Entry("Kafka", "queue"),
    Entry("IE", "app", (), ("IE",)),
    Entry("小米", "organization", (), ("小米",)),
    Entry("Reading", "place", (), ("Reading",)),
]


@pytest.fixture(scope="module")
def shipped() -> Lexicon:
    return Lexicon(SHIPPED, source=Source.SHIPPED)


def surfaces(lexicon: Lexicon, text: str) -> list[str]:
    return [mention.text for mention in lexicon.find(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the importer is written in Go", ["Go"]),
        ("the importer is written in go", ["go"]),
        ("the scheduler is a Go service", ["Go"]),
        ("接入层是 Go 写的", ["Go"]),
        ("拿go重写一遍", ["go"]),
        ("go语言真香", ["go"]),
        ("the tablet app's written in Swift", ["Swift"]),
        ("we moved the alerts to Slack over the weekend", ["Slack"]),
        ("Excel不香吗", ["Excel"]),
        ("firmware is plain C", ["C"]),
        ("which is nicer for plots, R or Python?", ["R", "Python"]),
        ("we want Rust and Kafka", ["Rust", "Kafka"]),
        ("Rust 1.80 is out", ["Rust"]),
        ("I use Express for the api", ["Express"]),
        ("上周从华为跳到小米了", ["小米"]),
        ("I live in Reading", ["Reading"]),
    ],
)
def test_a_common_word_counts_with_evidence(shipped: Lexicon, text: str, expected: list[str]) -> None:
    assert surfaces(shipped, text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "good to go",
        "let's go to the store",
        "Go home, it's nine at night",
        "我们 go 吧",
        "we decided to go with Kafka for the backend",
        "r u serious rn",
        "R u coming to lunch",
        "R&D 中心下个月搬到七号楼",
        "plan A and plan B are toast, on to plan C then",
        "for (int i = 0; i < n; i++) c += a[i];",
        "C 区坡道下面",
        "a swift reply from the bike shop",
        "Taylor Swift in concert",
        "there's so much rust on my bike",
        "Wedding next spring",
        "Spring forward, fall off the ladder",
        "I want to express my thanks",
        "cut me some slack",
        "she'll excel at it",
        "小米粥真好喝",
        "I was reading on the train",
        "the file is the same (ie both)",
    ],
)
def test_a_common_word_without_evidence_does_not(shipped: Lexicon, text: str) -> None:
    assert [each for each in surfaces(shipped, text) if each != "Kafka"] == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("it's on python 3.9", ["python"]),
        ("no python left in the pricing engine", ["python"]),
        ("the python at the zoo ate while we were watching", []),
        ("I write Java all day", ["Java"]),
        ("a hot cup of java", []),
    ],
)
def test_a_sure_name_gives_way_to_plain_evidence_against_it(
    shipped: Lexicon, text: str, expected: list[str]
) -> None:
    assert surfaces(shipped, text) == expected


def test_a_form_is_doubted_only_for_the_kind_that_calls_it_ambiguous() -> None:
    broadcaster = Entry("Cable News Network", "organization", ("CNN",))
    lexicon = Lexicon([broadcaster, Entry("ConvNet", "ai_model", ("CNN",), ("CNN",))], source=Source.SHIPPED)
    assert [each.name for each in lexicon.find("cnn again")] == ["Cable News Network"]


def test_a_convincing_name_convinces_of_another(shipped: Lexicon) -> None:
    assert surfaces(shipped, "the api is written in Go, my Rust is better") == ["Go", "Rust"]


def test_evidence_does_not_cross_the_end_of_a_sentence(shipped: Lexicon) -> None:
    assert surfaces(shipped, "It was written in. Go") == []


def test_a_tenants_own_technology_of_that_name_needs_less(shipped: Lexicon) -> None:
    own = Lexicon([Entry("Rust", "technology"), Entry("R", "technology")], base=shipped)
    assert surfaces(own, "Rust, since tuesday") == ["Rust"]
    assert surfaces(own, "so much rust here, r u serious") == []


def test_a_tenants_other_thing_of_that_name_needs_none(shipped: Lexicon) -> None:
    own = Lexicon([Entry("Slack", "cat"), Entry("小米", "person")], base=shipped)
    assert surfaces(own, "slack 和小米在睡觉") == ["slack", "小米"]


def test_the_work_for_a_long_text_is_bounded(shipped: Lexicon) -> None:
    assert surfaces(shipped, "go and go again " * 1000) == []
