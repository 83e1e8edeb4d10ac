"""Many messages of one call leave what the same messages leave when each is told for itself."""

from tests.engine.told import door

TOLD = (
    "Atlas runs on MySQL. Ben owns Atlas.",
    "Atlas, or AT for short, moved to PostgreSQL.",
    "AT is owned by Lea now.",
    "我们有个新项目叫青鸾，用 Redis。",
    "青鸾换成 Kafka 了，归李雷管。",
    "Ben lives in Berlin, and Lea lives in Bern.",
    "Actually, Lea lives in Basel, not in Bern.",
    "Forget that.",
    "Sam lives in Ulm.",
    "just kidding",
    "Atlas runs on MySQL again.",
)


def kept(*calls: tuple[str, ...]) -> list[dict[str, object]]:
    """Return everything that is kept after these calls, each of some messages.

    When a profile was changed last is left out: within a call it may change and change back, which nobody sees.
    """
    with door() as memory:
        number = 0
        for texts in calls:
            rows = [{"role": "user", "content": text, "id": f"t{number + n}"} for n, text in enumerate(texts)]
            memory.remember(rows)
            number += len(rows)
        return [{**row, "profile_updated_at": None} for row in memory.export()]


def test_one_call_keeps_what_many_keep() -> None:
    one_by_one = kept(*((text,) for text in TOLD))
    assert kept(TOLD) == one_by_one
    assert kept(TOLD[:4], TOLD[4:]) == one_by_one
    assert any(row["type"] == "replaces" for row in one_by_one)
