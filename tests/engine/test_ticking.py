"""A clock that moves while a call runs, as every real one does: what is written is seen at once."""

from datetime import datetime, timedelta

import pytest

from mnemic import Mnemic
from tests.engine.told import NAMES, START, rows


class Ticking:
    """A clock that is a second later each time that it is read."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> datetime:
        self.now += timedelta(seconds=1)
        return self.now


@pytest.mark.parametrize(
    ("told", "name", "predicate", "held"),
    [
        (["Checkout uses MySQL.", "Checkout moved from MySQL to PostgreSQL."], "checkout", "uses", ["PostgreSQL"]),
        (["结算服务用 MySQL。", "结算服务从 MySQL 换成 PostgreSQL 了。"], "checkout", "uses", ["PostgreSQL"]),
        (["Ben lives in Oslo.", "Ben lives in Bergen."], "Ben Hill", "lives_in", ["Bergen"]),
        (["Checkout uses MySQL.", "Checkout stopped using MySQL."], "checkout", "uses", None),
    ],
)  # fmt: skip
def test_the_profile_on_the_node_is_that_of_the_last_write(
    told: list[str], name: str, predicate: str, held: list[str] | None
) -> None:
    with Mnemic(":memory:", user="ada", embedder="none", clock=Ticking(), dictionary=NAMES) as memory:
        for text in told:
            memory.remember(text)
        (node,) = [row for row in rows(memory, "entity") if row["name"] == name]
        assert node["profile"].get(predicate) == held


def test_messages_of_one_call_see_each_other() -> None:
    with Mnemic(":memory:", user="ada", embedder="none", clock=Ticking(), dictionary=NAMES) as memory:
        memory.remember(
            [{"role": "user", "content": f"Ben lives in {city}."} for city in ("Oslo", "Bergen", "Turku")]
        )
        (node,) = [row for row in rows(memory, "entity") if row["name"] == "Ben Hill"]
        assert node["profile"]["lives_in"] == ["Turku"]
