import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic.errors import InvalidInput
from mnemic.extraction.lexicon import Entry, Lexicon
from mnemic.extraction.model import Mention, Source
from mnemic.extraction.names import shipped_lexicon

TECHNOLOGY = [
    Entry("PostgreSQL", "database", ("PG", "Postgres")),
    Entry("Redis", "database"),
    Entry("Kafka", "queue"),
    Entry("Java", "language"),
    Entry("JavaScript", "language", ("JS",)),
    Entry("Node.js", "platform", ("Node",)),
    Entry("C", "language"),
    Entry("C++", "language", ("cpp",)),
    Entry("C#", "language"),
    Entry(".NET", "framework"),
    Entry("Spring Boot", "framework"),
    Entry("GPT-4", "ai_model"),
    Entry("S3", "cloud"),
]
OWN = [
    Entry("Atlas", "project"),
    Entry("上海", "place"),
    Entry("上海路", "place"),
    Entry("人民法院", "organization"),
    Entry("人民法庭", "organization"),
    Entry("火锅", "food"),
    Entry("火锅店", "place"),
    Entry("王小", "person"),
    Entry("王小明", "person"),
    Entry("ACME", "organization"),
    Entry("SR-2023-052", "ticket"),
    Entry("SR-2023-053", "ticket"),
    Entry("支付PG库", "project"),
    Entry("Mac", "device"),
    Entry("Reilly", "person"),
]


@pytest.fixture(scope="module")
def base() -> Lexicon:
    return Lexicon(TECHNOLOGY, source=Source.SHIPPED)


@pytest.fixture(scope="module")
def lexicon(base: Lexicon) -> Lexicon:
    return Lexicon(OWN, base=base)


def names(lexicon: Lexicon, text: str) -> list[str]:
    return [mention.name for mention in lexicon.find(text)]


def surfaces(lexicon: Lexicon, text: str) -> list[str]:
    found = lexicon.find(text)
    assert all(text[mention.start : mention.end] == mention.text for mention in found)
    return [mention.text for mention in found]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("用PG了", ["PG"]),
        ("库从 MySQL 换成 PG 了", ["PG"]),
        ("C, C++, C# and .NET", ["C", "C++", "C#", ".NET"]),
        ("C/C++", ["C", "C++"]),
        ("C++11 and c#代码", ["C++", "c#"]),
        ("用.NET写", [".NET"]),
        ("Java/JavaScript", ["Java", "JavaScript"]),
        ("Node.js or Node?", ["Node.js", "Node"]),
        ("人民法院和人民法庭", ["人民法院", "人民法庭"]),
        ("上海，上海路，上海人", ["上海", "上海路", "上海"]),
        ("火锅店的火锅", ["火锅店", "火锅"]),
        ("王小和王小明", ["王小", "王小明"]),
        ("ＡＣＭＥ和acme", ["ＡＣＭＥ", "acme"]),
        ("Spring Boot", ["Spring Boot"]),
        ("支付PG库，支付 PG 库", ["支付PG库", "支付 PG 库"]),
        ("请@Atlas看下 @atlas", ["Atlas", "atlas"]),
        ("…… ½ Atlas", ["Atlas"]),
        ("Atlas\u0301 İ Atlas", ["Atlas"]),
    ],
)
def test_names_are_found_as_they_stand_in_the_text(lexicon: Lexicon, text: str, expected: list[str]) -> None:
    assert surfaces(lexicon, text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("PostgreSQL-based, Redis/Kafka", ["PostgreSQL", "Redis", "Kafka"]),
        ("Atlas's, Atlas’s, Atlas'll, Atlas-API", ["Atlas", "Atlas", "Atlas", "Atlas"]),
        ("MPG PGs postgresqls xPG PG_USER", []),
        ("Macs and Mac", ["Mac"]),
        ("C'mon, O'Reilly", []),
        ("Notepad++ Atlas++", []),
        ("Atlas-2, Atlas.2, Atlas2", []),
        ("redis.conf, atlas@acme.example, main.java, 瑟瑟发抖.java", []),
        ("see Atlas. Then (Redis)", ["Atlas", "Redis"]),
        ("https://example.org/atlas/Redis ok Redis", ["Redis"]),
        ("https://example.org/browse/SR-2023-052", ["SR-2023-052"]),
        ("S3/S3, GPT-4/GPT-5", ["S3", "S3", "GPT-4"]),
    ],
)
def test_a_name_is_a_word_of_its_own(lexicon: Lexicon, text: str, expected: list[str]) -> None:
    assert surfaces(lexicon, text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("SR-2023-052/SR-2023-053", ["SR-2023-052", "SR-2023-053"]),
        ("SR-2023-052的 SR-2023-052.", ["SR-2023-052", "SR-2023-052"]),
        ("SR-2023-052-hotfix", ["SR-2023-052"]),
        ("SR-2023-0521 SR-2023-052-1 SR-2023-052.1 SR-2023-052/1 SR-2023-052-A SR-2023-052_1", []),
        ("1-SR-2023-052 A-SR-2023-052 1.SR-2023-052", []),
        ("GPT-4.1 GPT-4o GPT-4-turbo", ["GPT-4"]),
    ],
)
def test_an_id_does_not_match_inside_a_longer_one(lexicon: Lexicon, text: str, expected: list[str]) -> None:
    assert surfaces(lexicon, text) == expected


def test_a_mention_tells_name_kind_and_source(lexicon: Lexicon) -> None:
    assert lexicon.find("Atlas用PG") == [
        Mention(start=0, end=5, text="Atlas", name="Atlas", kind="project", source=Source.TENANT),
        Mention(start=6, end=8, text="PG", name="PostgreSQL", kind="database", source=Source.SHIPPED),
    ]


def test_the_tenants_own_name_wins_on_the_same_span(base: Lexicon) -> None:
    own = Lexicon([Entry("Redis", "cat"), Entry("Page", "person", ("PG",))], base=base)
    assert [(each.name, each.source) for each in own.find("Redis, PG")] == [
        ("Redis", Source.TENANT),
        ("Page", Source.TENANT),
    ]


def test_the_longest_match_wins_over_both_levels(base: Lexicon) -> None:
    assert names(Lexicon([Entry("Spring", "person")], base=base), "Spring Boot") == ["Spring Boot"]
    assert names(Lexicon([Entry("Redis Labs", "team")], base=base), "Redis Labs") == ["Redis Labs"]


def test_the_base_is_not_changed_by_a_lexicon_over_it(base: Lexicon) -> None:
    Lexicon([Entry("Redis", "cat")], base=base)
    assert base.find("Redis")[0].kind == "database"


def test_of_equal_forms_the_exact_one_is_meant_else_a_name_before_an_alias() -> None:
    lexicon = Lexicon([Entry("Robert", "person", ("ROSA",)), Entry("Rosa", "cat"), Entry("rosa", "dog")])
    assert [each.kind for each in lexicon.find("rosa Rosa ROSA rOSA")] == ["dog", "cat", "person", "cat"]


def test_two_names_inside_one_character_give_one_mention() -> None:
    lexicon = Lexicon([Entry("株式", "x"), Entry("会社", "y")])
    assert surfaces(lexicon, "㍿") == ["㍿"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Will said he will come", ["Will"]),
        ("May we? In may, May and Rose rose", ["May", "Rose"]),
        ("will 和 rose", []),
        ("tollgate is down, Tollgate!", ["tollgate", "Tollgate"]),
    ],
)
def test_a_tenants_everyday_word_needs_its_capital(text: str, expected: list[str]) -> None:
    own = [
        Entry("Will", "person"),
        Entry("Rose", "person"),
        Entry("May", "person"),
        Entry("Tollgate", "project"),
    ]
    assert surfaces(Lexicon(own), text) == expected


def test_an_empty_lexicon_and_an_empty_text_find_nothing(lexicon: Lexicon) -> None:
    assert Lexicon([]).find("Atlas") == []
    assert lexicon.find("") == []


@pytest.mark.parametrize(
    ("name", "kind", "aliases", "field"),
    [(" ", "person", (), "name"), ("Ada", "", (), "kind"), ("Ada", "person", ("\u3000",), "aliases")],
)
def test_a_blank_entry_is_refused(name: str, kind: str, aliases: tuple[str, ...], field: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        Entry(name, kind, aliases)
    assert caught.value.field == field


def naive(forms: set[str], text: str) -> list[tuple[int, int]]:
    """Find forms of Han and small letters the slow way: from the left, the longest first."""
    found = []
    at = 0
    while at < len(text):
        ends = [
            end
            for end in range(len(text), at, -1)
            if text[at:end] in forms
            and not (text[at].isascii() and text[at - 1 : at].isascii() and text[at - 1 : at].isalpha())
            and not (
                text[end - 1].isascii() and text[end : end + 1].isascii() and text[end : end + 1].isalpha()
            )
        ]
        if ends:
            found.append((at, ends[0]))
        at = ends[0] if ends else at + 1
    return found


LATIN = st.text("ab", min_size=1, max_size=3)
HAN = st.text("中文", min_size=1, max_size=3)


@given(st.sets(LATIN | HAN, max_size=6), st.text("ab中文 ", max_size=30))
def test_the_automaton_finds_what_a_plain_search_finds(forms: set[str], text: str) -> None:
    found = Lexicon(Entry(each, "x") for each in sorted(forms)).find(text)
    assert [(each.start, each.end) for each in found] == naive(forms, text)


@given(st.text(max_size=60), st.lists(st.text(min_size=1, max_size=4), max_size=4))
def test_mentions_are_in_order_apart_and_fold_to_a_known_form(text: str, forms: list[str]) -> None:
    entries = [Entry(form, "x") for form in forms if unicodedata.normalize("NFKC", form).split()]
    found = Lexicon(entries).find(text + "".join(forms) + text)
    done = 0
    for mention in found:
        assert done <= mention.start < mention.end
        done = mention.end


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("办公室在杭州路", []),
        ("她家在成都东大街", []),
        ("武汉大厦三楼", []),
        ("杭州的路很宽", ["杭州"]),
        ("我从武汉路过", ["武汉"]),
        ("成都街头", ["成都"]),
        ("搬到杭州了", ["杭州"]),
        ("南京西路", ["南京西路"]),
    ],
)
def test_a_place_is_not_found_at_the_beginning_of_a_longer_name(text: str, found: list[str]) -> None:
    lexicon = Lexicon([Entry("南京西路", "place")], base=shipped_lexicon())
    assert [mention.name for mention in lexicon.find(text)] == found
