"""What the tests of reading share: a small world of names, messages read in it, and texts of all sorts."""

from datetime import UTC, datetime
from functools import cache

from hypothesis import settings
from hypothesis import strategies as st

from mnemic.extraction.analyse import Analyser, shipped_grammar
from mnemic.extraction.frame import Frame, build_frame
from mnemic.extraction.lexicon import Entry, Lexicon
from mnemic.extraction.model import Analysis, Line, Mention, Source, Statement
from mnemic.extraction.names import shipped_lexicon
from mnemic.extraction.passage import Passage
from mnemic.extraction.recognise import find_values
from mnemic.extraction.resolve import Focus
from mnemic.extraction.times import find_times

AT = datetime(2026, 3, 4, 10, tzinfo=UTC)
"""When everything is said: a Wednesday."""
WORLD = (
    Entry("Atlas", "project"),
    Entry("Marlin", "project"),
    Entry("支付系统", "project", ("支付",)),
    Entry("Priya", "person"),
    Entry("Tomas", "person"),
    Entry("林悦", "person"),
    Entry("陈默", "person"),
    Entry("Growth", "team"),
    Entry("增长组", "team"),
)
patient = settings(deadline=None)
"""For properties whose first example reads the data files."""

_WORDS = (
    *("Atlas", "支付系统", "Priya", "林悦", "MySQL", "PG", "Go", "Berlin", "北京", "my sister", "我妹妹", "it", "他", "我"),
    *("is", "uses", "runs on", "owns", "moved to", "lives in", "负责", "换成", "从", "改到", "用", "住在", "是", "在"),
    *("not", "n't", "n’t", "不", "没", "no longer", "不用了", "instead of", "if", "如果", "should we", "要不要", "now"),
    *("who", "谁", "what", "几点", "yes", "不是", "forget that", "忘掉", "new project called", "新项目叫", "password is"),
    *("the 15th", "2026-05-01", "下周三", "3点", "$40", "v2.3", "三百块", "https://x.io/a?b=1.", "#tag", "@陈默", "Mrs."),
)  # fmt: skip
_SIGNS = (
    *(".", "。", "?", "？", "!", ",", "，", "、", ":", "：", ";", "…", "\n", "\r\n", "\t", " - ", "——"),
    *("(", ")", "（", "）", "“", "”", "'", "’", "「", "」"),
)
_ODD = (
    *(
        "😀",
        "👨‍👩‍👧",
        "ＰＧ",
        "ﬁ",
        "İ",
        "ß",
        "e\u0301",
        "\u0345",
        "㍿",
        "𝐆𝐨",
        "½",
        "٣",
        "ⅷ",
        "עברית",
        "العربية",
    ),
    *("\u202e", "\u200b", "\ufeff", "\x00", "\ud800", "\ue100", "\ue141", "\u1100\u1161"),
)
messages = st.tuples(
    st.sampled_from(("", " ")),
    st.lists(st.sampled_from(_WORDS) | st.sampled_from(_SIGNS) | st.sampled_from(_ODD), max_size=12),
).map(lambda drawn: drawn[0].join(drawn[1])) | st.text(st.characters(codec=None), max_size=30)
"""Messages that say something, half say something, or say nothing in odd characters."""
shifts = st.text(
    st.sampled_from("😀🇨🇳👍🏽\u200d\ufe0f אבגهسل\u202e\u200f。！～＊Ａｂ\u3000ﬁİß㍿\u0301"),
    min_size=1,
    max_size=12,
)
"""What may stand before a sentence, says nothing, and is of another length folded or in bytes."""


@cache
def analyser() -> Analyser:
    return Analyser(Lexicon(WORLD, base=shipped_lexicon()))


def line(text: str, speaker: str = "Ada") -> Line:
    return Line(speaker=speaker, text=text, at=AT)


def analysed(text: str, *before: tuple[str, str], speaker: str = "Ada") -> Analysis:
    """Return what is understood of a message of Ada's; ``before`` are earlier ones as (speaker, text)."""
    return analyser().analyse(line(text, speaker), [line(words, name) for name, words in before])


def statements(text: str, *before: tuple[str, str], speaker: str = "Ada") -> list[Statement]:
    return [
        statement for unit in analysed(text, *before, speaker=speaker).units for statement in unit.statements
    ]


def brief(text: str, *before: tuple[str, str], speaker: str = "Ada") -> list[tuple[str, str, str, str]]:
    """Return what is stated as (subject, predicate, value, modality)."""
    return [
        (each.subject.name, each.predicate, each.value, each.modality.value)
        for each in statements(text, *before, speaker=speaker)
    ]


def person(name: str, source: Source = Source.TENANT) -> Mention:
    return Mention(start=0, end=0, text=name, name=name, kind="person", source=source)


def thing(name: str, kind: str = "project") -> Mention:
    return Mention(start=0, end=0, text=name, name=name, kind=kind, source=Source.TENANT)


ADA = person("Ada", Source.SPEAKER)


def passage(text: str, focus: Focus | None = None) -> Passage:
    """Return a text as one sentence with its mentions and values."""
    mentions = analyser().mentions(text)
    taken = [(each.start, each.end) for each in mentions]
    times = [
        each
        for each in find_times(text, AT)
        if not any(start < each.end and each.start < end for start, end in taken)
    ]
    values = find_values(text, [*taken, *((each.start, each.end) for each in times)])
    ordered = sorted([*times, *values], key=lambda value: value.start)
    return Passage(line(text), (0, len(text)), mentions, ordered, focus or Focus(speaker=ADA))


def frame(text: str) -> Frame:
    """Return the frame of a text as one clause."""
    held = passage(text).held
    return build_frame(text, 0, len(text), held, shipped_grammar().groups)
