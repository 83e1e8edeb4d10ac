"""Made-up chat for measuring speed: endless, Chinese and English, the same for the same seed.

What matters for speed is made like the real thing: messages are short and come in sessions of a few
people; words and names follow Zipf's law over thousands of words and hundreds of names; about half of the
messages state something that has a slot, some of it again and again with another value; some are small
talk that is not kept, some say two things. About one memory comes of one message.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import accumulate

from benchmarks.matcher import HAN, SYLLABLES

BEGUN = datetime(2024, 1, 1, 8, tzinfo=UTC)

_SPEAKERS = 12
_WORDS = 6_000
_SESSION = 24
"""Messages of one session."""

_KINDS = ("person", "project", "service", "organization", "place")
_TECH = [
    "PostgreSQL",
    "MySQL",
    "Redis",
    "Kafka",
    "MongoDB",
    "RabbitMQ",
    "Elasticsearch",
    "SQLite",
    "ClickHouse",
    "Cassandra",
    "DynamoDB",
    "MariaDB",
    "Neo4j",
    "Memcached",
    "NATS",
    "Snowflake",
    "BigQuery",
    "React",
    "Vue",
    "Angular",
    "Django",
    "FastAPI",
    "Flask",
    "Rails",
    "Laravel",
    "Docker",
    "Nginx",
]

_ENGLISH = (
    "We moved {service} from {tech} to {tech}, the {word} {word} was too slow",
    "{person} owns {project}",
    "{person} works at {organization}, mostly on {word} and {word}",
    "{project} is due on March {day}, {organization} asked for the {word} {word}",
    "I like {word} {word} and {word}",
    "Remember that the {word} key for {place} is with {person}",
    "Put the {word} {word} down at {place}, {person} has the {word}",
    "{person} needs the {word} {word} by Friday",
    "My {word} {word} broke again at {place}",
    "{person} will call {organization} about the {word} {word} and the {word}",
    "{organization} wants more {word} and a {word} {word}",
    "{person} said the {word} in {project} depends on the {word} {word}",
    "Please order the {word} {word} for {place}",
    "The {word} {word} {word} looked fine to {person}, only the {word} was a bit {word}",
    "Talked to {organization}, they will send {word} {word} and one {word} to {place}",
    "{word} {word} with {person} was great, next time we take the {word} {word}",
    "{project} got a {word} {word}. The {word} part is still {word}",
    "At {place} they have {word} {word}, {person} bought a {word}",
    "ok thanks, see you later",
    "haha great!",
)
_CHINESE = (
    "{service}从{tech}换成{tech}了，{word}{word}太慢",
    "{project}现在由{person}负责",
    "{person}在{organization}上班，主要做{word}和{word}",
    "{project}的截止日期改到 3 月 {day} 号，{organization}要{word}",
    "我喜欢{word}和{word}，不喜欢{word}",
    "记住，{place}的{word}钥匙在{person}那里",
    "{word}{word}挪到{place}了，{word}找{person}要",
    "{person}下周要去{place}看{word}，顺便带{word}",
    "我家的{word}{word}又坏了，在{place}修",
    "{organization}要{word}，还要{word}{word}",
    "{person}说{project}的{word}依赖{word}{word}",
    "我搬到{place}了，{word}离{word}很近",
    "周五之前把{word}{word}发给{organization}",
    "{person}觉得{word}{word}还行，就是{word}有点{word}",
    "跟{organization}聊过了，会寄{word}和{word}到{place}",
    "昨天和{person}去{word}{word}，下次试试{word}",
    "{project}多了一个{word}{word}，{word}还没{word}",
    "{place}的{word}{word}很便宜，{person}买了{word}",
    "好的，谢谢",
    "哈哈哈哈，收到",
)
_QUESTIONS = (
    "What does {service} run on?",
    "Who owns {project}?",
    "Where is the {word} key for {place}?",
    "What did {person} say about the {word} {word}?",
    "What does {organization} want?",
    "the {word} {word} in {project}",
    "{service}现在用什么数据库？",
    "{project}是谁负责的？",
    "{person}在哪里上班？",
    "{word}{word}放在哪里了？",
    "{organization}要多少{word}？",
    "上周{person}说了什么关于{word}的事？",
)


@dataclass(frozen=True, slots=True)
class Said:
    """One message: what ``Mnemic.remember`` takes, with its session."""

    speaker: str
    session: str
    at: datetime
    text: str

    def row(self) -> dict[str, object]:
        """Return it as one of several messages of a call."""
        return {
            "role": "user",
            "name": self.speaker,
            "session": self.session,
            "at": self.at,
            "content": self.text,
        }


class Chatter:
    """People, their names for things, and what they say. ``names`` is how many names the tenant has."""

    def __init__(self, names: int = 300, seed: int = 1) -> None:
        self._chance = random.Random(seed)
        made = self._distinct(2 * names)
        self.dictionary: list[dict[str, object]] = [
            {"name": made[n], "kind": _KINDS[n % len(_KINDS)], "aliases": [made[-1 - n]]}
            for n in range(names)
        ]
        self._choices = {
            kind: _Zipf([str(d["name"]) for d in self.dictionary if d["kind"] == kind]) for kind in _KINDS
        }
        self._choices["tech"] = _Zipf(_TECH)
        self._words = (
            _Zipf([self._latin(1, 3) for _ in range(_WORDS)]),
            _Zipf([self._han(2, 2) for _ in range(_WORDS)]),
        )
        self._speakers = [str(d["name"]) for d in self.dictionary if d["kind"] == "person"][:_SPEAKERS]

    def messages(self) -> Iterator[Said]:
        """Yield messages without end, half an hour and less apart, Chinese and English in turn by session."""
        at, number = BEGUN, 0
        while True:
            session, speakers = number // _SESSION, self._chance.sample(self._speakers, 3)
            for _ in range(_SESSION):
                at += timedelta(seconds=self._chance.randint(20, 900))
                templates = (_ENGLISH, _CHINESE)[session % 2]
                text = self._filled(self._chance.choice(templates), session % 2)
                yield Said(self._chance.choice(speakers), f"s{session}", at, text)
                number += 1

    def questions(self, count: int) -> list[str]:
        """Return questions about the same names and words."""
        return [self._filled(q, int(not q.isascii())) for q in self._chance.choices(_QUESTIONS, k=count)]

    def asked_names(self, count: int) -> list[str]:
        """Return different names, mostly those that are spoken of most."""
        every = _Zipf([str(entry["name"]) for entry in self.dictionary])
        asked: dict[str, None] = {}
        while len(asked) < min(count, len(self.dictionary)):
            asked[every.draw(self._chance)] = None
        return list(asked)

    def _filled(self, template: str, tongue: int) -> str:
        parts = template.replace("}", "{").split("{")
        parts[1::2] = [self._part(name, tongue) for name in parts[1::2]]
        return "".join(parts)

    def _part(self, name: str, tongue: int) -> str:
        if name == "day":
            return str(self._chance.randint(2, 28))
        return (self._words[tongue] if name == "word" else self._choices[name]).draw(self._chance)

    def _distinct(self, count: int) -> list[str]:
        made: dict[str, None] = {}
        while len(made) < count:
            made[self._latin(3, 4).title() if len(made) % 2 else self._han(3, 4)] = None
        return list(made)

    def _latin(self, least: int, most: int) -> str:
        return "".join(self._chance.choices(SYLLABLES, k=self._chance.randint(least, most)))

    def _han(self, least: int, most: int) -> str:
        return "".join(self._chance.choices(HAN, k=self._chance.randint(least, most)))


class _Zipf:
    """Draws from words, the n-th in proportion to 1/(n + 2)."""

    def __init__(self, words: Sequence[str]) -> None:
        self._words = words
        self._cumulated = list(accumulate(1 / (n + 2) for n in range(len(words))))

    def draw(self, chance: random.Random) -> str:
        return chance.choices(self._words, cum_weights=self._cumulated)[0]
