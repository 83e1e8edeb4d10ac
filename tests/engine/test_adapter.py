import numpy as np

from mnemic.engine.adapter import Adapter, shipped_adapters
from mnemic.extraction.embedders import e5


def test_a_map_of_nothing_leaves_a_question_where_it_is() -> None:
    nothing = Adapter(np.zeros((4, 2), np.float32), np.zeros((2, 3), np.float32))
    query = np.array([0.6, 0.0, 0.8], np.float32)
    assert nothing.turned(query).tolist() == query.tolist()


def test_the_last_number_adds_what_all_questions_share() -> None:
    down = np.zeros((4, 1), np.float32)
    down[3] = 1.0
    shared = Adapter(down, np.array([[1.0, 0.0, 0.0]], np.float32))
    assert np.allclose(shared.turned(np.zeros(3, np.float32)), [0.3, 0.0, 0.0])


def test_what_ships_fits_the_embedder_it_is_named_after() -> None:
    shipped = shipped_adapters(e5.NAME)
    assert set(shipped) == {"summary", "detail"}
    for adapter in shipped.values():
        assert adapter.down.shape == (385, 32)
        assert adapter.up.shape == (32, 384)
        assert 0 < np.abs(adapter.down @ adapter.up).max() < 1


def test_an_embedder_without_adapters_has_none() -> None:
    assert shipped_adapters("none") == {}
