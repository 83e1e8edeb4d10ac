"""Speed of the dictionary matcher: megabytes of chat (UTF-8) per second of CPU time.

Names and text are generated from a seed. Chinese and English messages alternate; every second one holds
one of the tenant's names, and a few hold a common word that is also a shipped name.

    python -m benchmarks.matcher [--json FILE]
"""

import argparse
import json
import random
import time
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from mnemic.extraction.lexicon import Entry, Lexicon
from mnemic.extraction.names import shipped_lexicon

SEED = 20261130
SIZES = (1_000, 50_000)
MESSAGES = 20_000
HAN = [chr(code) for code in range(0x4E00, 0x4E00 + 3000)]
SYLLABLES = [
    first + vowel for first in "bcdfghklmnprstvwz" for vowel in ("a", "e", "i", "o", "u", "en", "ar")
]
CHINESE = (
    "我们 今天 已经 把 这个 服务 的 数据库 换成 了 新的 版本 下周 一起 看看 会议 改到 周五 下午 三点 他 说 没问题 "
    "上线 之后 再 讨论 一下 预算 可能 不够 ， 。 ， ！ ？ …… 接口 文档 还没 写完 昨天 孩子 发烧 请假 半天 晚上 吃 什么 "
    "客户 那边 催 得 紧 合同 下个月 到期 谁 负责 先 别 告诉 她 搬家 地址 变 了 记得 带 身份证 测试 环境 又 挂 了"
)
ENGLISH = (
    "we moved the service to another region last week and it is fine so far can you check what they said about "
    "budget deadline review meeting please continue with this one I will ask her tomorrow about that report my "
    "daughter starts school on monday so the mornings are busy did anyone see the new draft of our contract it was "
    "in the shared folder but now it is gone lunch at noon works for me thanks everybody great work yesterday the "
    "customer called again they want a discount and a later date nothing else changed since then let us go there "
    "by train because parking near the office is expensive remind me to water the plants before our trip"
)


def names(count: int) -> list[Entry]:
    """Return generated names, half of them Chinese, each with one alias."""
    chance = random.Random(SEED + count)
    made: dict[str, Entry] = {}
    while len(made) < count:
        if len(made) % 2:
            forms = ["".join(chance.choices(HAN, k=chance.randint(2, 5))) for _ in range(2)]
        else:
            forms = ["".join(chance.choices(SYLLABLES, k=chance.randint(3, 4))).title() for _ in range(2)]
        made[forms[0]] = Entry(forms[0], "project", (forms[1],))
    return list(made.values())


def messages(known: Sequence[Entry]) -> list[str]:
    """Return chat messages of five to thirty words, Chinese and English in turn."""
    chance = random.Random(SEED)
    vocabularies = (ENGLISH.split(), CHINESE.split())
    made = []
    for number in range(MESSAGES):
        words = chance.choices(vocabularies[number % 2], k=chance.randint(5, 30))
        if number % 4 < 2:
            words[chance.randrange(len(words))] = chance.choice(known).name
        made.append(("" if number % 2 else " ").join(words))
    return made


def measure(count: int) -> dict[str, float]:
    """Return names, build time in milliseconds, and megabytes per CPU second of the best of three runs."""
    entries = names(count)
    texts = messages(entries)
    size = sum(len(text.encode()) for text in texts) / 1e6
    base = shipped_lexicon()
    started = time.process_time()
    lexicon = Lexicon(entries, base=base)
    built = time.process_time() - started
    seconds, found = [], 0
    for _ in range(3):
        started = time.process_time()
        found = sum(len(lexicon.find(text)) for text in texts)
        seconds.append(time.process_time() - started)
    return {
        "names": count,
        "build_ms": round(built * 1e3, 1),
        "megabytes": round(size, 2),
        "mentions": found,
        "mb_per_cpu_second": round(size / min(seconds), 2),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure the dictionary matcher.")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures to FILE as well")
    arguments = parser.parse_args()
    rows = [measure(count) for count in SIZES]
    table = Table(*rows[0], title="Dictionary matcher")
    for row in rows:
        table.add_row(*(f"{value:,}" for value in row.values()))
    Console().print(table)
    if arguments.json:
        arguments.json.write_text(json.dumps(rows, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
