"""``entities=``: nothing answers but what is about the entities that the caller names."""

import pytest

from mnemic import NotFound
from tests.engine.told import door, recalled, tell


@pytest.mark.parametrize("depth", ["warm", "deep"])
@pytest.mark.parametrize("name", ["checkout", "结算服务", "ＣＨＥＣＫＯＵＴ"])
def test_only_what_is_about_the_named_answers(name: str, depth: str) -> None:
    with door() as memory:
        tell(memory, "The checkout uses PostgreSQL.", "The ledger uses MySQL.", "结算服务由王小明负责")
        found = recalled(memory, "Which database is used?", entities=[name], depth=depth)
    assert found
    assert not any("ledger" in text for text in found)


def test_an_unknown_name_is_an_error_with_the_nearest() -> None:
    with door() as memory:
        tell(memory, "The checkout uses PostgreSQL.")
        with pytest.raises(NotFound) as error:
            memory.recall("Which database?", entities=["chekout"])
    assert error.value.nearest == ("checkout",)
