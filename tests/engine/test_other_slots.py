"""A doubt between statements of different slots hides no answer, and a plan that came true gives way to the deed."""

import numpy as np
import pytest

from mnemic import Mnemic
from mnemic.engine.overrule import Pairs
from mnemic.graph.model import DOUBT, GraphDelta, Replaces
from tests.engine.told import clock_of, recalled, rows, stored_id, tell


def put_in_doubt(memory: Mnemic, older: str, newer: str) -> None:
    """Note that the newer memory may overrule the older one."""
    edge = Replaces(newer=newer, older=older, at=clock_of(memory).now, reason=DOUBT, score=0.6)
    memory.core.store.apply(GraphDelta(replaces=(edge,)))


@pytest.mark.parametrize(
    ("owner", "change", "question"),
    [
        ("Lea owns checkout.", "We moved checkout from Oracle to SQLite.", "Who owns checkout?"),
        ("账本服务由李雷负责。", "账本服务从 Oracle 迁到 SQLite 了。", "账本服务归谁负责？"),
    ],
)
def test_a_doubt_between_slots_hides_no_answer_to_the_older_ones_question(
    memory: Mnemic, owner: str, change: str, question: str
) -> None:
    older, newer = tell(memory, owner, change)
    put_in_doubt(memory, stored_id(older), stored_id(newer))
    found = memory.recall(question)
    assert found.items[0].text == owner
    assert found.notes == ()


@pytest.mark.parametrize(
    ("plan", "deed", "question"),
    [
        (
            "We plan to move checkout to MariaDB in May.",
            "Checkout runs on MariaDB.",
            "What does checkout run on?",
        ),
        ("我们打算把账本服务迁到 MariaDB。", "账本服务用 MariaDB。", "账本服务用什么数据库？"),
    ],
)
def test_a_plan_that_came_true_gives_way_to_the_deed(
    memory: Mnemic, plan: str, deed: str, question: str
) -> None:
    _, done = tell(memory, plan, deed)
    assert [(gone.older_text, gone.reason) for gone in done.replaced] == [(plan, "done")]
    assert recalled(memory, question) == [deed]


def test_a_plan_for_another_value_stays(memory: Mnemic) -> None:
    _, other = tell(memory, "We plan to move checkout to MariaDB in May.", "Checkout uses Redis.")
    assert other.replaced == ()


@pytest.mark.parametrize(
    ("first", "second", "doubted"),
    [
        ("Our new project is called Osprey.", "Osprey is deployed on Azure.", False),
        ("新项目叫青鸾。", "青鸾由李雷负责。", False),
        ("Lea owns checkout.", "Checkout is written in Rust.", False),
        ("Lea owns checkout.", "Checkout moved to Azure.", True),
    ],
)
def test_without_a_cue_nothing_is_put_in_doubt_by_what_is_said_of_another_slot(
    memory: Mnemic, monkeypatch: pytest.MonkeyPatch, first: str, second: str, doubted: bool
) -> None:
    monkeypatch.setattr(Pairs, "probabilities", lambda pairs: np.full(pairs.count, 0.5))
    tell(memory, first, second)
    assert [row["reason"] for row in rows(memory, "replaces")] == [DOUBT] * doubted
    assert memory.recall("What do we know?", limit=50).notes == ()
